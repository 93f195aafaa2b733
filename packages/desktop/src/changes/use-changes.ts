// The list of changed files, page by page of one comparison, and parts of their diffs.
import type { ChangedFile, CommandResult, DiffSlice, DiffSliceLine } from '@tandem/contract/command'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useNewestEventNumber } from '../client/use-request.ts'
import type { CallError } from '../connection/channel.ts'

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
  // After each call and each restore, the files may be different.
  const version = useNewestEventNumber(/^(?:checkpoint_|run_|tool_call_finished)/)
  const key = JSON.stringify(scope)
  const reload = useCallback(async () => {
    latest.current += 1
    const mine = latest.current
    setLoading(true)
    const answer = await channel.call('changes_get', { ...(JSON.parse(key) as ChangeScope), limit: pageSize, lines: true })
    if (mine !== latest.current) return
    setLoading(false)
    setError(answer.ok ? null : answer.error)
    if (answer.ok) setPages([answer.value])
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
  const key = JSON.stringify({ ...scope, path, snapshot })
  useEffect(() => {
    if (!wanted) return
    let gone = false
    void channel.call('changes_diff', { ...JSON.parse(key), limit: firstLines }).then((answer) => {
      if (gone) return
      setError(answer.ok ? null : answer.error)
      // The earlier parts stay until the new ones are here: nothing flickers while a run works.
      if (answer.ok) setParts({ snapshot, slices: [answer.value.diff] })
    })
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
  const rows = slices.flatMap((slice) => (slice.kind === 'text' ? slice.lines : []))
  return { rows, diff: last, error, more }
}
