// What the members of a team have spent, and whether one of them may call its model. What they have spent is in their journals; only what is
// set aside for calls in progress is kept in memory.
import { defaultTeamBudget, type TeamBudget as ShownBudget } from '@tandem/contract/team'
import type { Agents } from '../agent/agents.ts'
import { failureContract } from '../call/outcome.ts'
import type { Clock } from '../clock/clock.ts'
import { activeTime, timedStep } from '../journal/active-time.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { OverBudget, Reservation } from '../run/team.ts'
import type { Store } from '../store/store.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows, Raise } from './record/member-rows.ts'
import {
  hasLeft,
  left,
  nothing,
  plus,
  raised,
  readmitted,
  type Spending,
  spentByTeam,
  type TeamBudget,
  teamBudget,
  topUp,
} from './rule/budget.ts'
import { withAbove } from './set-aside.ts'

export interface Budgets {
  /** For a call of a model; `turns` is 0 for one that is no turn of the run. */
  reserve(run: RunRecord, tokens: number, turns?: number): Reservation | OverBudget
  /** What a member can still spend or give to another one. */
  leftFor(run_id: string): Spending
  of(root_run_id: string): ShownBudget | null
  /** Members of a team that were set aside, each after the one that started it, get back what is left of their shares. */
  readmit(root_run_id: string, run_ids: readonly string[]): void
  /**
   * A person allows more: for the run that is named, and for all above it. Named for the first run, it is for the whole team, and the shares
   * of members that are paused for it grow from now on, even if they were named.
   */
  raise(run_id: string, more: Raise): void
}

export interface BudgetPorts {
  readonly clock: Pick<Clock, 'now'>
  readonly store: Pick<Store, 'transaction'>
  readonly journal: Pick<Journal, 'run' | 'steps'>
  readonly rows: Pick<MemberRows, 'get' | 'ofTeam' | 'setShare' | 'letGrow' | 'raised' | 'raise'>
  readonly agents: Pick<Agents, 'get'>
  isSetAside(member: MemberRecord): boolean
}

export function openBudgets({ clock, store, journal, rows, agents, isSetAside }: BudgetPorts): Budgets {
  const aside = new Map<string, Set<Spending>>()

  function limitOf(root: RunRecord) {
    const { tokens, turns, seconds } = { ...defaultTeamBudget, ...agents.get(root.agent_id)?.agent.budget }
    const raised = rows.raised(root.run_id)
    return { tokens: tokens + raised.tokens, turns: turns + raised.turns, seconds: seconds + raised.seconds }
  }

  function secondsOf(root: RunRecord): number {
    // While a parent waits for its members, the team works.
    return Math.round(activeTime(journal.steps(root.run_id).map(timedStep), clock.now(), ['child']) / 1_000)
  }

  function budgetOf(root: RunRecord, members: readonly MemberRecord[]): TeamBudget {
    const { tokens, turns } = limitOf(root)
    const usedBy = (run_id: string) => ({
      run_id,
      spent: spentInRun(journal.run(run_id)),
      aside: [...(aside.get(run_id) ?? [])].reduce(plus, nothing),
    })
    const first = { ...usedBy(root.run_id), parent_run_id: null, limit: { tokens, turns }, is_fixed: true, has_ended: false }
    const others = members.map((member) => {
      const { run_id, parent_run_id, share, share_is_fixed, result } = member
      const has_ended = result !== null || isSetAside(member)
      return { ...usedBy(run_id), parent_run_id, limit: share, is_fixed: share_is_fixed, has_ended }
    })
    return teamBudget([first, ...others])
  }

  /** Where it differs from what is recorded. The limit of the first run is not a share. */
  function keepShares(before: TeamBudget, after: TeamBudget): void {
    for (const { run_id, parent_run_id, limit } of after.values())
      if (parent_run_id !== null && before.get(run_id)?.limit !== limit) rows.setShare(run_id, limit)
  }

  function teamOf(run_id: string): { readonly root: RunRecord; readonly members: readonly MemberRecord[] } | null {
    const root_run_id = rows.get(run_id)?.root_run_id ?? run_id
    const root = journal.run(root_run_id)
    return root ? { root, members: rows.ofTeam(root_run_id) } : null
  }

  function exhausted(root: RunRecord, message: string): OverBudget {
    return {
      ok: false,
      failure_contract: failureContract('cooperation', {
        source: 'budget',
        reason_code: 'budget_exhausted',
        message,
        subject: root.run_id,
        remedy: 'Raise the budget on the page of the team or with tandem team raise, and it continues.',
      }),
    }
  }

  return {
    reserve(run, tokens, turns = 1) {
      const team = teamOf(run.run_id)
      if (!team) return { ok: true, release: () => undefined }
      const { root, members } = team
      const limit = limitOf(root)
      // The time is computed from all steps, so only when it may be over.
      const mayBeLate = clock.now() - root.started_at >= limit.seconds * 1_000
      if (mayBeLate && secondsOf(root) >= limit.seconds) return exhausted(root, `the time budget of ${limit.seconds} s is used up`)
      const most = { tokens, turns }
      const before = budgetOf(root, members)
      const budget = topUp(before, run.run_id, most)
      if (!hasLeft(budget, run.run_id, most)) {
        const free = left(budget, run.run_id)
        const whose = run.run_id === root.run_id ? 'the budget' : 'its share of the budget'
        if (free.turns < turns) return exhausted(root, `all turns of ${whose} are used up`)
        return exhausted(root, `${whose} has ${free.tokens} tokens left, and the next call of the model may need ${tokens}`)
      }
      keepShares(before, budget)
      // Several calls of a run can use a model at the same time.
      const mine = aside.get(run.run_id) ?? new Set()
      aside.set(run.run_id, mine.add(most))
      return {
        ok: true,
        release() {
          mine.delete(most)
          if (mine.size === 0) aside.delete(run.run_id)
        },
      }
    },
    leftFor(run_id) {
      const team = teamOf(run_id)
      return team ? left(budgetOf(team.root, team.members), run_id) : nothing
    },
    of(root_run_id) {
      const team = teamOf(root_run_id)
      if (!team) return null
      const { tokens, turns } = spentByTeam(budgetOf(team.root, team.members))
      return { limit: limitOf(team.root), spent: { tokens, turns, seconds: secondsOf(team.root) } }
    },
    readmit(root_run_id, run_ids) {
      const team = teamOf(root_run_id)
      if (!team) return
      const before = budgetOf(team.root, team.members)
      keepShares(before, readmitted(before, run_ids))
    },
    raise(run_id, more) {
      const team = teamOf(run_id)
      if (!team) return
      const { root, members } = team
      const before = budgetOf(root, members)
      store.transaction(() => {
        keepShares(before, raised(before, run_id, more))
        rows.raise(root.run_id, more)
        if (run_id !== root.run_id) return
        for (const paused of members.filter(({ run_id: one }) => journal.run(one)?.pause_reason === 'budget'))
          for (const member of withAbove(rows, paused.run_id)) if (member.share_is_fixed) rows.letGrow(member.run_id)
      })
    },
  }
}

function spentInRun(run: RunRecord | undefined): Spending {
  return run ? { tokens: run.usage.input_tokens + run.usage.output_tokens, turns: run.turns } : nothing
}
