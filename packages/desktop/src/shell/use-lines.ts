import { useMemo, useRef } from 'react'
import { useWindowState } from '../client/use-client.ts'
import type { RequestState } from '../client/use-request.ts'
import { useToday } from '../part/use-today.ts'
import { isListed, type LineGroup, type ListedLine, lineGroups, linesOf, type View } from './listed-lines.ts'
import { useDeleted } from './use-deleted.ts'

export interface ListedLines {
  /** All of them, in the order in which they are listed. */
  readonly lines: readonly ListedLine[]
  readonly groups: readonly LineGroup[]
  readonly isRead: boolean
  /** Only the deleted ones are read separately. */
  readonly failed: Extract<RequestState<unknown>, { state: 'failed' }>['error'] | null
  again(): void
}

export function useLines(view: View): ListedLines {
  const conversations = useWindowState((state) => state.conversations)
  const deleted = useDeleted(view === 'deleted')
  const day = useToday().getTime()
  const last = useRef<readonly ListedLine[]>([])
  const removed = view === 'deleted' && deleted.state.state === 'ready' ? deleted.state.value : null
  const groups = useMemo(() => {
    const all = view === 'deleted' ? new Map(removed?.map((one) => [one.conversation_id, one])) : conversations
    const shown = view === 'deleted' ? (removed ?? []) : [...(conversations?.values() ?? [])].filter((one) => isListed(one, view))
    last.current = linesOf(all, shown, last.current)
    return lineGroups(last.current, view, new Date(day))
  }, [conversations, removed, view, day])
  const lines = useMemo(() => groups.flatMap(({ items }) => items), [groups])
  return {
    lines,
    groups,
    isRead: view === 'deleted' ? removed !== null : conversations !== null,
    failed: view === 'deleted' && deleted.state.state === 'failed' ? deleted.state.error : null,
    again: () => void deleted.reload(),
  }
}
