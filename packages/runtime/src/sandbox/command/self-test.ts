// The self-test of a sandbox. Each check attempts an escape that works without a sandbox.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../../clock/clock.ts'
import type { Backend } from './backend.ts'
import { cleanEnvironment } from './environment.ts'
import { hostList } from './hosts.ts'
import { shellQuote } from './shell-quote.ts'
import { startCommand } from './started-command.ts'

export interface SandboxCheck {
  readonly name: 'runs' | 'write_outside' | 'read_home' | 'network' | 'unix_socket' | 'remount' | 'environment' | 'sysctl' | 'ipc'
  readonly held: boolean
  readonly detail: string
}

export interface SandboxReport {
  readonly state: 'enforced' | 'absent' | 'failed'
  readonly backend: Backend['name'] | null
  readonly checks: readonly SandboxCheck[]
  /** Why there is no sandbox, or not the full one; empty otherwise. */
  readonly detail: string
  readonly remedy: string
}

interface Setting {
  readonly backend: Backend
  readonly clock: Clock
  readonly home: string
  readonly temp: string
}

/** A second is usually enough, but a machine that is busy or has just woken up may need longer. */
const patience = 60_000

export async function runSelfTest(setting: Setting): Promise<SandboxReport> {
  mkdirSync(setting.temp, { recursive: true })
  const ground = realpathSync(mkdtempSync(join(setting.temp, 'self-test-')))
  const listeners: Server[] = []
  try {
    const place = prepare(ground, setting.home)
    const port = await listen(listeners, { host: '127.0.0.1', port: 0 })
    await listen(listeners, { path: place.socket })
    const said = await run(setting, place, attempts(place, port))
    const checks = judge(said, place)
    const held = checks.every((check) => check.held)
    return {
      state: held ? 'enforced' : 'failed',
      backend: setting.backend.name,
      checks,
      detail: '',
      remedy: held ? '' : remedyFor(process.platform),
    }
  } finally {
    for (const server of listeners) server.close()
    rmSync(ground, { recursive: true, force: true })
  }
}

export function remedyFor(platform: NodeJS.Platform): string {
  if (platform === 'linux') {
    return 'Install bubblewrap, socat and ripgrep (Debian, Ubuntu: apt-get install bubblewrap socat ripgrep) and allow unprivileged user namespaces; or use the sandbox mode "trusted" and approve each command.'
  }
  if (platform === 'darwin')
    return 'sandbox-exec is part of macOS: put /usr/bin on PATH; or use the sandbox mode "trusted" and approve each command.'
  return 'Commands cannot be sandboxed on this system: use the sandbox mode "trusted" and approve each command.'
}

/** For a report that is not `enforced`. */
export function describeFailure({ checks, detail }: SandboxReport): string {
  const broken = checks.filter(({ held }) => !held).map((check) => check.detail)
  return broken.length > 0 ? `its sandbox failed the self-test (${broken.join('; ')})` : detail
}

interface Ground {
  readonly workspace: string
  readonly temp: string
  readonly outside: string
  /** Tandem's own folder, and one of the self-test with a secret in it, because the former may still be empty. */
  readonly hidden: readonly [string, string]
  readonly socket: string
  readonly secret: string
}

function prepare(ground: string, home: string): Ground {
  const secret = randomBytes(16).toString('hex')
  const folders = ['workspace', 'temp', 'outside', 'home'].map((name) => join(ground, name))
  for (const folder of folders) mkdirSync(folder, { mode: 0o700 })
  const [workspace = '', temp = '', outside = '', trial = ''] = folders
  writeFileSync(join(trial, 'secret'), secret)
  return { workspace, temp, outside, hidden: [trial, existsSync(home) ? realpathSync(home) : trial], socket: join(outside, 's'), secret }
}

