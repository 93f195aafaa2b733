// Which conversations of the list are selected, as in a file manager: Ctrl or ⌘ adds one, Shift selects up to one. Pure.

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** Where a range begins. */
  readonly anchor: string | null
}

export const noSelection: Selection = { ids: new Set(), anchor: null }

export function toggled({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next.size === 0 ? noSelection : { ids: next, anchor: id }
}

/** From the anchor to this one, in the order of the list. Without an anchor, only this one. */
export function extendedTo({ anchor }: Selection, id: string, order: readonly string[]): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)]
  if (to === -1) return noSelection
  if (from === -1) return { ids: new Set([id]), anchor: id }
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), anchor: anchor ?? id }
}

/** What is no longer listed is no longer selected: an action must not apply to what the user does not see. */
export function listed(selection: Selection, order: readonly string[]): Selection {
  const shown = new Set(order)
  if ([...selection.ids].every((id) => shown.has(id))) return selection
  const ids = new Set([...selection.ids].filter((id) => shown.has(id)))
  return ids.size === 0 ? noSelection : { ids, anchor: selection.anchor !== null && shown.has(selection.anchor) ? selection.anchor : null }
}
