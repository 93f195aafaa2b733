// Workflows and their runs, as commands and tools show them.
import type { ListedWorkflow, ListedWorkflowRun, WorkflowRunNode, WorkflowSchedule, WorkflowSnapshot } from '@tandem/contract/command'
import { type WorkflowNodeRecord, type WorkflowRunRecord, workflowNodeStates } from '@tandem/contract/workflow-run'
import { timestamp } from '../clock/clock.ts'
import type { Journal } from '../journal/journal.ts'
import type { ScheduleRecord, ScheduleRecords } from './record/schedule-records.ts'
import type { WorkflowRecord, WorkflowRecords } from './record/workflow-records.ts'
import type { WorkflowRunRow, WorkflowRunRows } from './record/workflow-run-rows.ts'
import { tokensOf, type WorkflowUsage } from './usage.ts'
import { definitionOf, workflowResult } from './workflow-result.ts'

export interface ListPorts {
  readonly journal: Pick<Journal, 'run' | 'waits'>
  readonly records: WorkflowRecords
  readonly rows: WorkflowRunRows
  readonly schedules: ScheduleRecords
}

export function listedWorkflow(
  { workflow_id, name, description, version, sha256, definition, cloud_state, draft_of, updated_at }: WorkflowRecord,
  { records, rows, schedules, journal }: ListPorts,
): ListedWorkflow {
  const [next] = schedules.list(workflow_id).filter(({ is_enabled, next_at }) => is_enabled && next_at !== null)
  const [last] = rows.list({ workflow_id, limit: 1 })
  return {
    ...{ workflow_id, name, version, sha256, cloud_state },
    ...(description === undefined ? {} : { description }),
    ...(draft_of === null ? {} : { draft_of }),
    node_count: definition.nodes.length,
    is_approved: records.isApproved(sha256),
    covers_calls: records.coversCalls(sha256),
    updated_at: timestamp(updated_at),
    next_start: timeOf(next?.next_at ?? null),
    last_run: last
      ? {
          ...{ workflow_run_id: last.workflow_run_id, run_id: last.run_id, state: last.state },
          ...{ needs_user: needsUser(journal, last.run_id), started_at: timestamp(last.started_at) },
        }
      : null,
  }
}

function timeOf(at: number | null): string | null {
  return at === null ? null : timestamp(at)
}

export function shownSchedule({ next_at, last_at, ...schedule }: ScheduleRecord): WorkflowSchedule {
  return { ...schedule, next_at: timeOf(next_at), last_at: timeOf(last_at) }
}

export function listedRun(row: WorkflowRunRow, { journal }: Pick<ListPorts, 'journal'>): ListedWorkflowRun {
  const { workflow_run_id, workflow_id, name, run_id, state, reason, started_at, ended_at } = row
  const times = { started_at: timestamp(started_at), ended_at: timeOf(ended_at) }
  const needs_user = needsUser(journal, run_id)
  return { workflow_run_id, workflow_id, name, run_id, state, reason, needs_user, ...times }
}

/** `run_id`: of the run that carries it. */
function needsUser(journal: ListPorts['journal'], run_id: string): boolean {
  const run = journal.run(run_id)
  return run !== undefined && journal.waits.open(run.no).some((wait) => isForUser(wait.for))
}

function isForUser(subject: string | null): boolean {
  return subject === 'approval' || subject === 'question' || subject === 'person'
}

export function shownNode(node: WorkflowNodeRecord, tokens: number | null): WorkflowRunNode {
  const { node_id, iteration, state, outcome, attempt, waits_for, until, reason, failure, call_id, child_run_id, started_at, ended_at } =
    node
  return {
    ...{ node_id, iteration: [...iteration], state, outcome, attempt, waits_for, until, reason },
    ...{ failure_contract: failure, call_id, child_run_id, started_at, ended_at, tokens },
  }
}

/** More would delay a window that shows a loop over thousands of items. */
const mostNodes = 500

export function shownSnapshot(journal: Journal, run: WorkflowRunRecord, usage: WorkflowUsage): WorkflowSnapshot {
  const all = [...run.nodes.values()]
  const first = all.filter(isShownFirst)
  const rest = all.filter((node) => !isShownFirst(node))
  const nodes = [...first, ...rest.slice(Math.max(0, rest.length + first.length - mostNodes))].slice(0, mostNodes)
  const { workflow_run_id, workflow_id, name, run_id, device_id, owner_agent_id, inputs, definition_sha256 } = run
  const { state, reason, started_at, ended_at, last_seq } = run
  return {
    ...{ workflow_run_id, workflow_id, name, run_id, device_id, owner_agent_id, inputs, definition_sha256 },
    ...{ state, reason, started_at, ended_at, last_seq },
    definition: definitionOf(journal, run),
    counts: countsOf(all),
    needs_user: all.some(({ waits_for }) => isForUser(waits_for)),
    nodes: nodes.map((node) => shownNode(node, usage.ofNode(node))),
    nodes_left_out: all.length - nodes.length,
    tokens: tokensOf(usage.ofRun(run)),
    result: state === 'completed' ? JSON.stringify(workflowResult(journal, run)) : null,
  }
}

function isShownFirst({ iteration, state }: WorkflowNodeRecord): boolean {
  return iteration.length === 0 || state === 'running' || state === 'waiting' || state === 'failed'
}

function countsOf(nodes: readonly WorkflowNodeRecord[]): WorkflowSnapshot['counts'] {
  const counts = Object.fromEntries(workflowNodeStates.map((state) => [state, 0])) as WorkflowSnapshot['counts']
  for (const { state } of nodes) counts[state] += 1
  return counts
}
