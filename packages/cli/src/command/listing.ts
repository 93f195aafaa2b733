// Prints the pages of a list.
import type { CommandAnswer } from '../runtime-client/runtime-client.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'

interface Paging {
  readonly limit: number
  readonly cursor?: string
}

type Page<Item> = CommandAnswer<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>

interface Listing<Item> {
  readonly limit: number
  readonly json: boolean
  /** Printed if there are no items. */
  readonly none: string
  page(paging: Paging): Promise<Page<Item>>
  rows(items: readonly Item[]): Promise<readonly (readonly string[])[]>
}

/** Pages of a list up to a limit; if there are more items, a hint says so. */
export async function listed<Item>({ limit, json, none, page, rows }: Listing<Item>): Promise<number> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const next: Page<Item> = await page({ limit: Math.min(200, limit - items.length), ...(cursor === null ? {} : { cursor }) })
    if (!next.ok) return refused(next.error)
    items.push(...next.value.items)
    cursor = next.value.next_cursor
  } while (cursor !== null && items.length < limit)
  if (json) for (const item of items) console.log(JSON.stringify(item))
  else console.log(items.length === 0 ? none : table(await rows(items)))
  if (cursor !== null) console.error('There are more. To list them, raise --limit.')
  return 0
}
