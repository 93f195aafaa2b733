// Tests the first commands of a new contributor: in a fresh clone, in a folder that only its owner can enter, with the machine's own Node.
// First what `npm start` installs and builds, then what `npm run check` adds, and whether all of it matches the lockfile.
// Everything else runs on the pinned Node of node_modules, which would hide that an older npm does not accept the lockfile.
// Plain JavaScript: it runs on any Node the machine has. Usage: node scripts/fresh-install.js [SOURCE] [REPORT_FOLDER]
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './setup/paths.js'

const [source = root, reports = `${root}.cache`] = process.argv.slice(2)
const environment = machineEnvironment(process.env)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-install-')))
const results = []
try {
  chmodSync(folder, 0o700)
  const node = run('node', ['--version']).output.trim()
  // Without a clone, nothing below can be checked.
  const cloned = run('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(realpathSync(source)).href, folder])
  if (cloned.code !== 0) report('a fresh clone', cloned)
  else {
    report(`setup of npm start in a fresh clone, Node ${node.replace(/^v/, '')}`, run('npm', ['run', 'prestart'], folder))
    report('setup of npm run check after it', run('npm', ['run', 'precheck'], folder))
    report('npm ls in a fresh clone', run('npm', ['ls', '--all', '--loglevel=error'], folder))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const failed = results.filter((result) => !result.passed).length
mkdirSync(reports, { recursive: true })
writeFileSync(join(reports, 'install-report.json'), JSON.stringify({ passed: results.length - failed, failed }))
process.exitCode = failed === 0 ? 0 : 1

function report(name, { code, output, seconds }) {
  results.push({ name, passed: code === 0 })
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds} s`)
  if (code !== 0) console.log(`\n${output.slice(-20_000)}`)
}

function run(program, args, cwd = folder) {
  const started = performance.now()
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return {
    code: error ? 1 : (status ?? 1),
    output: error ? `${program} can't be started: ${error.message}` : `${stdout}${stderr}`,
    seconds,
  }
}

/** Without the programs of node_modules, and without the variables that a surrounding npm sets for its scripts. */
function machineEnvironment(given) {
  const kept = Object.entries(given).filter(([name]) => !/^(?:npm_|INIT_CWD$|NODE$|NODE_OPTIONS$)/i.test(name))
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name.toUpperCase() !== 'PATH') return [name, value]
      const places = (value ?? '').split(delimiter).filter((place) => !/[\\/]node_modules[\\/]/.test(`${place}/`))
      return [name, places.join(delimiter)]
    }),
  )
}
