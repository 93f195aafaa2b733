// The sources of a fresh clone, with the packages of the lockfile installed: everything that is built or generated is created there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

export interface Clone {
  readonly folder: string
  remove(): void
}

export function freshClone(): Clone {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-clone-')))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\0').filter((name) => /^(?:packages|scripts|docs\/reference)\/|^[^/]+$/.test(name))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file), { force: true })
  }
  bringPackages(folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Links each package; copies our own and the programs, whose links are relative and lead into the clone. */
function bringPackages(folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const isOurs = name === '@tandem' || name === '.bin' || name === '.package-lock.json'
    if (isOurs) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.')) symlinkSync(join(from, name), join(to, name))
  }
  const lockfile = readFileSync(join(folder, 'package-lock.json'))
  writeFileSync(join(to, '.tandem-lockfile'), createHash('sha256').update(lockfile).digest('hex'))
}

export interface Started {
  /** The printed address, with its one-time code. */
  readonly url: string
  said(): string
  /** As Ctrl-C in its terminal; resolves when all its processes have closed that terminal. */
  interrupt(): Promise<void>
}

/** `npm start`, as a new user types it. */
export async function npmStart(folder: string, environment: Readonly<Record<string, string | undefined>>): Promise<Started> {
  const child: ChildProcess = spawn('npm', ['start'], { cwd: folder, env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const url = /Tandem is open at\s+(http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]+)/.exec(text)?.[1]
      if (url !== undefined && text.includes('Press Ctrl-C to stop Tandem.')) resolve(url)
    })
  }
  const ended = new Promise<void>((end) => child.once('close', () => end()))
  void ended.then(() => reject(new Error(`npm start ended:\n${text}`)))
  return {
    url: await promise,
    said: () => text,
    interrupt() {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGINT')
      return ended
    },
  }
}
