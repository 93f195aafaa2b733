// The user's decisions about single cards, stored in this browser: pins and toggles survive a reload.
import { type Disclosure, disclosureModes } from '@tandem/contract/card'

type Mode = Disclosure['mode']

export interface CardModeStore {
  read(): ReadonlyMap<string, Mode>
  /** Null removes the decision. */
  save(card_id: string, mode: Mode | null): void
}

/** The newest decisions; older ones are dropped. */
export const maxStoredModes = 500
const key = 'tandem.cards'

export function openCardModeStore(storage: () => Pick<Storage, 'getItem' | 'setItem'>): CardModeStore {
  function read(): Map<string, Mode> {
    try {
      return modesIn(JSON.parse(storage().getItem(key) ?? '[]'))
    } catch (error) {
      console.warn('the cards that were pinned or toggled cannot be read', error)
      return new Map()
    }
  }
  return {
    read,
    save(card_id, mode) {
      // Read again: another window may have stored something since.
      const modes = read()
      if (!modes.delete(card_id) && mode === null) return
      if (mode !== null) modes.set(card_id, mode)
      try {
        storage().setItem(key, JSON.stringify([...modes].slice(-maxStoredModes)))
      } catch (error) {
        console.warn('a pinned or toggled card cannot be saved', error)
      }
    },
  }
}

function modesIn(kept: unknown): Map<string, Mode> {
  const modes = new Map<string, Mode>()
  for (const entry of Array.isArray(kept) ? kept : []) {
    const [card_id, mode] = Array.isArray(entry) ? entry : []
    const known = disclosureModes.find((one) => one === mode)
    if (typeof card_id === 'string' && known) modes.set(card_id, known)
  }
  return modes
}
