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

/** `required` (tests): installed or refused. `wanted` (start): only reported, because the product starts without them. */
export function installHostPackages(how) {
  if (how === 'none' || process.platform !== 'linux') return
  const missing = parts.filter((part) => (part.onlyFor ?? how) === how && !part.programs.some(isOnPath))
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.map((part) => part.package).join(' ')}`
  if (how === 'wanted') {
    log(
      `these optional programs are not installed: ${missing.map((part) => `${part.package} (${part.without})`).join(', ')}. On Debian: ${command}`,
    )
    return
  }
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
    throw new Error(`tests need ${missing.map((part) => part.package).join(', ')}. Install them, on Debian with: sudo ${command}`)
  }
  log(`installing ${missing.map((part) => part.package).join(', ')}`)
  if (!apt('update', '-q') || !apt(...command.split(' ').slice(1)))
    throw new Error(`the system packages could not be installed; run: ${command}`)
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
  const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  return status === 0
}
