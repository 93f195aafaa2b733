// Whether a card stands open. One reducer decides, so that a card can't be told two things at once.
import { limits } from '../limits/index.ts'
import { isTerminalRunState, type RunState } from '../run/state.ts'

export type Disclosure =
  /** Open by itself; once the run has ended it closes at `collapse_at`, unless a reader holds it by hover, focus or selection. */
  | { readonly mode: 'auto_open'; readonly collapse_at: number | null; readonly held: boolean }
  | { readonly mode: 'auto_closed' }
  /** The first manual toggle takes over for good. */
  | { readonly mode: 'user_open' }
  | { readonly mode: 'user_closed' }
  | { readonly mode: 'pinned' }

export type DisclosureEvent =
  | { readonly type: 'run_state'; readonly state: RunState; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | { readonly type: 'toggle' }
  | { readonly type: 'pin' }
  | { readonly type: 'unpin'; readonly state: RunState; readonly at: number }
  | { readonly type: 'hold'; readonly held: boolean; readonly at: number }

/** How a card first appears: open while its run goes on; a thread read back after its end comes closed, without timers. */
export function initialDisclosure(state: RunState): Disclosure {
  return isTerminalRunState(state) ? { mode: 'auto_closed' } : openFor(state, 0)
}

export function isExpanded(disclosure: Disclosure): boolean {
  return disclosure.mode === 'auto_open' || disclosure.mode === 'user_open' || disclosure.mode === 'pinned'
}

export function disclose(disclosure: Disclosure, event: DisclosureEvent): Disclosure {
  switch (event.type) {
    case 'pin':
      return { mode: 'pinned' }
    case 'unpin':
      return disclosure.mode === 'pinned' ? openFor(event.state, event.at) : disclosure
    case 'toggle':
      return { mode: isExpanded(disclosure) ? 'user_closed' : 'user_open' }
    case 'run_state':
      return followRun(disclosure, event.state, event.at)
    case 'hold':
      return disclosure.mode === 'auto_open' ? hold(disclosure, event.held, event.at) : disclosure
    case 'tick':
      return isDue(disclosure, event.at) ? { mode: 'auto_closed' } : disclosure
  }
}

/** When to send the next `tick`; null when nothing is waiting for one. */
export function nextTick(disclosure: Disclosure): number | null {
  return disclosure.mode === 'auto_open' && !disclosure.held ? disclosure.collapse_at : null
}

function openFor(state: RunState, at: number): Disclosure {
  return { mode: 'auto_open', collapse_at: isTerminalRunState(state) ? at + limits.card_collapse_ms : null, held: false }
}

function followRun(disclosure: Disclosure, state: RunState, at: number): Disclosure {
  if (disclosure.mode === 'auto_closed') return isTerminalRunState(state) ? disclosure : openFor(state, at)
  if (disclosure.mode !== 'auto_open') return disclosure
  if (!isTerminalRunState(state)) return { ...disclosure, collapse_at: null }
  return { ...disclosure, collapse_at: disclosure.collapse_at ?? at + limits.card_collapse_ms }
}

/** A reader who lets go gets the full delay once more: nothing closes under a leaving pointer. */
function hold(disclosure: Extract<Disclosure, { mode: 'auto_open' }>, held: boolean, at: number): Disclosure {
  if (held || disclosure.collapse_at === null) return { ...disclosure, held }
  return { ...disclosure, held, collapse_at: Math.max(disclosure.collapse_at, at + limits.card_collapse_ms) }
}

function isDue(disclosure: Disclosure, at: number): boolean {
  return disclosure.mode === 'auto_open' && !disclosure.held && disclosure.collapse_at !== null && disclosure.collapse_at <= at
}
