// What a team may spend, counted over its whole tree. A member gets a share from its parent when it starts, and returns what is left when it
// ends. Before each call of a model, the most that it can cost is set aside, so that members which run at the same time cannot spend the same
// tokens twice.

export interface Spending {
  readonly tokens: number
  readonly turns: number
}

export interface MemberBudget {
  readonly run_id: string
  readonly parent_run_id: string | null
  readonly limit: Spending
  /** The run that started it named the most it may spend: it never gets more by itself. */
  readonly is_fixed: boolean
  /** By itself. */
  readonly spent: Spending
  /** For the call of the model that is being made. */
  readonly aside: Spending
  readonly has_ended: boolean
}

export type TeamBudget = ReadonlyMap<string, MemberBudget>

export const nothing: Spending = { tokens: 0, turns: 0 }

export function teamBudget(members: readonly MemberBudget[]): TeamBudget {
  return new Map(members.map((member) => [member.run_id, member]))
}

/** What a member can still spend or give away. What a member that has ended did not spend is its parent's again. */
export function left(team: TeamBudget, run_id: string): Spending {
  const { limit, spent, aside } = known(team, run_id)
  const given = childrenOf(team, run_id).map((child) => (child.has_ended ? spentBelow(team, child) : child.limit))
  return atLeastNothing([spent, aside, ...given].reduce(minus, limit))
}

/**
 * Gives a member what it needs from what those above it have left, as far as they have it: a share is what a member is sure to get, not the
 * most it may spend. A share that was named is. The team as a whole gets nothing.
 */
export function topUp(team: TeamBudget, run_id: string, needed: Spending): TeamBudget {
  const member = known(team, run_id)
  const missing = atLeastNothing(minus(needed, left(team, run_id)))
  if (member.parent_run_id === null || member.is_fixed || covers(nothing, missing)) return team
  const above = topUp(team, member.parent_run_id, missing)
  const there = left(above, member.parent_run_id)
  const more = { tokens: Math.min(missing.tokens, there.tokens), turns: Math.min(missing.turns, there.turns) }
  return changed(above, { ...member, limit: plus(member.limit, more) })
}

/** Whether a member can still spend this much. */
export function hasLeft(team: TeamBudget, run_id: string, most: Spending): boolean {
  return !known(team, run_id).has_ended && covers(left(team, run_id), most)
}

/** A person gives a member more: everyone above it has to give it, so the whole way to it gets as much. */
export function raised(team: TeamBudget, run_id: string, more: Spending): TeamBudget {
  const member = known(team, run_id)
  const above = member.parent_run_id === null ? team : raised(team, member.parent_run_id, more)
  return changed(above, { ...member, limit: plus(member.limit, more) })
}

/**
 * Members that counted as ended, each after the one that started it, spend again: each gets its share back as far as it is still there.
 */
export function readmitted(team: TeamBudget, run_ids: readonly string[]): TeamBudget {
  return run_ids.reduce((now, run_id) => {
    const member = known(now, run_id)
    if (member.parent_run_id === null) return now
    const most = plus(spentBelow(now, member), left(now, member.parent_run_id))
    const limit = { tokens: Math.min(member.limit.tokens, most.tokens), turns: Math.min(member.limit.turns, most.turns) }
    return changed(now, { ...member, limit, has_ended: false })
  }, team)
}

/** By all members together. */
export function spentByTeam(team: TeamBudget): Spending {
  return [...team.values()].map(({ spent }) => spent).reduce(plus, nothing)
}

/** By a member and everything that it started. */
function spentBelow(team: TeamBudget, { run_id, spent }: MemberBudget): Spending {
  return childrenOf(team, run_id)
    .map((child) => spentBelow(team, child))
    .reduce(plus, spent)
}

function known(team: TeamBudget, run_id: string): MemberBudget {
  const member = team.get(run_id)
  if (!member) throw new Error(`${run_id} is not a member of the team`)
  return member
}

function childrenOf(team: TeamBudget, run_id: string): readonly MemberBudget[] {
  return [...team.values()].filter(({ parent_run_id }) => parent_run_id === run_id)
}

function changed(team: TeamBudget, member: MemberBudget): TeamBudget {
  return new Map(team).set(member.run_id, member)
}

export function plus(left: Spending, right: Spending): Spending {
  return { tokens: left.tokens + right.tokens, turns: left.turns + right.turns }
}

function minus(left: Spending, right: Spending): Spending {
  return { tokens: left.tokens - right.tokens, turns: left.turns - right.turns }
}

function atLeastNothing({ tokens, turns }: Spending): Spending {
  return { tokens: Math.max(0, tokens), turns: Math.max(0, turns) }
}

function covers(has: Spending, wanted: Spending): boolean {
  return has.tokens >= wanted.tokens && has.turns >= wanted.turns
}
