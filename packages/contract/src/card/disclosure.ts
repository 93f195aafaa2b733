// Whether a card stands open. One reducer decides, so that a card can't be told two things at once.
import { limits } from '../limits/index.ts'
import { isTerminalRunState, type RunState } from '../run/state.ts'

/** Cards open and close by themselves until a person toggles one, which holds for good; a pinned card stays open. */
export const disclosureModes = ['auto_open', 'auto_closed', 'user_open', 'user_closed', 'pinned'] as const

export interface Disclosure {
  readonly mode: (typeof disclosureModes)[number]
  /** When a card that is open by itself closes; null while its run goes on, and in every other mode. */
  readonly collapse_at: number | null
  /** A reader is on it, by hover or focus: nothing closes under them. */
  readonly held: boolean
}

export type DisclosureEvent =
  | { readonly type: 'run_state'; readonly state: RunState; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'toggle' }
  | { readonly type: 'pin' }
  | { readonly type: 'unpin'; readonly state: RunState; readonly at: number }
  | { readonly type: 'hold'; readonly held: boolean; readonly at: number }

/** How a card first appears: open while its run goes on; a thread read back after its end comes closed, without timers. */
export function initialDisclosure(state: RunState): Disclosure {
  return { mode: isTerminalRunState(state) ? 'auto_closed' : 'auto_open', collapse_at: null, held: false }
}

export function isExpanded({ mode }: Disclosure): boolean {
  return mode === 'auto_open' || mode === 'user_open' || mode === 'pinned'
}

export function disclose(card: Disclosure, event: DisclosureEvent): Disclosure {
  switch (event.type) {
    case 'pin':
      return { ...card, mode: 'pinned', collapse_at: null }
    case 'unpin':
      return card.mode === 'pinned' ? openFor(card, event.state, event.at) : card
    case 'toggle':
      return { ...card, mode: isExpanded(card) ? 'user_closed' : 'user_open', collapse_at: null }
    case 'run_state':
      return followRun(card, event.state, event.at)
    case 'hold':
      return hold(card, event.held, event.at)
    case 'tick':
      return isDue(card, event.at) ? { ...card, mode: 'auto_closed', collapse_at: null } : card
  }
}

/** When to send the next `tick`; null when nothing is waiting for one. */
export function nextTick(card: Disclosure): number | null {
  return card.held ? null : card.collapse_at
}

function openFor(card: Disclosure, state: RunState, at: number): Disclosure {
  return { ...card, mode: 'auto_open', collapse_at: isTerminalRunState(state) ? at + limits.card_collapse_ms : null }
}

function followRun(card: Disclosure, state: RunState, at: number): Disclosure {
  if (card.mode === 'auto_closed') return isTerminalRunState(state) ? card : openFor(card, state, at)
  if (card.mode !== 'auto_open') return card
  return isTerminalRunState(state) && card.collapse_at !== null ? card : openFor(card, state, at)
}

/** A reader who lets go gets the full delay once more. */
function hold(card: Disclosure, held: boolean, at: number): Disclosure {
  if (held || card.collapse_at === null) return { ...card, held }
  return { ...card, held, collapse_at: Math.max(card.collapse_at, at + limits.card_collapse_ms) }
}

function isDue(card: Disclosure, at: number): boolean {
  const due = nextTick(card)
  return due !== null && due <= at
}
