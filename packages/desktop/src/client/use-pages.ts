// The first pages of a list, and more on request.
import type { CommandParams, CommandResult } from '@tandem/contract/command'
import { useState } from 'react'
import type { CallResult } from '../connection/channel.ts'
import type { ItemOf, ListName } from './pages.ts'
import { useRuntimeClient } from './use-client.ts'
import { type ReadRequest, useRequest } from './use-request.ts'

export interface ReadPages<Item> extends ReadRequest<{ readonly items: readonly Item[]; readonly hasMore: boolean }> {
  more(): void
}

/** All pages that are shown are read again when `version` changes. */
export function usePages<Name extends ListName>(
  name: Name,
  params: CommandParams<Name>,
  { size, version = 0 }: { readonly size: number; readonly version?: number | string },
): ReadPages<ItemOf<Name>> {
  const { channel } = useRuntimeClient()
  const key = `${name} ${JSON.stringify(params)}`
  const [wanted, setWanted] = useState({ key, pages: 1 })
  const pages = wanted.key === key ? wanted.pages : 1
  const reading = useRequest(
    key,
    async (): Promise<CallResult<{ items: readonly ItemOf<Name>[]; hasMore: boolean }>> => {
      const items: ItemOf<Name>[] = []
      let cursor: string | null = null
      for (let page = 0; page < pages; page += 1) {
        const answer: CallResult<CommandResult<Name>> = await channel.call(name, {
          ...params,
          limit: size,
          ...(cursor === null ? {} : { cursor }),
        } as CommandParams<Name>)
        if (!answer.ok) return answer
        const read = answer.value as { items: ItemOf<Name>[]; next_cursor: string | null }
        items.push(...read.items)
        cursor = read.next_cursor
        if (cursor === null) break
      }
      return { ok: true, value: { items, hasMore: cursor !== null } }
    },
    { version: `${pages} ${version}` },
  )
  return { ...reading, more: () => setWanted({ key, pages: pages + 1 }) }
}
