import { othersFirst } from '../scheduler/slices.ts'
import type { Events } from './events.ts'

/** Deletes in batches until nothing old is left, and yields to other users of the store in between. Returns how many were deleted. */
export async function deleteOldEvents(events: Pick<Events, 'forget'>, before: number, signal: AbortSignal): Promise<number> {
  let all = 0
  for (;;) {
    if (signal.aborted) return all
    const gone = events.forget(before)
    if (gone === 0) return all
    all += gone
    await othersFirst()
  }
}
