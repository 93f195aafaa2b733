// What a call would do, computed for the user who is asked about it. It reads within the scope of the call, has little time, and never
// fails the call: without a preview the approval shows the arguments.
import { type CallPreview, cutText, previewLimits } from '@tandem/contract/run'
import { visibleText } from '@tandem/contract/text'
import type { PreviewContext } from '../call/context.ts'
import { ToolFailure } from '../call/failure.ts'
import type { CallScope } from '../call/scope.ts'
import type { Clock } from '../clock/clock.ts'
import type { CallPorts } from './pipeline.ts'
import type { CallingRun, ReadyCall } from './prepared-call.ts'

interface PreviewPorts {
  readonly clock: Clock
  readonly home: string
  ports(scope: CallScope): CallPorts
  log(line: string): void
}

const longest_ms = 2_000

export async function previewOf({ clock, home, ports, log }: PreviewPorts, call: ReadyCall, run: CallingRun): Promise<CallPreview | null> {
  const { literal, tool, policy, input, call_id, readable } = call
  if (!literal.preview) return null
  const { agent_id, conversation_id, run_id, workspace, temp } = run
  const ids = { agent_id, conversation_id, run_id, call_id }
  // What a preview may not read, the call may not read either; it is reported then.
  const report = () => undefined
  const shown = readable ? { readable } : {}
  const scope: CallScope = { ids, tool, workspace, temp, home, policy, sandbox_mode: policy.sandbox_mode, report, ...shown }
  const stop = new AbortController()
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = clock.after(longest_ms, () => {
    stop.abort(new Error('the preview took too long'))
    resolve(null)
  })
  const doors = ports(scope)
  const context: PreviewContext = {
    ids,
    workspace,
    clock,
    signal: stop.signal,
    get files() {
      return doors.files
    },
  }
  const previewing = Promise.resolve()
    .then(() => literal.preview?.(input as never, context) ?? null)
    .catch((error: unknown): CallPreview | null => {
      if (stop.signal.aborted) return null
      if (error instanceof ToolFailure) return { kind: 'fails', message: failureText(error) }
      log(`the preview of ${tool} failed: ${error instanceof Error ? error.message : String(error)}`)
      return null
    })
  try {
    return await Promise.race([previewing, late])
  } finally {
    cancel()
  }
}

function failureText({ message }: ToolFailure): string {
  return cutText(visibleText(message), previewLimits.body_characters).text
}

/**
 * Whether the call would still do what was shown: a file that has changed since makes it another change. Only of what happens to files; what
 * could not be previewed, or not be counted, says nothing.
 */
export function doesWhatWasShown(shown: CallPreview | null, now: CallPreview | null): boolean {
  const [before, after] = [comparable(shown), comparable(now)]
  return before === null || after === null || before === after
}

function comparable(preview: CallPreview | null): string | null {
  switch (preview?.kind) {
    case 'change':
    case 'move':
    case 'fails':
      return JSON.stringify(preview)
    case 'delete': {
      // Not its bytes: a log that grows would be asked about for ever.
      const { path, folders, files, paths, at_least } = preview
      return at_least ? null : JSON.stringify({ path, folders, files, paths })
    }
    default:
      return null
  }
}
