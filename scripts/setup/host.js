// What npm cannot install: the parts of the host that tests use for real.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { log } from './log.js'

/** Program, Debian package, and what does not work without it. */
const parts = [
  { programs: ['redis-server', 'valkey-server'], package: 'redis-server', without: 'the cache is tested in-process only' },
  {
    programs: ['chromium', 'google-chrome', 'microsoft-edge', 'chromium-browser'],
    package: 'chromium',
    without: 'no app window and no browser tools',
  },
  { programs: ['bwrap'], package: 'bubblewrap', without: 'commands run without an operating-system sandbox' },
  { programs: ['socat'], package: 'socat', without: 'the sandbox has no filtered network' },
  { programs: ['rg'], package: 'ripgrep', without: 'no file search' },
  { programs: ['tmux'], package: 'tmux', onlyFor: 'required' },
]

/** Installed for tests where that is possible, and done without otherwise: a test that needs one of them is skipped, or slower. */
const helpful = ['chromium-headless-shell', 'zsh', 'fish']

/** `required` (tests): installed or refused. `wanted` (start): only reported, because the product starts without them. */
export function installHostPackages(how) {
  if (how === 'none' || process.platform !== 'linux') return
  const missing = parts.filter((part) => (part.onlyFor ?? how) === how && !part.programs.some(isOnPath))
  if (missing.length > 0) installMissing(missing, how)
  if (how === 'required') installHelpful(helpful.filter((program) => !isOnPath(program)))
}

function installMissing(missing, how) {
  const command = `apt-get install -y --no-install-recommends ${missing.map((part) => part.package).join(' ')}`
  if (how === 'wanted') {
    log(
      `these optional programs are not installed: ${missing.map((part) => `${part.package} (${part.without})`).join(', ')}. On Debian: ${command}`,
    )
    return
  }
  if (!canInstall()) {
    throw new Error(`tests need ${missing.map((part) => part.package).join(', ')}. Install them, on Debian with: sudo ${command}`)
  }
  log(`installing ${missing.map((part) => part.package).join(', ')}`)
  if (!apt('update', '-q') || !apt(...command.split(' ').slice(1)))
    throw new Error(`the system packages could not be installed; run: ${command}`)
}

/** One by one, and not for long: without a network, everything else is tested nevertheless. */
function installHelpful(names) {
  const impatient = ['-q', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10']
  if (names.length > 0 && canInstall()) apt('update', ...impatient)
  for (const name of names) {
    if (canInstall() && apt('install', '-y', '--no-install-recommends', ...impatient, name)) continue
    log(`${name} is not installed; the tests do without it`)
  }
}

function canInstall() {
  return existsSync('/etc/debian_version') && process.getuid?.() === 0
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function apt(...args) {
  const { status } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
