// The folders that the picker lists while a path is typed, and the recent ones.
import type { CommandResult } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import type { CallError } from '../connection/channel.ts'
import { parseTypedPath } from './typed-path.ts'

const pause_ms = 80
const pageSize = 100

type Listed = CommandResult<'workspace_browse'>

export interface FolderList {
  readonly listed: Listed | null
  /** Why the folder of the typed path cannot be listed. */
  readonly error: CallError | null
  more(): void
}

export function useFolderList(typed: string, hidden: boolean): FolderList {
  const { channel, clock } = useRuntimeClient()
  const [listed, setListed] = useState<Listed | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  const { folder, starts_with } = parseTypedPath(typed)
  const params = { path: folder, starts_with, hidden, limit: pageSize }
  const key = JSON.stringify(params)
  useEffect(() => {
    let gone = false
    const cancel = clock.after(pause_ms, async () => {
      const answer = await channel.call('workspace_browse', JSON.parse(key))
      if (gone) return
      setListed(answer.ok ? answer.value : null)
      setError(answer.ok ? null : answer.error)
    })
    return () => {
      gone = true
      cancel()
    }
  }, [channel, clock, key])
  const more = async () => {
    if (!listed?.next_cursor) return
    const answer = await channel.call('workspace_browse', { ...params, cursor: listed.next_cursor })
    if (answer.ok) setListed({ ...answer.value, items: [...listed.items, ...answer.value.items] })
  }
  return { listed, error, more: () => void more() }
}

/** Null until they are read. */
export function useRecentFolders(version = 0): CommandResult<'workspace_recent'> | null {
  const { state } = useCommand('workspace_recent', {}, { version })
  return state.state === 'ready' ? state.value : null
}
