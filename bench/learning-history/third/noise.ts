// Failures of the third that have nothing to do with the cause of a run, and calls that succeed.
import type { Action } from '../action.ts'
import { denial, type Noise } from '../denial.ts'

export const thirdNoise: readonly Noise[] = [
  () => ['git describe --tags', 'git rev-parse --short HEAD'],
  (world) => [`git log --oneline v${world.version()}..HEAD`, 'git log --oneline -5'],
  () => ['git config --get core.hooksPath'],
  () => ['git stash show -p'],
  (world) => [`pgrep -f ${world.name('files')}-worker-${world.random.integer(100, 999)}`],
  async (world) => [`lsof -nP -i tcp:${await world.port()} -s tcp:listen`],
  () => ['make -s lint'],
  () => ['cat docs', 'ls docs'],
  (world) => [`cd ${world.random.pick(['sources', 'modules', 'srv/app'])} && ls`],
  () => [{ read: 'docs' }, { read: 'docs/guide.md' }],
  () => [{ list: 'README.md' }],
  (world) => [`openssl dgst -sha${world.random.pick(['265', '215', '521'])} README.md`, 'openssl dgst -sha256 README.md'],
  (world) => {
    world.files({ '.tools/meta.json': JSON.stringify({ name: world.project, owner: world.user }) })
    return ['jq -e .license .tools/meta.json', 'jq -r .owner .tools/meta.json']
  },
  (world) => {
    world.setup(`mkdir -p .tools && sqlite3 .tools/times.db 'create table if not exists hours(day text, amount real)'`)
    return [`sqlite3 .tools/times.db 'select sum(amount) from hour'`, `sqlite3 .tools/times.db 'select count(*) from hours'`]
  },
  (world) => {
    world.files({
      '.tools/links.pl': `open(my $in, '<', 'README.md') or die $!;\nmy $dead = 0;\nwhile (<$in>) { if (/(\\S+\\.md)/) { $dead++; print "README.md:$.: ${world.say('link has no target text', 'Verweis ohne Linktext')}: $1\\n" } }\nexit($dead > 0 ? 2 : 0);\n`,
    })
    return ['perl .tools/links.pl']
  },
  () => [`python3 -c "print(open('docs/guide.md').readlines()[40])"`, `python3 -c "print(len(open('docs/guide.md').readlines()))"`],
  () => [
    `node -p "require('node:fs').readFileSync('README.md', 'utf8').length)"`,
    `node -p "require('node:fs').readFileSync('README.md', 'utf8').length"`,
  ],
  async (world) => {
    let requests = 0
    const port = await world.serve((request, response) => {
      requests += 1
      if (requests === 1) request.socket.destroy()
      else response.end('{"status":"green"}\n')
    })
    const command = `curl -fsS http://127.0.0.1:${port}/status.json`
    return [command, command]
  },
  async (world) => {
    const port = await world.serve((request, response) => {
      response.statusCode = request.url === '/api/v3/holidays' ? 200 : 401
      response.end('[]\n')
    })
    return [`curl -fsS http://127.0.0.1:${port}/api/holidays`, `curl -fsS http://127.0.0.1:${port}/api/v3/holidays`]
  },
  (world) => {
    const command = world.random.pick([
      'git reset --hard origin/main',
      'docker system prune -f',
      'chmod -R 777 .',
      'kill -9 1',
      'npm unpublish --force',
    ])
    return [{ refused: 'shell.exec', arguments: { command }, failure: denial(world, 'shell.exec', command) }]
  },
  (world) => {
    const path = world.random.pick(['/etc/hosts', '~/.ssh/config', '../other-project/.env'])
    return [
      {
        refused: 'fs.read',
        arguments: { path },
        failure: {
          taxonomy: 'policy_failure',
          stage: 'policy_enforcement',
          source: 'fs.read',
          reason_code: 'path_not_allowed',
          recoverability: 'user_action',
          details: { message: `The policy of fs.read does not allow ${path}.`, subject: path },
        },
      },
    ]
  },
  (world) => [`awk '/^## ${world.random.integer(6, 9)}\\./ { found = 1 } END { exit !found }' CHANGELOG.md`],
]

export const thirdRoutine: readonly Action[] = [
  { list: 'docs' },
  { read: 'CHANGELOG.md' },
  'git diff --stat',
  'git rev-parse --abbrev-ref HEAD',
  'wc -l README.md docs/guide.md',
  'git remote -v',
  'find docs -type f',
  { search: 'release', within: 'docs' },
  'git log --format=%s -4',
  'uname -s',
]
