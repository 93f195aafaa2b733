// The list of changed files, page by page of one comparison, and parts of their diffs.
import type { ChangedFile, CommandResult, DiffSlice, DiffSliceLine } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import type { CallError } from '../connection/channel.ts'
import { newestChange } from './newest-change.ts'

export interface ChangeScope {
  readonly conversation_id: string
  readonly run_id?: string
}

type Page = CommandResult<'changes_get'>

export interface Changes {
  /** The first page, with the counts of all files; null until it is read. */
  readonly first: Page | null
  readonly files: readonly ChangedFile[]
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly error: CallError | null
  more(): Promise<void>
  reload(): Promise<void>
}

const pageSize = 100

export function useChanges(scope: ChangeScope): Changes {
  const { channel } = useRuntimeClient()
  const [pages, setPages] = useState<readonly Page[]>([])
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<CallError | null>(null)
  const latest = useRef(0)
  const shown = useRef(0)
  shown.current = pages.length
  // After each call and each restore, the files may be different.
  const version = useWindowState((state) => newestChange(state, scope.conversation_id))
  const key = JSON.stringify(scope)
  const reload = useCallback(async () => {
    latest.current += 1
    const mine = latest.current
    setLoading(true)
    const wanted = Math.max(shown.current, 1)
    const found: Page[] = []
    let failed: CallError | null = null
    let next: (Pick<Page, 'snapshot'> & { readonly cursor: string }) | undefined
    // As many pages as are shown now, all of one comparison.
    do {
      const answer = await channel.call('changes_get', { ...(JSON.parse(key) as ChangeScope), limit: pageSize, lines: true, ...next })
      if (mine !== latest.current) return
      if (!answer.ok) failed = answer.error
      else found.push(answer.value)
      const { next_cursor: cursor = null, snapshot = '' } = answer.ok ? answer.value : {}
      next = cursor === null ? undefined : { cursor, snapshot }
    } while (next && found.length < wanted)
    setLoading(false)
    setError(failed)
    if (!failed) setPages(found)
  }, [channel, key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: an event repeats the comparison.
  useEffect(() => {
    void reload()
  }, [reload, version])
  const last = pages.at(-1)
  const more = async () => {
    if (!last?.next_cursor || isLoading) return
    const mine = latest.current
    setLoading(true)
    const { next_cursor: cursor, snapshot } = last
    const answer = await channel.call('changes_get', { ...scope, limit: pageSize, lines: true, cursor, snapshot })
    setLoading(false)
    if (answer.ok && mine === latest.current) setPages((known) => [...known, answer.value])
  }
  return {
    first: pages[0] ?? null,
    files: pages.flatMap(({ items }) => items),
    hasMore: last?.next_cursor != null,
    isLoading,
    error,
    more,
    reload,
  }
}

export interface LoadedDiff {
  readonly rows: readonly DiffSliceLine[]
  /** The last part: the totals, or why there is no diff. Null until it is read. */
  readonly diff: DiffSlice | null
  readonly error: CallError | null
  more(): Promise<void>
}

const firstLines = 200

/** Read when `wanted`: a diff that is folded or not on the screen costs nothing. */
export function useDiff(scope: ChangeScope, path: string, snapshot: string, wanted: boolean): LoadedDiff {
  const { channel } = useRuntimeClient()
  const [parts, setParts] = useState<{ readonly snapshot: string; readonly slices: readonly DiffSlice[] }>({ snapshot, slices: [] })
  const [error, setError] = useState<CallError | null>(null)
  const slices = parts.slices
  /** How many lines are shown: after a new comparison, too. */
  const shown = useRef(0)
  shown.current = linesOf(slices).length
  const key = JSON.stringify({ ...scope, path, snapshot })
  useEffect(() => {
    if (!wanted) return
    let gone = false
    void readSlices()
    // The earlier parts stay until the new ones are here: nothing flickers while a run works.
    async function readSlices(): Promise<void> {
      const found: DiffSlice[] = []
      let from: number | null = 0
      while (from !== null && (from === 0 || linesOf(found).length < shown.current)) {
        const part: { from?: number; limit?: number } = from === 0 ? { limit: firstLines } : { from }
        const answer = await channel.call('changes_diff', { ...JSON.parse(key), ...part })
        if (gone) return
        setError(answer.ok ? null : answer.error)
        if (!answer.ok) return
        found.push(answer.value.diff)
        from = answer.value.diff.kind === 'text' ? answer.value.diff.next : null
      }
      setParts({ snapshot, slices: found })
    }
    return () => {
      gone = true
    }
  }, [channel, key, wanted, snapshot])
  const last = slices.at(-1) ?? null
  const more = async () => {
    if (last?.kind !== 'text' || last.next === null) return
    const answer = await channel.call('changes_diff', { ...scope, path, snapshot: parts.snapshot, from: last.next })
    if (answer.ok) setParts((known) => ({ ...known, slices: [...known.slices, answer.value.diff] }))
  }
  return { rows: linesOf(slices), diff: last, error, more }
}

function linesOf(slices: readonly DiffSlice[]): readonly DiffSliceLine[] {
  return slices.flatMap((slice) => (slice.kind === 'text' ? slice.lines : []))
}
