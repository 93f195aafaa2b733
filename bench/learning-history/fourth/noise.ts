// What fails in the fourth without a cause: results that are no failure for the task, and slips that the next call corrects.
import type { Action } from '../action.ts'
import { denial, type Noise } from '../denial.ts'

/** The exit code is not 0, but it only answers a question. */
export const fourthResults: readonly Noise[] = [
  (world) => [
    `grep -rn "${world.random.pick(['console.log', 'debugger', 'XXX', 'print('])}" --include='*.${world.random.pick(['tsx', 'vue', 'rs'])}' .`,
  ],
  (world) => [`grep -c "${world.random.pick(['BREAKING', 'deprecat', 'Sicherheit'])}" CHANGELOG.md`],
  (world) => [`rg -l '${world.random.pick(['useEffect', 'legacyLogin', 'alteRechnung'])}' docs README.md`],
  () => ['diff README.md docs/guide.md'],
  () => ['git diff --no-index --stat README.md CHANGELOG.md'],
  (world) => [`[ -f ${world.random.pick(['.nvmrc', '.env', 'Dockerfile', 'compose.yml'])} ]`],
  (world) => [
    `test -d ${world.random.pick(['coverage', 'storybook-static', 'migrations'])} && ls ${world.random.pick(['coverage', 'migrations'])}`,
  ],
  (world) => [`command -v ${world.random.pick(['docker', 'podman', 'bun', 'gh', 'uv'])}`],
  (world) => [`git show-ref --verify --quiet refs/heads/${world.name('branches')}`],
  (world) => [`git ls-files --error-unmatch ${world.random.pick(['.env', 'secrets.json'])}`],
  () => ['git check-ignore -q README.md'],
  async (world) => [`curl -s -o /dev/null http://127.0.0.1:${await world.port()}/health`],
  async (world) => [`lsof -ti :${await world.port()}`],
  async (world) => [`(echo > /dev/tcp/127.0.0.1/${await world.port()}) 2> /dev/null`],
  (world) => [`pgrep -x ${world.random.pick(['nginx', 'mysqld', 'webpack'])}`],
  (world) => [`python3 -c "import ${world.random.pick(['ipdb', 'uvloop', 'orjson'])}" 2> /dev/null`],
  (world) => {
    world.files({ '.tools/server.log': `${world.say('ready', 'bereit')} 1\n${world.say('ready', 'bereit')} 2\n` })
    return ['timeout 1 tail -f .tools/server.log']
  },
  (world) => {
    const rule = world.random.pick(['MD013', 'MD041', 'MD022'])
    world.files({
      '.tools/mdlint.py': `import sys\n\nlines = open("docs/guide.md").read().splitlines()\nfound = [n for n, line in enumerate(lines, 1) if line]\nfor n in found:\n    print(f"docs/guide.md:{n} ${rule} ${world.say('line length', 'Zeilenlänge')}")\nprint(f"${world.say('Found', 'Gefunden')}: {len(found)}")\nsys.exit(1 if found else 0)\n`,
    })
    return ['python3 .tools/mdlint.py']
  },
  (world) => {
    world.files({
      '.tools/spell.sh': `#!/bin/bash\necho "README.md: ${world.say('unknown word', 'unbekanntes Wort')} '${world.project}'"\nexit 1\n`,
    })
    return ['bash .tools/spell.sh']
  },
  (world) => {
    world.files({ '.tools/prices.json': '{"b":1,"a":2}\n' })
    return ['jq -S . .tools/prices.json | cmp -s - .tools/prices.json']
  },
  (world) => [`find . -maxdepth 1 -name '*.${world.random.pick(['sqlite', 'pem', 'har'])}' | grep .`],
  () => ['git stash list | grep -q wip'],
]

export const fourthSlips: readonly Noise[] = [
  (world) => [`cat src/${world.name('files')}/README.md`, 'cat README.md'],
  (world) => [{ read: `${world.random.pick(['guide', 'docs/setup', 'doc/index'])}.md` }, { list: 'docs' }, { read: 'docs/guide.md' }],
  () => [{ list: 'src/components/legacy' }, { list: '.' }],
  (world) => [`git log --onelin -${world.random.integer(2, 6)}`, `git log --oneline -${world.random.integer(2, 6)}`],
  () => ['git diff HEAD~20 --stat', 'git diff HEAD --stat'],
  (world) => [`git checkout ${world.random.pick(['master', 'trunk', 'origin/dev'])}`, 'git branch --list'],
  () => ["sed -n '1,3p README.md", "sed -n '1,3p' README.md"],
  () => [`python3 -c "import json; print(json.load(open('README.md')))"`, `python3 -c "print(open('README.md').read()[:40])"`],
  () => [`node -e "console.log(process.version"`, 'node -e "console.log(process.version)"'],
  () => ['head --line=3 CHANGELOG.md', 'head -n 3 CHANGELOG.md'],
  () => ['find docs -nam "*.md"', 'find docs -name "*.md"'],
  (world) => {
    world.files({ '.tools/note.md': `# ${world.project}\nstatus: open\n` })
    return [
      { edit: '.tools/note.md', old: 'status: done', new: 'status: closed' },
      { read: '.tools/note.md' },
      { edit: '.tools/note.md', old: 'status: open', new: 'status: closed' },
    ]
  },
  (world) => {
    const path = world.random.pick(['reports/2026/summary.md', 'notes/today.md', 'var/log/agent.md'])
    return [{ write: path, content: '# 1\n' }, `mkdir -p ${path.replace(/\/[^/]+$/, '')}`, { write: path, content: '# 1\n' }]
  },
  (world) => {
    const command = world.random.pick([
      'git push --force-with-lease',
      'rm -rf node_modules',
      'git clean -fdx',
      'npm install -g npm@latest',
      'git commit --amend --no-edit',
    ])
    return [{ refused: 'shell.exec', arguments: { command }, failure: denial(world, 'shell.exec', command) }]
  },
  (world) => {
    const url = `https://${world.random.pick(['docs', 'status', 'jira'])}.example.net/${world.project}`
    const { host } = new URL(url)
    return [
      {
        refused: 'web.fetch',
        arguments: { url },
        failure: {
          taxonomy: 'policy_failure',
          stage: 'policy_enforcement',
          source: 'web.fetch',
          reason_code: 'host_not_allowed',
          recoverability: 'user_action',
          details: { message: `The policy of web.fetch does not allow ${host}.`, subject: host },
        },
      },
    ]
  },
  async (world) => {
    const port = await world.serve((request, response) => {
      response.statusCode = request.headers.authorization ? 200 : 403
      response.end('{"open":3}\n')
    })
    const url = `http://127.0.0.1:${port}/api/tickets`
    return [`curl -fsS ${url}`, `curl -fsS -H 'Authorization: Bearer demo' ${url}`]
  },
  async (world) => {
    let requests = 0
    const port = await world.serve((_, response) => {
      requests += 1
      response.statusCode = requests === 1 ? 502 : 200
      response.end(requests === 1 ? 'Bad Gateway\n' : '{"ok":true}\n')
    })
    const command = `curl -fsS http://127.0.0.1:${port}/v1/${world.name('files')}`
    return [command, command]
  },
]

export const fourthRoutine: readonly Action[] = [
  { list: '.' },
  { read: 'docs/guide.md' },
  { read: 'README.md' },
  'git status',
  'git log --oneline -n 5',
  'git branch --show-current',
  'ls -la docs',
  'pwd',
  'cat README.md',
  'git show --stat HEAD',
  'wc -w docs/guide.md',
  { search: 'guide', within: 'docs' },
]
