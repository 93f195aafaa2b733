// The common part of shell.exec and script.run: start, show progress, return at the end or immediately.
import type { ShellExecOutput } from '@tandem/contract/tool/output'
import type { ToolContext } from '../../call/context.ts'
import { commandResult, startedInBackground } from './command-result.ts'
import type { Processes, ProcessSpec } from './processes.ts'

const progressEvery = 250
const progressBytes = 4_096

export interface RunSpec extends Pick<ProcessSpec, 'argv' | 'command' | 'cwd' | 'background'> {
  readonly env?: Readonly<Record<string, string>>
  readonly timeout_seconds?: number | undefined
}

export async function runProcess(processes: Processes, context: ToolContext, spec: RunSpec): Promise<ShellExecOutput> {
  const over = new AbortController()
  const limit = spec.timeout_seconds
  const cancel =
    limit === undefined
      ? () => undefined
      : context.clock.after(limit * 1_000, () => over.abort(new DOMException(`timed out after ${limit} s`, 'TimeoutError')))
  if (spec.background) {
    // It outlives its call; it ends with the run or by process.kill.
    const process = await processes.start(context, { ...spec, signal: over.signal })
    void process.ended.finally(cancel)
    return startedInBackground(process.facts)
  }
  try {
    const process = await processes.start(context, {
      ...spec,
      signal: AbortSignal.any([context.signal, over.signal]),
      onText: throttled(context),
    })
    const ended = await process.ended
    // A canceled call has no result, whatever the command printed; after a timeout, its output is the result.
    if (context.signal.aborted && !ended.exit.timed_out) throw context.signal.reason
    return commandResult(ended)
  } finally {
    cancel()
  }
}

/** New text, a few times per second; only the end of a lot of text. */
export function throttled({ clock, progress }: ToolContext): (chunk: Uint8Array) => void {
  let waiting = Buffer.alloc(0)
  let last = Number.NEGATIVE_INFINITY
  return (chunk) => {
    const all = Buffer.concat([waiting, chunk.length > progressBytes ? chunk.subarray(chunk.length - progressBytes) : chunk])
    waiting = all.length > progressBytes ? Buffer.from(all.subarray(all.length - progressBytes)) : all
    if (clock.elapsed() - last < progressEvery) return
    last = clock.elapsed()
    progress(waiting.toString('utf8'))
    waiting = Buffer.alloc(0)
  }
}
