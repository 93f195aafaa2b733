// Whether a run may start another member. Counted over the whole team.

export interface TeamLimits {
  readonly depth: number
  readonly at_once: number
  readonly total: number
}

export interface TeamCounts {
  /** Of the run that starts the member; 0 for the first run of the team. */
  readonly depth: number
  /** Members that have not ended. */
  readonly open: number
  /** All members that were ever started. */
  readonly started: number
}

export interface LimitProblem {
  readonly reason_code: 'team_too_deep' | 'team_too_busy' | 'team_too_large'
  readonly message: string
  readonly remedy: string
}

/** `more`: how many members are started together. */
export function limitProblem(limits: TeamLimits, counts: TeamCounts, more: number): LimitProblem | null {
  if (counts.depth + 1 > limits.depth)
    return {
      reason_code: 'team_too_deep',
      message: `a team may have ${limits.depth} ${limits.depth === 1 ? 'level' : 'levels'} of agents below its first run, and this one is at level ${counts.depth}`,
      remedy: 'Do this part yourself.',
    }
  if (counts.started + more > limits.total)
    return {
      reason_code: 'team_too_large',
      message: `a team may start ${limits.total} agents in all; ${counts.started} were started, and ${more} more would be too many`,
      remedy: 'Do the rest yourself, or ask the user to raise teams.total in the settings.',
    }
  if (counts.open + more > limits.at_once)
    return {
      reason_code: 'team_too_busy',
      message: `${limits.at_once} agents of a team may work at the same time; ${counts.open} are working, and ${more} more would be too many`,
      remedy: 'Start fewer, or wait until one has ended.',
    }
  return null
}

export interface Delegated {
  readonly run_id: string
  readonly task_sha256: string
}

/** The run above that already has the same task with the same agent: delegating it again would never end. */
export function circleOf(task_sha256: string, above: readonly Delegated[]): Delegated | null {
  return above.find((one) => one.task_sha256 === task_sha256) ?? null
}

/** What a member gets if its parent names no share: an equal part for each member that may still start, and one for the parent. */
export function usualShare(
  left: { readonly tokens: number; readonly turns: number },
  { is_awaited, free }: { readonly is_awaited: boolean; readonly free: number },
): { readonly tokens: number; readonly turns: number } {
  // A parent that waits needs little itself.
  const part = is_awaited ? 3 / 4 : 1 / (Math.max(1, free) + 1)
  return { tokens: Math.floor(left.tokens * part), turns: Math.floor(left.turns * part) }
}
