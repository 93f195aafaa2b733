// A team as it is shown. The tree is drawn from the journals of its runs alone, so teams of other devices are shown the same way.
import type { LocalRun } from '@tandem/contract/command'
import { callTitle, isTerminalRunState, type RunStep } from '@tandem/contract/run'
import type { DelegationGraph, Team, TeamMember } from '@tandem/contract/team'
import type { Agents } from '../agent/agents.ts'
import type { Approvals } from '../approval/approvals.ts'
import { timestamp } from '../clock/clock.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Questions } from '../question/questions.ts'
import type { Budgets } from './budgets.ts'
import type { MemberRows } from './record/member-rows.ts'

export interface TeamViewPorts {
  readonly journal: Journal
  readonly rows: MemberRows
  readonly agents: Pick<Agents, 'get' | 'list'>
  readonly budgets: Pick<Budgets, 'of'>
  readonly approvals: Pick<Approvals, 'pending'>
  readonly questions: Pick<Questions, 'pending'>
  readonly device_id: string
}

export interface TeamView {
  /** The team that the run belongs to; null if there is no such run. A run without a team is a team of one. */
  of(run_id: string): Team | null
  graph(): DelegationGraph
}

const mostMembers = 1_000

export function openTeamView({ journal, rows, agents, budgets, approvals, questions, device_id }: TeamViewPorts): TeamView {
  /** A run and everything below it. A run that has not arrived from its device yet is left out. */
  function below(run_id: string, parent_run_id: string | null, seen: Set<string>): readonly TeamMember[] {
    const run = journal.run(run_id)
    if (!run || seen.has(run_id) || seen.size >= mostMembers) return []
    seen.add(run_id)
    return [memberOf(run, parent_run_id), ...journal.childrenOf(run_id).flatMap((child) => below(child, run_id, seen))]
  }

  function memberOf(run: RunRecord, parent_run_id: string | null): TeamMember {
    const { run_id, conversation_id, agent_id, title, state, usage, turns, started_at, ended_at, failure_contract } = run
    const row = rows.get(run_id)
    return {
      ...{ run_id, parent_run_id, conversation_id, agent_id, title, state, usage, turns, failure_contract },
      agent_name: agents.get(agent_id)?.agent.name ?? agent_id,
      role: journal.origin(run_id)?.role_text ?? null,
      pause_reason: run.pause_reason as LocalRun['pause_reason'],
      device_id: run.device_id,
      doing: isTerminalRunState(state) ? null : doing(journal.latest(run_id)),
      share: row?.share ?? null,
      workspace: row?.workspace ?? null,
      claims: [...(row?.claims ?? [])],
      pending_approvals: approvals.pending(run.no).length,
      pending_questions: questions.pending(run_id).length,
      started_at: timestamp(started_at),
      ended_at: ended_at === null ? null : timestamp(ended_at),
    }
  }

  return {
    of(run_id) {
      const root_run_id = journal.rootOf(run_id)
      const root = journal.run(root_run_id)
      if (!root) return null
      const members = [...below(root_run_id, null, new Set())].sort((one, other) => one.started_at.localeCompare(other.started_at))
      return { root_run_id, members, budget: root.device_id === device_id ? budgets.of(root_run_id) : null }
    },
    graph() {
      const all = agents.list().filter(({ agent }) => !agent.archived)
      const counts = new Map<string, { delegated: number; failed: number }>()
      for (const { from_agent_id, to_agent_id, state } of rows.delegations()) {
        const key = JSON.stringify([from_agent_id, to_agent_id])
        const { delegated, failed } = counts.get(key) ?? { delegated: 0, failed: 0 }
        counts.set(key, { delegated: delegated + 1, failed: failed + (state === 'failed' ? 1 : 0) })
      }
      for (const { agent_id, agent } of all)
        for (const to of [agent_id, ...(agent.delegates_to ?? [])]) {
          const key = JSON.stringify([agent_id, to])
          counts.set(key, counts.get(key) ?? { delegated: 0, failed: 0 })
        }
      const named = new Map(all.map(({ agent_id, agent }) => [agent_id, agent]))
      return {
        agents: all.map(({ agent_id, agent }) => ({ agent_id, name: agent.name })),
        edges: [...counts].flatMap(([key, count]) => {
          const [from_agent_id, to_agent_id] = JSON.parse(key) as [string, string]
          if (!named.has(from_agent_id) || !named.has(to_agent_id)) return []
          const allowed = from_agent_id === to_agent_id || (named.get(from_agent_id)?.delegates_to ?? []).includes(to_agent_id)
          return [{ from_agent_id, to_agent_id, allowed, ...count }]
        }),
      }
    },
  }
}

function doing(step: RunStep | undefined): string | null {
  if (step?.kind === 'tool.call') return (callTitle(step.tool, step.arguments) ?? step.tool).slice(0, 200)
  if (step?.kind === 'model.called') return 'Thinking'
  return step ? 'Writing' : null
}
