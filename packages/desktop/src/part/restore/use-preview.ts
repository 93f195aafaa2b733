// A preview and its pages: the first is requested automatically, the others by the user.
import type { BackgroundSelection, RestoreChange, RestoreCounts, RestoreGroup, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { WithdrawnMember } from '@tandem/contract/team'
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useRequest } from '../../client/use-request.ts'
import type { CallError, CallResult } from '../../connection/channel.ts'

export interface PreviewPage {
  readonly counts: RestoreCounts
  readonly entries: readonly RestorePreviewEntry[]
  readonly next: string | null
  /** What changed while background commands ran. */
  readonly background: { readonly counts: RestoreCounts; readonly running: number }
  /** Members of the team of the run that the restore would pause. */
  readonly members: readonly WithdrawnMember[]
  readonly notes: readonly string[]
}

export interface PreviewRequest {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly change: RestoreChange | null
  /** Where the folder of the run is now, if it was moved. */
  readonly workspace: string | null
  readonly group: RestoreGroup
}

/** Few enough to read their contents at once. */
const pageSize = 50

export function usePreview({ run_id, checkpoint_id, change, workspace, group }: PreviewRequest) {
  const client = useRuntimeClient()
  const [later, setLater] = useState<{ readonly of: PreviewPage; readonly page: PreviewPage } | null>(null)
  const [moreFailed, setMoreFailed] = useState<CallError | null>(null)
  const ask = async (cursor: string | null): Promise<CallResult<PreviewPage>> => {
    const answer = await client.channel.call('agent_run_restore_checkpoint', {
      ...{ action: 'preview' as const, run_id, checkpoint_id, diffs: true, limit: pageSize, group },
      ...(change === null ? {} : { change }),
      ...(cursor === null ? {} : { cursor }),
      ...(workspace === null ? {} : { workspace }),
    })
    if (!answer.ok) return answer
    if (answer.value.outcome !== 'previewed') throw new Error('a preview was answered with a restore')
    const { counts, entries, background, members, notes } = answer.value
    return { ok: true, value: { counts, entries: entries.items, next: entries.next_cursor, background, members, notes } }
  }
  // The last page stays while it is requested with another filter, so that the layout does not shift under the pointer.
  const { state: asked, reload: again } = useRequest(JSON.stringify([checkpoint_id, workspace, group]), () => ask(null), {
    version: change ?? '',
  })
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

interface Selected extends Pick<PreviewRequest, 'run_id' | 'checkpoint_id' | 'workspace'> {
  readonly selection: BackgroundSelection
}

/** How many paths a restore would change with this selection of the background group; without a selection the preview has the counts. */
export function useSelectedCounts({ run_id, checkpoint_id, workspace, selection }: Selected) {
  const client = useRuntimeClient()
  const wanted = JSON.stringify(selection)
  const ask = async (): Promise<CallResult<{ readonly wanted: string; readonly counts: RestoreCounts | null }>> => {
    if (selection === 'none') return { ok: true, value: { wanted, counts: null } }
    const answer = await client.channel.call('agent_run_restore_checkpoint', {
      ...{ action: 'preview' as const, run_id, checkpoint_id, limit: 1 },
      background: typeof selection === 'string' ? selection : [...selection],
      ...(workspace === null ? {} : { workspace }),
    })
    if (!answer.ok) return answer
    return { ok: true, value: { wanted, counts: answer.value.counts } }
  }
  const { state: asked, reload: again } = useRequest(JSON.stringify([checkpoint_id, workspace]), ask, { version: wanted })
  const value = asked.state === 'ready' ? asked.value : null
  return { counts: value?.counts ?? null, isCurrent: value?.wanted === wanted, error: asked.state === 'failed' ? asked.error : null, again }
}
