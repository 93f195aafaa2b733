// Which conversations wait for the user, and in which an agent works: computed once for all of them. Pure.

import { firstConversation } from './team.ts'
import type { WindowState } from './window-state.ts'

export type Standing = 'waiting' | 'running'
export type Standings = ReadonlyMap<string, Standing>
type Known = Pick<WindowState, 'runs' | 'approvals' | 'questions' | 'teams'>

let last: { readonly known: Known; readonly standings: Standings } | null = null

/** By conversation. The same map until one of the parts that it depends on changes: streamed text changes none of them. */
export function standingsOf(state: Known): Standings {
  const isSame =
    last &&
    last.known.runs === state.runs &&
    last.known.approvals === state.approvals &&
    last.known.questions === state.questions &&
    last.known.teams === state.teams
  if (!last || !isSame) last = { known: state, standings: computed(state) }
  return last.standings
}

/** Of a conversation and its branches: waiting for the user takes precedence over running. */
export function standingIn(standings: Standings, family: readonly { readonly conversation_id: string }[]): Standing | null {
  let found: Standing | null = null
  for (const { conversation_id } of family) {
    const one = standings.get(conversation_id)
    if (one === 'waiting') return one
    found ??= one ?? null
  }
  return found
}

function computed(state: Known): Standings {
  const standings = new Map<string, Standing>()
  for (const run of state.runs.values()) if (run.state === 'running') standings.set(run.conversation_id, 'running')
  for (const { run_id } of [...state.approvals, ...state.questions]) {
    const here = state.runs.get(run_id)?.conversation_id
    // What a member of a team needs is shown in the first conversation of the team, too.
    const first = firstConversation(state, run_id)
    for (const place of [here, first]) if (place) standings.set(place, 'waiting')
  }
  return standings
}
