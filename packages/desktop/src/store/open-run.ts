// The open run of a conversation. A run of another device is read-only here.
import type { LocalRun } from '@tandem/contract/command'
import { isTerminalRunState } from '@tandem/contract/run'

type Held = Pick<LocalRun, 'conversation_id' | 'device_id' | 'state'>

interface Known<Run> {
  readonly runs: ReadonlyMap<string, Run>
  /** Null until the runtime has reported the id of this device. */
  readonly status: { readonly device_id: string } | null
}

export function isOnOtherDevice({ status }: Pick<Known<Held>, 'status'>, run: { readonly device_id: string } | null | undefined): boolean {
  return Boolean(status && run && run.device_id !== status.device_id)
}

/** Two devices that were offline may each have started one: the run of this device comes first, because it can be stopped here. */
export function openRunIn<Run extends Held>({ runs, status }: Known<Run>, conversation_id: string): Run | null {
  let found: Run | null = null
  for (const run of runs.values()) {
    if (run.conversation_id !== conversation_id || isTerminalRunState(run.state)) continue
    if (!isOnOtherDevice({ status }, run)) return run
    found ??= run
  }
  return found
}
