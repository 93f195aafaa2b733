// A preview and its pages: the first is asked for by itself, the others by a person.
import type { RestoreChange, RestoreCounts, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import { useState } from 'react'
import type { Answer, CallError } from '../connection/channel.ts'
import { useAsked } from '../desk/use-asked.ts'
import { useDesk } from '../desk/use-desk.ts'

export interface PreviewPage {
  readonly counts: RestoreCounts
  readonly entries: readonly RestorePreviewEntry[]
  readonly next: string | null
}

/** Few enough that their contents are read at once. */
const pageSize = 50

/** `workspace`: where the folder of the run is now, when it was moved. */
export function usePreview(run_id: string, checkpoint_id: string, change: RestoreChange | null, workspace: string | null) {
  const desk = useDesk()
  const [later, setLater] = useState<{ readonly of: PreviewPage; readonly page: PreviewPage } | null>(null)
  const [moreFailed, setMoreFailed] = useState<CallError | null>(null)
  const ask = async (cursor: string | null): Promise<Answer<PreviewPage>> => {
    const answer = await desk.channel.call('agent_run_restore_checkpoint', {
      ...{ action: 'preview' as const, run_id, checkpoint_id, diffs: true, limit: pageSize },
      ...(change === null ? {} : { change }),
      ...(cursor === null ? {} : { cursor }),
      ...(workspace === null ? {} : { workspace }),
    })
    if (!answer.ok) return answer
    if (answer.value.outcome !== 'previewed') throw new Error('a preview was answered with a restore')
    const { counts, entries } = answer.value
    return { ok: true, value: { counts, entries: entries.items, next: entries.next_cursor } }
  }
  const { asked, again } = useAsked(`${checkpoint_id}:${change}:${workspace}`, () => ask(null))
  const first = asked.state === 'ready' ? asked.value : null
  const page = first && later?.of === first ? later.page : first
  const more = async () => {
    if (!first || !page || page.next === null) return
    const answer = await ask(page.next)
    setMoreFailed(answer.ok ? null : answer.error)
    if (answer.ok) setLater({ of: first, page: { ...answer.value, entries: [...page.entries, ...answer.value.entries] } })
  }
  return { asked, page, again, more, moreFailed }
}
