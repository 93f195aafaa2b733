// The state of a workflow run is the fold of its events: the same on the device that runs it, on every other device, and after a restart.
import type { FailureContract } from '../failure/index.ts'
import { transition } from '../transition/index.ts'
import type { WorkflowOutcome } from '../workflow/definition.ts'
import type { WorkflowRunEvent } from './schema.ts'
import {
  isTerminalWorkflowState,
  type WorkflowNodeState,
  type WorkflowNodeTrigger,
  type WorkflowRunState,
  type WorkflowRunTrigger,
  type WorkflowWait,
  workflowNodeTransitions,
  workflowRunTransitions,
} from './state.ts'

/** A node in one round of the loops that it is in. */
export interface WorkflowNodeRecord {
  readonly node_id: string
  readonly iteration: readonly number[]
  readonly state: WorkflowNodeState
  /** How it ended; null until then. */
  readonly outcome: WorkflowOutcome | null
  readonly attempt: number
  /** JSON text; null if it has none, or it is with the call or in the file. */
  readonly output: string | null
  readonly output_file_id: string | null
  /** The call is a step of this run. */
  readonly run_id: string | null
  readonly call_id: string | null
  readonly child_run_id: string | null
  readonly waits_for: WorkflowWait | null
  readonly until: string | null
  /** Why it waits or was skipped. */
  readonly reason: string | null
  readonly failure: FailureContract | null
  readonly started_at: string | null
  /** The number of the event that started it. */
  readonly started_seq: number | null
  readonly ended_at: string | null
  /** The number of the event that ended it, for the order in which effects are taken back. */
  readonly ended_seq: number | null
}

export interface WorkflowRunRecord {
  readonly workflow_run_id: string
  readonly workflow_id: string
  /** The run whose steps its calls are now. */
  readonly run_id: string | null
  readonly device_id: string
  readonly name: string
  readonly owner_agent_id: string
  readonly inputs: string | null
  readonly definition_sha256: string
  readonly definition: string | null
  readonly definition_file_id: string | null
  readonly state: WorkflowRunState
  readonly reason: string | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly last_seq: number
  /** By `nodeKey`. A node that no event is about is pending. */
  readonly nodes: ReadonlyMap<string, WorkflowNodeRecord>
}

/** The name of a node in a round: `fix@2.0`. */
export function nodeKey(node_id: string, iteration: readonly number[] = []): string {
  return iteration.length === 0 ? node_id : `${node_id}@${iteration.join('.')}`
}

/** Null until `started` has arrived. Events are in the order of their numbers; what the tables of states do not allow changes nothing. */
export function foldWorkflowRun(events: Iterable<WorkflowRunEvent>): WorkflowRunRecord | null {
  const fold = new WorkflowRunFold()
  for (const event of events) fold.add(event)
  return fold.run
}

/** The state while events are added to it. All states share one map of nodes: a copy per event would take seconds for a long run. */
export class WorkflowRunFold {
  readonly #nodes = new Map<string, WorkflowNodeRecord>()
  #run: WorkflowRunRecord | null = null

  get run(): WorkflowRunRecord | null {
    return this.#run
  }

  add(event: WorkflowRunEvent): void {
    this.#run = applied(this.#run, event, () => this.#nodes)
  }
}

/** The state after one more event. An event that is already in it changes nothing. */
export function afterEvent(run: WorkflowRunRecord | null, event: WorkflowRunEvent): WorkflowRunRecord | null {
  return applied(run, event, (nodes) => new Map(nodes))
}

type Nodes = WorkflowRunRecord['nodes']

/** `changeable` returns the map that a changed node is put into. */
function applied(
  run: WorkflowRunRecord | null,
  event: WorkflowRunEvent,
  changeable: (nodes: Nodes) => Map<string, WorkflowNodeRecord>,
): WorkflowRunRecord | null {
  if (event.kind === 'started') return run ?? startedRun(event)
  if (run === null || event.workflow_run_id !== run.workflow_run_id || event.seq <= run.last_seq) return run
  const seen = { ...run, last_seq: event.seq }
  if (event.kind === 'state') return { ...seen, ...changedState(run, event) }
  if (event.kind === 'unknown') return seen
  const key = nodeKey(event.node_id, event.iteration)
  const changed = afterNodeEvent(run.nodes.get(key) ?? pendingNode(event.node_id, event.iteration ?? []), event)
  return changed === null ? seen : { ...seen, nodes: changeable(run.nodes).set(key, changed) }
}

