// Which card is held open, and in which ways: from the first way until the last one ends.

export type Way = 'pointer' | 'focus' | 'selection'

export interface CardHolds {
  /** The card that is held in this way. */
  at(way: Way): string | null
  set(way: Way, card_id: string | null): void
  /** Cards that are not shown are released. */
  keepOnly(isShown: (card_id: string) => boolean): void
}

export function openCardHolds(onChange: (card_id: string, held: boolean) => void): CardHolds {
  const at: Record<Way, string | null> = { pointer: null, focus: null, selection: null }
  const isHeld = (card_id: string) => at.pointer === card_id || at.focus === card_id || at.selection === card_id
  function set(way: Way, card_id: string | null): void {
    const before = at[way]
    if (before === card_id) return
    const wasHeld = card_id !== null && isHeld(card_id)
    at[way] = card_id
    if (before !== null && !isHeld(before)) onChange(before, false)
    if (card_id !== null && !wasHeld) onChange(card_id, true)
  }
  return {
    at: (way) => at[way],
    set,
    keepOnly(isShown) {
      for (const way of ['pointer', 'focus', 'selection'] as const) {
        const held = at[way]
        if (held !== null && !isShown(held)) set(way, null)
      }
    },
  }
}
