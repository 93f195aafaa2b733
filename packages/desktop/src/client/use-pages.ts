// The first pages of a list, and more on request.
import type { CommandParams } from '@tandem/contract/command'
import { useState } from 'react'
import { type ItemOf, type ListName, readFirst } from './pages.ts'
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
  const reading = useRequest(key, () => readFirst(channel, name, params, { size, count: pages * size }), { version: `${pages} ${version}` })
  return { ...reading, more: () => setWanted({ key, pages: pages + 1 }) }
}
