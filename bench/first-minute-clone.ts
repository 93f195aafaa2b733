// A clone as a new user has it: from git, with the packages that `npm start` installs, and a home folder of its own.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

export interface NewUser {
  readonly home: string
  readonly clone: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** In seconds. */
  readonly cloned: number
  readonly installed: number
  remove(): void
}

/** What is committed, without what is only in the working folder. */
export function newUser(): NewUser {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-first-minute-')))
  const clone = join(home, 'tandem')
  mkdirSync(join(home, 'tmp'))
  const environment = {
    PATH: machinePath(process.env.PATH ?? ''),
    USER: process.env.USER,
    HOME: home,
    TANDEM_HOME: join(home, '.tandem'),
    TMPDIR: join(home, 'tmp'),
    TANDEM_MEMORY_MODEL: 'off',
    // Two clones on one machine must not share a port.
    PORT: '0',
  }
  const cloned = timed('git', ['clone', '--quiet', '--depth', '1', pathToFileURL(root).href, clone], home, process.env)
  // As the setup does, with the npm cache of this machine: how fast it downloads says nothing about Tandem.
  const cache = spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim()
  const installed = timed('npm', ['ci', '--omit=dev', '--prefer-offline', '--loglevel=error'], clone, {
    ...environment,
    npm_config_cache: cache,
  })
  return { home, clone, environment, cloned, installed, remove: () => rmSync(home, { recursive: true, force: true }) }
}

/** Without the programs of this clone: a new user has only those of the machine. */
export function machinePath(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => !/[\\/]node_modules[\\/]/.test(`${folder}/`))
    .join(delimiter)
}

function timed(program: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string | undefined>>): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${stderr}`)
  return (performance.now() - began) / 1_000
}
