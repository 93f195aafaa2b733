// The runtime's side of a guard, which is a separate process. The guard ends with the runtime, however that ends, together with its helpers;
// if it ends by itself, the next command starts another one.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Guard, GuardRequest, NetworkAccess, RefusalListener, UnlistedHosts } from './network-guard.ts'

export type GuardCommand =
  | { readonly ask: 'wrap'; readonly request: GuardRequest }
  | { readonly ask: 'admit'; readonly request: Pick<GuardRequest, 'id' | 'hosts'> }
  | { readonly ask: 'release'; readonly id: string }
  | { readonly ask: 'stop' }

export type GuardEvent =
  | { readonly say: 'ready' }
  | { readonly say: 'broken'; readonly reason: string }
  | { readonly say: 'wrapped'; readonly id: string; readonly argv: string[] }
  | { readonly say: 'admitted'; readonly id: string; readonly access: NetworkAccess }
  | { readonly say: 'failed'; readonly id: string; readonly reason: string }
  | { readonly say: 'refused'; readonly id: string; readonly line: string }

type GuardReply = Extract<GuardEvent, { readonly say: 'wrapped' | 'admitted' }>

/** What it needs to find programs and, behind a corporate proxy, the network. */
const taken = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const

export async function startGuardProcess(unlisted: UnlistedHosts, refused: RefusalListener, ended: () => void): Promise<Guard> {
  const guard = fork(fileURLToPath(new URL('./network-guard-process.ts', import.meta.url)), [unlisted], {
    env: Object.fromEntries(taken.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    // Not the workspace: files that it creates would be attributed to a command.
    cwd: tmpdir(),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<string, PromiseWithResolvers<GuardReply>>()
  const { promise: ready, resolve: isReady, reject: isBroken } = Promise.withResolvers<void>()

  /** It keeps the program alive only while a caller waits for a reply. */
  function rest(): void {
    if (waiting.size > 0) guard.channel?.ref()
    else guard.channel?.unref()
  }

  function fail(error: Error): void {
    ended()
    isBroken(error)
    for (const one of waiting.values()) one.reject(error)
    waiting.clear()
  }

  guard.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
  guard.on('exit', () => fail(new Error('the guard process of the sandbox has ended')))
  guard.on('message', (message: GuardEvent) => {
    if (message.say === 'ready') isReady()
    else if (message.say === 'broken') isBroken(new Error(message.reason))
    else if (message.say === 'refused') refused(message.id, message.line)
    else {
      const one = waiting.get(message.id)
      waiting.delete(message.id)
      rest()
      if (message.say === 'failed') one?.reject(new Error(message.reason))
      else one?.resolve(message)
    }
  })
  try {
    await ready
  } catch (error) {
    guard.kill()
    throw error
  }
  guard.unref()
  rest()
  const send = (message: GuardCommand) => {
    if (guard.connected) guard.send(message)
  }
  function ask(message: Extract<GuardCommand, { readonly request: unknown }>): Promise<GuardReply> {
    const answer = Promise.withResolvers<GuardReply>()
    if (!guard.connected) return Promise.reject(new Error('the guard process of the sandbox has ended'))
    waiting.set(message.request.id, answer)
    rest()
    send(message)
    return answer.promise
  }
  const unexpected = () => new Error('the guard process of the sandbox gave another reply')
  return {
    async wrap(request) {
      const reply = await ask({ ask: 'wrap', request })
      if (reply.say !== 'wrapped') throw unexpected()
      return reply.argv
    },
    async admit(request) {
      const reply = await ask({ ask: 'admit', request })
      if (reply.say !== 'admitted') throw unexpected()
      return reply.access
    },
    release: (id) => send({ ask: 'release', id }),
    async stop() {
      if (guard.exitCode !== null || guard.signalCode !== null) return
      const gone = once(guard, 'exit')
      guard.ref()
      send({ ask: 'stop' })
      await gone
    },
  }
}