/** One line of shell for each check; it prints its name and result. */
function attempts(place: Ground, port: number): string {
  const say = (name: string, attempt: string) => `if ( ${attempt} ) >/dev/null 2>&1; then echo ${name}=escaped; else echo ${name}=held; fi`
  const socket = `require('net').connect(${JSON.stringify(place.socket)}).on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))`
  const [trial, home] = place.hidden
  return [
    `if ( echo ok > ${shellQuote(join(place.workspace, 'mine'))} && cat ${shellQuote(join(place.workspace, 'mine'))} ) >/dev/null 2>&1; then echo runs=yes; fi`,
    say('write_outside', `echo x > ${shellQuote(join(place.outside, 'planted'))}`),
    say('read_home', `cat ${shellQuote(join(trial, 'secret'))} || test -n "$(ls -A ${shellQuote(home)})"`),
    say('network', `exec 3<>/dev/tcp/127.0.0.1/${port}`),
    say('unix_socket', `${shellQuote(process.execPath)} -e ${shellQuote(socket)}`),
    say('remount', `mount -o remount,rw,bind /`),
    say('environment', `tr '\\0' '\\n' < /proc/${process.pid}/environ | grep -q .`),
    say('sysctl', `for file in ${hostSettings}; do test -f "$file" && test -w "$file" && exit 0; done; exit 1`),
    say('ipc', sharesIpc()),
    'echo end',
  ].join('\n')
}

/** Settings of the whole machine; others below /proc/sys belong to a namespace of the command. Only the permission to write them is checked. */
const hostSettings = '/proc/sys/vm/* /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/kernel/sysrq /proc/sys/fs/file-max'

/** True if the command has the IPC namespace of the runtime, or cannot determine its own. */
function sharesIpc(): string {
  if (process.platform !== 'linux') return 'false'
  const own = shellQuote(readlinkSync('/proc/self/ns/ipc'))
  return `test "$(readlink /proc/self/ns/ipc || echo ${own})" = ${own}`
}

function judge(said: string, place: Ground): SandboxCheck[] {
  const answers = new Map(said.split('\n').map((line): [string, string] => [line.split('=')[0] ?? '', line.split('=')[1] ?? '']))
  const planted = existsSync(join(place.outside, 'planted'))
  const ended = said.includes('\nend')
  const check = (name: SandboxCheck['name'], what: string): SandboxCheck => {
    const held = ended && answers.get(name) === 'held' && !(name === 'write_outside' && planted)
    return { name, held, detail: held ? `Blocked: ${what}` : ended ? `Not blocked: ${what}` : 'The self-test did not finish' }
  }
  const runs = answers.get('runs') === 'yes'
  return [
    {
      name: 'runs',
      held: runs,
      detail: runs
        ? 'Allowed: running a command that writes in its workspace'
        : `No command can run: ${said.trim().slice(0, 300) || 'no output'}`,
    },
    check('write_outside', 'writing outside the workspace'),
    check('read_home', "reading Tandem's own folder"),
    check('network', 'a connection to a local port'),
    check('unix_socket', 'a connection to a local socket'),
    check('remount', 'remounting the disk as writable'),
    check('environment', "reading the runtime's environment"),
    check('sysctl', 'writing kernel settings of the machine'),
    check('ipc', "using the machine's IPC namespace"),
  ]
}

async function run({ backend, clock }: Setting, place: Ground, script: string): Promise<string> {
  const deadline = new AbortController()
  const cancel = clock.after(patience, () => deadline.abort(new DOMException('The self-test timed out.', 'TimeoutError')))
  const chunks: Uint8Array[] = []
  const argv = ['bash', '-c', script]
  const reach = { writable: [place.workspace, place.temp], frozen: [], hidden: [...new Set(place.hidden)], shown: [] }
  const job = {
    argv,
    cwd: place.workspace,
    temp: place.temp,
    reach,
    hosts: hostList([]),
    signal: deadline.signal,
    refused: () => undefined,
  }
  try {
    const wrapped = await backend.wrap(job)
    const command = await startCommand({
      argv: wrapped.argv,
      env: { ...cleanEnvironment(process.env, { temp: place.temp, ids: nobody }, place.secret), ...wrapped.env },
      mark: place.secret,
      contained: process.platform === 'linux',
      spec: { argv, cwd: place.workspace, stdin: '', onOutput: (chunk) => chunks.push(chunk) },
      clock,
      signal: deadline.signal,
      violations: () => [],
      ended: () => wrapped.release(),
    })
    await command.done
  } finally {
    cancel()
  }
  return Buffer.concat(chunks).toString('utf8')
}

const nobody = { agent_id: 'self-test', conversation_id: 'self-test', run_id: 'self-test', call_id: 'self-test' }

async function listen(listeners: Server[], where: { host: string; port: number } | { path: string }): Promise<number> {
  const server = createServer((socket) => socket.end())
  listeners.push(server)
  server.unref()
  server.listen(where)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port ?? 0
}
