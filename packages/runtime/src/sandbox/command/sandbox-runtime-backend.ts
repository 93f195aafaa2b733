// The full sandbox: files and processes are restricted by the operating system, the network by a filtering proxy. Each guard is a process, so
// guards are started once and shared by all sandboxes.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Backend, WrappedCommand, WrapRequest } from './backend.ts'
import { noProxyHosts } from './hosts.ts'
import type { Guard, UnlistedHosts } from './network-guard/network-guard.ts'
import { startGuardProcess } from './network-guard/network-guard-client.ts'
import { shellQuote } from './shell-quote.ts'
import { networkViolation } from './violations.ts'

/** Each level of quoting makes text longer, and one argument is limited to 128 KiB; longer text is passed in a file. */
const longestText = 8 * 1024

const jobs = new Map<string, WrapRequest>()
const guards = new Map<UnlistedHosts, Promise<Guard>>()
let users = 0

/** Throws if this machine lacks a requirement; the message names it. */
export async function sandboxRuntimeBackend(): Promise<Backend> {
  users += 1
  let stopped = false
  const stop = async () => {
    if (stopped) return
    stopped = true
    await release()
  }
  try {
    await guardFor('refuse')
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
  // A guard that failed to start does not have to be stopped.
  await Promise.all(started.map((guard) => guard.then((one) => one.stop()).catch(() => undefined)))
}

function refused(id: string, line: string): void {
  const violation = networkViolation(line)
  if (violation) jobs.get(id)?.refused(violation)
}

async function wrap(job: WrapRequest): Promise<WrappedCommand> {
  const id = randomBytes(24).toString('base64url')
  const guard = await guardFor(job.hosts.open === 'all' ? 'public' : 'refuse')
  const inside = insideCommand(job)
  const file = inside.length > longestText ? join(job.temp, `command-${id}.sh`) : null
  if (file) writeFileSync(file, inside, { flag: 'wx', mode: 0o600 })
  const forget = () => {
    jobs.delete(id)
    if (file) rmSync(file, { force: true })
  }
  jobs.set(id, job)
  try {
    const command = file ? `. ${shellQuote(file)}` : inside
    const argv = await guard.wrap({ id, command, cwd: job.cwd, reach: job.reach, hosts: job.hosts.named })
    return {
      argv,
      release() {
        forget()
        guard.release(id)
      },
    }
  } catch (error) {
    forget()
    throw error
  }
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
    `exec ${argv.map(shellQuote).join(' ')}`,
  ].join('; ')
}
