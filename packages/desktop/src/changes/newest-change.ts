// When the files of a conversation may be different: after calls and restores of its runs and of the members they started. Pure.
import type { WindowState } from '../store/window-state.ts'

type Known = Pick<WindowState, 'events'> & {
  readonly runs: ReadonlyMap<string, { readonly conversation_id: string; readonly team?: { readonly root_run_id: string } }>
}

const changing = /^(?:checkpoint_|run_|tool_call_(?:completed|failed)$)/

/** The number of the newest such event; 0 if there is none. */
export function newestChange({ events, runs }: Known, conversation_id: string): number {
  const isOf = (run_id: string | undefined) => run_id !== undefined && runs.get(run_id)?.conversation_id === conversation_id
  const concerns = (of: string | null, run_id: string | null) =>
    of === conversation_id || (run_id !== null && (isOf(run_id) || isOf(runs.get(run_id)?.team?.root_run_id)))
  return events.findLast(({ event }) => changing.test(event.event) && concerns(event.conversation_id, event.run_id))?.no ?? 0
}
