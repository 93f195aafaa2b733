// The full sandbox: files and processes are restricted by the operating system, the network by a filtering proxy. Each guard is a process, so
// guards are started once, when a command needs one, and shared by all sandboxes. A command on Linux that may reach no host needs none.
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../../path/program.ts'
import type { Backend, WrappedCommand, WrapRequest } from './backend.ts'
import { noProxyHosts } from './hosts.ts'
import { unlessOrphaned } from './life-pipe.ts'
import { mountArguments } from './mounts.ts'
import { type ClosedNetwork, openClosedNetwork } from './network-guard/closed-network.ts'
import type { Guard, NetworkAccess, UnlistedHosts } from './network-guard/network-guard.ts'
import { startGuardProcess } from './network-guard/network-guard-client.ts'
import { relayedCommand } from './network-relay.ts'
import { shellQuote } from './shell-quote.ts'
import { networkViolation } from './violations.ts'

/** Each level of quoting makes text longer, and one argument is limited to 128 KiB; longer text is passed in a file. */
const longestText = 8 * 1024

const jobs = new Map<string, WrapRequest>()
const guards = new Map<UnlistedHosts, Promise<Guard>>()
let closed: Promise<ClosedNetwork> | null = null
let users = 0

/** Throws if this machine lacks a requirement; the message names it. `isProven`: a recent self-test has shown that it does not. */
export async function sandboxRuntimeBackend(isProven = false): Promise<Backend> {
  users += 1
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await release()
  }
  try {
    if (!isProven || process.platform !== 'linux') await guardFor('refuse')
    else await closedNetwork()
  } catch (error) {
    await stop()
    throw error
  }
  return { name: 'sandbox-runtime', wrap, stop }
}

async function release(): Promise<void> {
  users -= 1
  if (users > 0) return
  const started = [...guards.values()]
  guards.clear()
  void closed?.then((network) => network.close()).catch(() => undefined)
  closed = null
  // A guard that failed to start does not have to be stopped.
  await Promise.all(started.map((guard) => guard.then((one) => one.stop()).catch(() => undefined)))
}

function refused(id: string, line: string): void {
  const violation = networkViolation(line)
  if (violation) jobs.get(id)?.refused(violation)
}

function wrap(job: WrapRequest): Promise<WrappedCommand> {
  if (process.platform !== 'linux') return wrapAsText(job)
  return job.hosts.open === 'none' && job.hosts.named.length === 0 ? wrapWithoutHosts(job) : wrapWithHosts(job)
}

async function wrapWithoutHosts(job: WrapRequest): Promise<WrappedCommand> {
  const { access, release } = await (await closedNetwork()).admit(job.refused)
  return await wrapOnLinux(job, access, release)
}

async function wrapWithHosts(job: WrapRequest): Promise<WrappedCommand> {
  const { id, guard, release } = await register(job)
  return await wrapOnLinux(job, guard.admit({ id, hosts: job.hosts.named }), release)
}

async function register(job: WrapRequest): Promise<{ readonly id: string; readonly guard: Guard; release(): void }> {
  const id = randomBytes(24).toString('base64url')
  const guard = await guardFor(job.hosts.open === 'all' ? 'public' : 'refuse')
  jobs.set(id, job)
  const release = () => {
    jobs.delete(id)
    guard.release(id)
  }
  return { id, guard, release }
}

async function wrapOnLinux(
  job: WrapRequest,
  admitting: NetworkAccess | Promise<NetworkAccess>,
  release: () => void,
): Promise<WrappedCommand> {
  const [access, mounts] = await Promise.all([admitting, mountsOf(job)]).catch((error: unknown) => {
    release()
    throw error
  })
  const noProxy = noProxyHosts(job.hosts)
  return {
    argv: [
      ...[findProgram(['bwrap']) ?? 'bwrap', '--new-session', '--die-with-parent', ...access.options, ...mounts],
      ...access.relays.flatMap(({ socket }) => ['--ro-bind', socket, socket]),
      ...['--', ...relayedCommand(job.argv, access)],
    ],
    // The library lets private addresses bypass the proxy, where nothing can be reached.
    env: { ...access.env, TMPDIR: job.temp, NO_PROXY: noProxy, no_proxy: noProxy },
    release,
  }
}

/** Computed while the guard answers. */
async function mountsOf(job: WrapRequest): Promise<string[]> {
  // ssh refuses configuration whose owner does not exist in the user namespace.
  return mountArguments({ ...job, covered: ['/etc/ssh/ssh_config.d'].filter((path) => existsSync(path)) })
}

async function wrapAsText(job: WrapRequest): Promise<WrappedCommand> {
  const { id, guard, release } = await register(job)
  const inside = insideCommand(job)
  const file = inside.length > longestText ? join(job.temp, `command-${id}.sh`) : null
  const remove = () => {
    if (file) rmSync(file, { force: true })
  }
  if (file) writeFileSync(file, inside, { flag: 'wx', mode: 0o600 })
  try {
    const command = file ? `. ${shellQuote(file)}` : inside
    const argv = await guard.wrap({ id, command, cwd: job.cwd, reach: job.reach, hosts: job.hosts.named })
    return {
      argv,
      env: {},
      release() {
        remove()
        release()
      },
    }
  } catch (error) {
    remove()
    release()
    throw error
  }
}

function closedNetwork(): Promise<ClosedNetwork> {
  if (closed) return closed
  const opening = openClosedNetwork()
  closed = opening
  // The next command tries again.
  opening.catch(() => {
    if (closed === opening) closed = null
  })
  return opening
}

function guardFor(unlisted: UnlistedHosts): Promise<Guard> {
  const known = guards.get(unlisted)
  if (known) return known
  const started: Promise<Guard> = startGuardProcess(unlisted, refused, () => {
    if (guards.get(unlisted) === started) guards.delete(unlisted)
  })
  guards.set(unlisted, started)
  return started
}

/** The library sets its own TMPDIR and lets private addresses bypass the proxy, where nothing can be reached; both are corrected inside. */
function insideCommand({ argv, temp, hosts }: WrapRequest): string {
  const noProxy = shellQuote(noProxyHosts(hosts))
  return [
    'unset CLAUDE_CODE_HOST_HTTP_PROXY_PORT CLAUDE_CODE_HOST_SOCKS_PROXY_PORT',
    `export TMPDIR=${shellQuote(temp)} NO_PROXY=${noProxy} no_proxy=${noProxy}`,
    `exec ${unlessOrphaned(argv).map(shellQuote).join(' ')}`,
  ].join('; ')
}