export function pendingNode(node_id: string, iteration: readonly number[]): WorkflowNodeRecord {
  return {
    ...{ node_id, iteration, state: 'pending', outcome: null, attempt: 0, output: null, output_file_id: null, run_id: null },
    ...{ call_id: null, child_run_id: null, waits_for: null, until: null, reason: null, failure: null },
    ...{ started_at: null, started_seq: null, ended_at: null, ended_seq: null },
  }
}

type StartedEvent = Extract<WorkflowRunEvent, { kind: 'started' }>
type StateEvent = Extract<WorkflowRunEvent, { kind: 'state' }>
type NodeEvent = Extract<WorkflowRunEvent, { node_id: string }>

function startedRun(event: StartedEvent): WorkflowRunRecord {
  const { workflow_run_id, workflow_id, run_id, device_id, name, owner_agent_id, definition_sha256, ts, seq } = event
  return {
    ...{ workflow_run_id, workflow_id, run_id, device_id, name, owner_agent_id, definition_sha256 },
    inputs: event.inputs ?? null,
    definition: event.definition ?? null,
    definition_file_id: event.definition_file_id ?? null,
    state: workflowRunTransitions.initial,
    ...{ reason: null, started_at: ts, ended_at: null, last_seq: seq, nodes: new Map() },
  }
}

const runTriggers: Readonly<Record<WorkflowRunState, WorkflowRunTrigger>> = {
  ...{ running: 'resume', paused: 'pause', completed: 'complete', failed: 'fail', canceled: 'cancel' },
}

/** Only a restore and a retry lead out of a state that is final. */
function triggerOf(from: WorkflowRunState, to: WorkflowRunState): WorkflowRunTrigger {
  if (!isTerminalWorkflowState(from)) return runTriggers[to]
  return to === 'running' ? 'retry' : to === 'paused' ? 'restore' : runTriggers[to]
}

function changedState(run: WorkflowRunRecord, { state, reason, ts, run_id }: StateEvent): Partial<WorkflowRunRecord> {
  const next = transition(workflowRunTransitions, run.state, triggerOf(run.state, state))
  if (!next.ok) return {}
  return { run_id, state: next.state, reason: reason ?? null, ended_at: isTerminalWorkflowState(next.state) ? ts : null }
}

const nodeTriggers: Readonly<Record<NodeEvent['kind'], WorkflowNodeTrigger>> = {
  'node.started': 'start',
  'node.waiting': 'wait',
  'node.completed': 'complete',
  'node.failed': 'fail',
  'node.skipped': 'skip',
  'node.reset': 'reset',
  'node.compensated': 'compensate',
}

/** Null if the event is not possible in this state. */
function afterNodeEvent(node: WorkflowNodeRecord, event: NodeEvent): WorkflowNodeRecord | null {
  const next = transition(workflowNodeTransitions, node.state, nodeTriggers[event.kind])
  if (!next.ok) return null
  const { state } = next
  const ids = {
    run_id: event.run_id,
    call_id: event.call_id ?? node.call_id,
    child_run_id: event.child_run_id ?? node.child_run_id,
    output_file_id: event.output_file_id ?? node.output_file_id,
  }
  const ended = { ended_at: event.ts, ended_seq: event.seq, waits_for: null, until: null }
  switch (event.kind) {
    case 'node.started':
      if (node.state === 'waiting') return { ...node, ...ids, state, attempt: event.attempt, waits_for: null, until: null, reason: null }
      return {
        ...pendingNode(node.node_id, node.iteration),
        ...{ state, attempt: event.attempt, started_at: event.ts, started_seq: event.seq },
        ...{ run_id: event.run_id, call_id: event.call_id ?? null, child_run_id: event.child_run_id ?? null },
      }
    case 'node.waiting':
      return { ...node, ...ids, state, waits_for: event.waits_for, until: event.until ?? null, reason: event.reason }
    case 'node.completed':
      return { ...node, ...ids, ...ended, state, outcome: event.outcome, output: event.output ?? null, reason: null }
    case 'node.failed':
      return { ...node, ...ids, ...ended, state, outcome: 'failed', failure: event.failure_contract, reason: null }
    case 'node.skipped':
      return { ...node, ...ids, ...ended, state, outcome: event.outcome ?? null, reason: event.reason }
    case 'node.reset':
      return pendingNode(node.node_id, node.iteration)
    case 'node.compensated':
      return { ...node, state }
  }
}
