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
  /** By itself, and by members that it started and that have ended. */
  readonly spent: Spending
  /** For the call of the model that is being made. */
  readonly aside: Spending
  readonly has_ended: boolean
}

export type TeamBudget = ReadonlyMap<string, MemberBudget>

const nothing: Spending = { tokens: 0, turns: 0 }

export function openTeam(run_id: string, limit: Spending): TeamBudget {
  return new Map([[run_id, { run_id, parent_run_id: null, limit, spent: nothing, aside: nothing, has_ended: false }]])
}

/** What a member can still spend or give away. Never more than any member above it was given. */
export function left(team: TeamBudget, run_id: string): Spending {
  const member = known(team, run_id)
  const given = childrenOf(team, run_id).reduce((sum, { limit, has_ended }) => (has_ended ? sum : plus(sum, limit)), nothing)
  return atLeastNothing(minus(minus(minus(member.limit, member.spent), member.aside), given))
}

/** Null if the share is more than the parent has left. */
export function startMember(team: TeamBudget, run_id: string, parent_run_id: string, share: Spending): TeamBudget | null {
  if (team.has(run_id)) throw new Error(`${run_id} is already a member of the team`)
  if (known(team, parent_run_id).has_ended || !covers(left(team, parent_run_id), share)) return null
  return changed(team, { run_id, parent_run_id, limit: share, spent: nothing, aside: nothing, has_ended: false })
}

/** Sets aside what a call of the model can cost at most; null if the member has less left. */
export function setAside(team: TeamBudget, run_id: string, most: Spending): TeamBudget | null {
  const member = known(team, run_id)
  if (member.has_ended || !covers(left(team, run_id), most)) return null
  return changed(team, { ...member, aside: plus(member.aside, most) })
}

/** The call has ended. What it has cost counts, even if it was more than expected. */
export function spend(team: TeamBudget, run_id: string, most: Spending, cost: Spending): TeamBudget {
  const member = known(team, run_id)
  return changed(team, { ...member, aside: atLeastNothing(minus(member.aside, most)), spent: plus(member.spent, cost) })
}

/** Its parent gets back what it has not spent. A member ends after those that it started. */
export function endMember(team: TeamBudget, run_id: string): TeamBudget {
  const member = known(team, run_id)
  if (member.has_ended) return team
  if (childrenOf(team, run_id).some(({ has_ended }) => !has_ended)) throw new Error(`members that ${run_id} started have not ended`)
  const ended = changed(team, { ...member, aside: nothing, has_ended: true })
  const parent = member.parent_run_id === null ? undefined : known(ended, member.parent_run_id)
  return parent ? changed(ended, { ...parent, spent: plus(parent.spent, member.spent) }) : ended
}

/** A person gives the team more. Everyone on the way to this member may spend it. */
export function raise(team: TeamBudget, run_id: string, more: Spending): TeamBudget {
  let raised = team
  for (let at: string | null = run_id; at !== null; ) {
    const member: MemberBudget = known(raised, at)
    raised = changed(raised, { ...member, limit: plus(member.limit, more) })
    at = member.parent_run_id
  }
  return raised
}

/** By all members together. */
export function spentByTeam(team: TeamBudget): Spending {
  return [...team.values()].reduce((sum, { spent, has_ended, parent_run_id }) => {
    // What an ended member has spent is part of what its parent has spent.
    return has_ended && parent_run_id !== null ? sum : plus(sum, spent)
  }, nothing)
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

function plus(left: Spending, right: Spending): Spending {
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
