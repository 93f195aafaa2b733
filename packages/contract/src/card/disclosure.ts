// Whether a card is expanded. One reducer decides, so that a card never gets two contradicting instructions.
import { limits } from '../limits/index.ts'
import { isTerminalRunState, type RunState } from '../run/state.ts'

/** Cards expand and collapse automatically until the user toggles one, which is permanent; a pinned card stays expanded. */
export const disclosureModes = ['auto_open', 'auto_closed', 'user_open', 'user_closed', 'pinned'] as const

export interface Disclosure {
  readonly mode: (typeof disclosureModes)[number]
  /** When a card that expanded automatically collapses; null while its run is active, and in every other mode. */
  readonly collapse_at: number | null
  /** The user hovers over it or has focus in it: it does not collapse. */
  readonly held: boolean
}

export type DisclosureEvent =
  | { readonly type: 'run_state'; readonly state: RunState; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'toggle' }
  | { readonly type: 'pin' }
  | { readonly type: 'unpin'; readonly state: RunState; readonly at: number }
  | { readonly type: 'hold'; readonly held: boolean; readonly at: number }

/** The initial state: expanded while its run is active; collapsed, without timers, if the thread is loaded after the run ended. */
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

/** When to send the next `tick`; null if no card waits for one. */
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

/** After hover or focus ends, the full delay starts again. */
function hold(card: Disclosure, held: boolean, at: number): Disclosure {
  if (held || card.collapse_at === null) return { ...card, held }
  return { ...card, held, collapse_at: Math.max(card.collapse_at, at + limits.card_collapse_ms) }
}

function isDue(card: Disclosure, at: number): boolean {
  const due = nextTick(card)
  return due !== null && due <= at
}
