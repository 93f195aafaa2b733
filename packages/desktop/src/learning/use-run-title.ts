import { useWindowState } from '../client/use-client.ts'
import { visibleName } from '../text/name.ts'

/** Null for an old run: it is not in the window's list. */
export function useRunTitle(run_id: string): string | null {
  return useWindowState((state) => {
    const run = state.runs.get(run_id)
    return run ? visibleName(run.title) : null
  })
}
