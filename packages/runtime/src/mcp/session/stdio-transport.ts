// A server as a child process: one JSON-RPC message per line, started by our own runner, so that the sandbox restricts it.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { CommandExit, CommandRunner, RunningCommand } from '../../call/commands.ts'
import { mcpLimits } from '../limits.ts'
import { lineFrames } from './line-frames.ts'
import type { ServerLog } from './log.ts'

export interface StdioOptions {
  readonly commands: CommandRunner
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly log: ServerLog
  /** Validates parsed JSON as a message, or throws. */
  parse(value: unknown): JSONRPCMessage
}

export interface StdioTransport extends Transport {
  protocolVersion?: string
  /** Why it ended, once it has. */
  ending(): StdioEnding | null
}

export type StdioEnding =
  | { readonly kind: 'exited'; readonly exit: CommandExit }
  | { readonly kind: 'overflow' }
  | { readonly kind: 'closed' }

export function stdioTransport(options: StdioOptions): StdioTransport {
  const frames = lineFrames(mcpLimits.message_bytes)
  const stopping = new AbortController()
  let running: RunningCommand | null = null
  let ending: StdioEnding | null = null

  function end(why: StdioEnding): void {
    if (ending) return
    ending = why
    const unfinished = frames.rest()
    if (unfinished !== '') options.log.write('stdout', unfinished)
    transport.onclose?.()
  }

  function receive(chunk: Uint8Array): void {
    const { lines, overflow } = frames.push(chunk)
    for (const line of lines) if (!ending) understand(line)
    if (!overflow || ending) return
    options.log.write('tandem', `a message was longer than ${mcpLimits.message_bytes} bytes; the server was stopped`)
    end({ kind: 'overflow' })
    void running?.kill()
  }

  /** Many servers print to stdout what belongs on stderr: it is logged and otherwise ignored. */
  function understand(line: string): void {
    if (line.trim() === '') return
    try {
      // An error of the receiver about an untrusted message must not reach the pipe it came from.
      transport.onmessage?.(options.parse(JSON.parse(line)))
    } catch (problem) {
      options.log.write('stdout', line.slice(0, mcpLimits.log_line))
      transport.onerror?.(problem instanceof Error ? problem : new Error(String(problem)))
    }
  }

  const transport: StdioTransport = {
    ending: () => ending,
    setProtocolVersion(version) {
      transport.protocolVersion = version
    },
    async start() {
      running = await options.commands.start(
        {
          argv: options.argv,
          cwd: options.cwd,
          env: options.env,
          onOutput(chunk, stream) {
            if (stream === 'stderr') options.log.feed('stderr', chunk)
            else receive(chunk)
          },
        },
        stopping.signal,
      )
      void running.done.then((exit) => end({ kind: 'exited', exit }))
      if (ending) await running.kill()
    },
    async send(message) {
      if (!running || ending) throw new Error('the server has ended')
      running.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      end({ kind: 'closed' })
      await running?.kill()
      // A runner that is still starting is stopped by its signal.
      if (!running) stopping.abort(new Error('closed'))
    },
  }
  return transport
}
