// Whether each card is open. A card that is scrolled out of view keeps its state; the user's decisions survive a reload.
import { type Disclosure, type DisclosureEvent, disclose, initialDisclosure, nextTick } from '@tandem/contract/card'
import type { RunState } from '@tandem/contract/run'
import type { Clock } from '../connection/clock.ts'
import type { CardModeStore } from './card-modes.ts'

export interface Disclosures {
  subscribe(notify: () => void): () => void
  /** A number that grows with every change that subscribers are told of. */
  changes(): number
  /** For a card that was not rendered yet: its initial state. */
  get(card_id: string, state: RunState): Disclosure
  /** A card was rendered; from now on its state is tracked. */
  track(card_id: string, run_id: string, state: RunState): void
  send(card_id: string, event: DisclosureEvent): void
  /** Updates every card of the run, rendered or not. */
  setRunState(run_id: string, state: RunState): void
}

interface Followed {
  readonly run_id: string
  readonly disclosure: Disclosure
}

export function openDisclosures(clock: Clock, kept: CardModeStore): Disclosures {
  const decided = new Map(
    [...kept.read()].map(([card_id, mode]): [string, Disclosure] => [card_id, { mode, collapse_at: null, held: false }]),
  )
  const followed = new Map<string, Followed>()
  const states = new Map<string, RunState>()
  const first = new Map<RunState, Disclosure>()
  const listeners = new Set<() => void>()
  let changes = 0
  let cancelTick: () => void = () => undefined

  function change(card_id: string, event: DisclosureEvent): boolean {
    const one = followed.get(card_id)
    if (!one) return false
    const disclosure = disclose(one.disclosure, event)
    if (disclosure === one.disclosure) return false
    followed.set(card_id, { ...one, disclosure })
    return true
  }

  function told(): void {
    changes += 1
    schedule()
    for (const notify of listeners) notify()
  }

  /** One timer for all of them. */
  function schedule(): void {
    cancelTick()
    const due = [...followed.values()].map(({ disclosure }) => nextTick(disclosure)).filter((at) => at !== null)
    if (due.length === 0) return
    const soonest = due.reduce((left, right) => Math.min(left, right))
    cancelTick = clock.after(Math.max(0, soonest - clock.now()), () => {
      const at = clock.now()
      for (const card_id of [...followed.keys()]) change(card_id, { type: 'tick', at })
      told()
    })
  }

  return {
    subscribe(notify) {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    changes: () => changes,
    get(card_id, state) {
      const known = followed.get(card_id)
      if (known) return known.disclosure
      const before = decided.get(card_id)
      if (before) return before
      const fresh = first.get(state) ?? initialDisclosure(state)
      first.set(state, fresh)
      return fresh
    },
    track(card_id, run_id, state) {
      if (followed.has(card_id)) return
      followed.set(card_id, { run_id, disclosure: decided.get(card_id) ?? initialDisclosure(state) })
      // The run may have changed since the card was rendered.
      const now = states.get(run_id) ?? state
      if (now !== state && change(card_id, { type: 'run_state', state: now, at: clock.now() })) told()
    },
    send(card_id, event) {
      if (!change(card_id, event)) return
      const mode = followed.get(card_id)?.disclosure.mode
      if (event.type === 'pin' || event.type === 'toggle') kept.save(card_id, mode ?? null)
      if (event.type === 'unpin') kept.save(card_id, null)
      told()
    },
    setRunState(run_id, state) {
      states.set(run_id, state)
      const at = clock.now()
      const cards = [...followed].filter(([, one]) => one.run_id === run_id)
      const changes = cards.filter(([card_id]) => change(card_id, { type: 'run_state', state, at }))
      if (changes.length > 0) told()
    },
  }
}
