export interface Page {
  readonly from: number
  readonly limit: number
}

export interface PageOfItems<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins. */
  readonly next: number | null
}

export function pageItems<Item>(sorted: readonly Item[], { from, limit }: Page): PageOfItems<Item> {
  return { items: sorted.slice(from, from + limit), next: from + limit < sorted.length ? from + limit : null }
}
