import { words } from '../strings/window.ts'

/** Below a list that was not read completely: shows that there is more. */
export function LoadMore({
  list: { items, next_cursor },
}: {
  list: { readonly items: readonly unknown[]; readonly next_cursor: string | null }
}) {
  return next_cursor === null ? null : <p className="mt-2 text-faint text-sm">{words.onlyFirst(items.length)}</p>
}
