// Failures that have nothing to do with the cause of a run, and the calls that follow them. The parts share none.
import type { FailureContract } from '../../packages/contract/src/failure/index.ts'
import type { Action } from './action.ts'
import { denial, type Noise } from './denial.ts'
import { fourthResults, fourthRoutine, fourthSlips } from './fourth/noise.ts'
import type { Part } from './run.ts'
import { thirdNoise, thirdRoutine } from './third/noise.ts'

const tuning: readonly Noise[] = [
  (world) => [`grep -rn "TODO(${world.user})" docs README.md`],
  () => ['cat doc/guide.md', 'cat docs/guide.md'],
  (world) => [{ read: `docs/${world.name('files')}.md` }, { list: 'docs' }, { read: 'docs/guide.md' }],
  (world) => {
    world.files({
      '.tools/lint.js': `const lines = require('node:fs').readFileSync('docs/guide.md', 'utf8').split('\\n')\nconst long = lines.flatMap((line, at) => (line.length > ${world.random.integer(8, 20)} ? [at + 1] : []))\nfor (const at of long) console.log('docs/guide.md:' + at + '  ${world.say('warning  line is too long', 'Warnung  Zeile ist zu lang')}')\nprocess.exit(long.length > 0 ? 1 : 0)\n`,
    })
    return ['node .tools/lint.js']
  },
  () => ['diff -q CHANGELOG.md docs/guide.md'],
  (world) => [`which ${world.random.pick(['pnpm', 'yarn', 'deno', 'poetry'])}`],
  (world) => {
    const command = world.random.pick(['git push --force', 'rm -rf build', 'npm publish', `git branch -D ${world.name('branches')}`])
    return [{ refused: 'shell.exec', arguments: { command }, failure: denial(world, 'shell.exec', command) }]
  },
  async (world) => {
    const port = await world.flaky('{"ok":true}\n')
    const command = `curl -fsS -o /dev/null http://127.0.0.1:${port}/${world.name('files')}.json`
    return [command, command]
  },
  (world) => [`ls ${world.random.pick(['config', 'etc', '.github', 'infra'])}/`],
  () => ['test -f .env.local'],
  (world) => [`sed -n 1,5p ${world.name('files').toUpperCase()}.md`, 'sed -n 1,5p CHANGELOG.md'],
]

const heldOut: readonly Noise[] = [
  (world) => [`git grep -n "FIXME.*${world.user}"`],
  (world) => [`rg -n 'deprecated.*${world.version()}' docs`],
  (world) => [`head -n 20 ${world.name('files')}-notes.txt`, `find . -maxdepth 2 -name '*.md' -not -path './.git/*'`],
  (world) => {
    world.files({
      '.tools/style.py': `import pathlib\nimport sys\n\nfound = [n for n, line in enumerate(pathlib.Path("README.md").read_text().splitlines(), 1) if line.endswith(".")]\nfor n in found:\n    print(f"README.md:{n}:1 S${world.random.integer(100, 900)} ${world.say('sentence ends with a period', 'Satz endet mit einem Punkt')}")\nsys.exit(len(found))\n`,
    })
    return ['python3 .tools/style.py']
  },
  () => ['cmp README.md CHANGELOG.md'],
  (world) => [`git rev-parse --verify --quiet refs/tags/v${world.version()}`],
  (world) => [`git show v${world.version()}:README.md`, 'git show HEAD:README.md'],
  (world) => {
    const path = world.random.pick(['docs', 'CHANGELOG.md', 'archive'])
    return [{ refused: 'fs.delete', arguments: { path }, failure: denial(world, 'fs.delete', path) }]
  },
  (world) => {
    const url = `https://${world.random.pick(['status', 'metrics', 'wiki'])}.example.org/${world.project}`
    const failure: FailureContract = {
      taxonomy: 'policy_failure',
      stage: 'policy_enforcement',
      source: 'http.request',
      reason_code: 'host_not_allowed',
      recoverability: 'user_action',
      details: { message: `The policy of http.request does not allow ${new URL(url).host}.`, subject: new URL(url).host },
    }
    return [{ refused: 'http.request', arguments: { method: 'GET', url }, failure }]
  },
  async (world) => {
    const port = await world.flaky('2026\n')
    return [`curl -fsS --retry 2 --retry-delay 1 http://127.0.0.1:${port}/${world.name('files')}.txt`]
  },
  async (world) => {
    const port = await world.flaky('2026\n')
    const command = `wget -nv -O /dev/null http://127.0.0.1:${port}/${world.name('files')}`
    return [command, command]
  },
  (world) => {
    // Not a file of the history: a changed one would stop a rebase.
    world.files({ '.tools/notes.md': `# ${world.project}\n` })
    const title = `## ${world.say('Install', 'Einrichtung')}`
    return [
      { edit: '.tools/notes.md', old: title, new: '## Setup' },
      { edit: '.tools/notes.md', old: `# ${world.project}`, new: `# ${world.project} ${world.version()}` },
    ]
  },
  (world) => [`find ${world.random.pick(['coverage', 'out', 'target'])} -name '*.map'`],
  (world) => [`jq -r .version ${world.name('files')}.lock.json`],
  (world) => [`stat -c %s ${world.name('files')}.cfg`],
]

export const noise: Readonly<Record<Part, readonly Noise[]>> = {
  tuning,
  'held-out': heldOut,
  third: thirdNoise,
  fourth: [...fourthResults, ...fourthSlips],
}

/** Calls that succeed in every project with a history. */
export const routine: Readonly<Record<Part, readonly Action[]>> = {
  tuning: [
    { list: '.' },
    { read: 'README.md' },
    'git status --short',
    'git log --oneline -3',
    'ls',
    'cat CHANGELOG.md',
    { search: 'test', within: 'docs' },
    'node --version',
  ],
  'held-out': [
    { list: '.' },
    { read: 'docs/guide.md' },
    'git branch -a',
    'git log -1 --stat',
    'ls -1',
    'head -n 3 CHANGELOG.md',
    { search: 'docs', within: '.' },
    'python3 --version',
    'du -sh docs',
  ],
  third: thirdRoutine,
  fourth: fourthRoutine,
}
