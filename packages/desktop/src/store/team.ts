// The teams that the window has read, and which of their members is which.
import type { LocalRun } from '@tandem/contract/command'
import type { Team, TeamMember } from '@tandem/contract/team'
import type { WindowState } from './window-state.ts'

type Known = Pick<WindowState, 'teams'>

/** The team of a run; null if it has none, or if it was not read yet. */
export function teamOf({ teams }: Known, run_id: string): Team | null {
  for (const team of teams.values()) if (team.members.some((member) => member.run_id === run_id)) return team
  return null
}

export function memberOf(known: Known, run_id: string): TeamMember | null {
  return teamOf(known, run_id)?.members.find((member) => member.run_id === run_id) ?? null
}

/** The teams with a member in this conversation: a conversation can have several runs. */
export function teamsIn({ teams }: Known, conversation_id: string): readonly Team[] {
  return [...teams.values()].filter(({ members }) => members.some((member) => member.conversation_id === conversation_id))
}

/** Where a run is shown first: the conversation of the first run of its team. */
export function firstConversation(known: Known, run_id: string): string | null {
  const team = teamOf(known, run_id)
  return team?.members.find((member) => member.run_id === team.root_run_id)?.conversation_id ?? null
}

/** The runs that teams began with, newest first. */
export function firstRuns({ runs, teams }: Pick<WindowState, 'runs' | 'teams'>): readonly LocalRun[] {
  return [...runs.values()]
    .filter(({ run_id, team }) => team?.root_run_id === run_id || (teams.get(run_id)?.members.length ?? 0) > 1)
    .sort((left, right) => (left.run_id < right.run_id ? 1 : -1))
}

/** A member that did not change stays the same object, so that only changed ones are rendered again. */
export function withTeam(teams: WindowState['teams'], team: Team): WindowState['teams'] {
  const before = teams.get(team.root_run_id)
  if (before && isEqual(before, team)) return teams
  const known = new Map(before?.members.map((member) => [member.run_id, member]))
  const members = team.members.map((member) => {
    const old = known.get(member.run_id)
    return old && isEqual(old, member) ? old : member
  })
  return new Map(teams).set(team.root_run_id, { ...team, members })
}

/** Both were parsed from the same kind of JSON. */
function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
