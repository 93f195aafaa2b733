import type { Conversation } from '@tandem/contract/command'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { type ReadRequest, useNewestEventNumber, useRequest } from '../client/use-request.ts'

/** The deleted conversations: read while they are shown, and again when one was deleted or restored. */
export function useDeleted(isShown: boolean): ReadRequest<readonly Conversation[]> {
  const { channel } = useRuntimeClient()
  const version = useNewestEventNumber(/^(?:conversation_changed|sync_changes_arrived)$/)
  return useRequest(
    `deleted ${isShown}`,
    async () => {
      if (!isShown) return { ok: true, value: [] }
      const read = await readAll(channel, 'conversation_list', { deleted: true })
      return read.ok ? { ok: true, value: read.value.items } : read
    },
    { version },
  )
}
