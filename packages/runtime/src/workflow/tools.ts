// The tools with which agents start workflows, wait for them, control them and look at them. An agent sees only runs that it owns.
import {
  outputSummary,
  WorkflowHistoryOutput,
  WorkflowQueryOutput,
  WorkflowRunOutput,
  WorkflowSnapshotOutput,
  WorkflowStartOutput,
} from '@tandem/contract/tool/output'
import { workflowOutcomes } from '@tandem/contract/workflow'
import {
  isTerminalWorkflowState,
  nodeKey,
  type WorkflowNodeRecord,
  type WorkflowRunRecord,
  workflowControls,
  workflowEventLine,
  workflowRunEventKinds,
} from '@tandem/contract/workflow-run'
import Type from 'typebox'
import { ToolFailure } from '../call/failure.ts'
import type { CallScope } from '../call/scope.ts'
import { defineTool, type Tool } from '../call/tool.ts'
import { type Wait, type WaitEnd, Waiting } from '../call/wait.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import { outputOf } from './engine/outputs.ts'
import type { WorkflowRecord, WorkflowRecords } from './record/workflow-records.ts'
import { failureOf } from './tool-failure.ts'
import type { WorkflowUsage } from './usage.ts'
import { definitionOf, workflowResult } from './workflow-result.ts'
import type { WorkflowRuns } from './workflow-runs.ts'

export interface WorkflowToolPorts {
  readonly store: Pick<Store, 'clock'>
  readonly journal: Journal
  readonly records: WorkflowRecords
  readonly workflows: WorkflowRuns
  readonly usage: WorkflowUsage
}

const closed = { additionalProperties: false }
const limits = { seconds: 60 }
const Run = Type.String({ format: 'uuid', description: 'The id of the workflow run, from workflow.start' })
const Round = Type.Array(Type.Integer({ minimum: 1 }), {
  maxItems: 4,
  description: 'For a node in loops: the round of each loop, outermost first, from 1',
})
const NodeId = Type.String({ minLength: 1, maxLength: 64, description: 'The id of the node in the definition' })

const mostNodes = 200
const mostNamed = 20

export function workflowTools({ store, journal, records, workflows, usage }: WorkflowToolPorts): readonly Tool[] {
  /** By its id or its name. */
  function workflowNamed(wanted: string): WorkflowRecord {
    const all = records.list()
    const named = all.filter(({ workflow_id, name }) => workflow_id === wanted || name.toLowerCase() === wanted.toLowerCase())
    if (named[0] && named.length === 1) return named[0]
    const choices = (named.length > 0 ? named : all).slice(0, mostNamed).map(({ name, workflow_id }) => `${name} (${workflow_id})`)
    throw new ToolFailure(
      'workflow_not_found',
      named.length > 0 ? `several workflows are named ${wanted}` : `there is no workflow ${wanted}`,
      {
        subject: wanted,
        remedy: choices.length === 0 ? 'There are no workflows yet. The user creates them.' : `Use one of: ${choices.join(', ')}.`,
        recoverability: 'user_action',
      },
    )
  }

  function ownRun(workflow_run_id: string, { ids }: Pick<CallScope, 'ids'>, at_seq?: number): WorkflowRunRecord {
    const run = workflows.snapshot(workflow_run_id, at_seq)
    if (!run.ok || run.value.owner_agent_id !== ids.agent_id) {
      const remedy = 'Use the id that workflow.start returned.'
      throw new ToolFailure('workflow_run_not_found', `there is no workflow run ${workflow_run_id}`, { subject: workflow_run_id, remedy })
    }
    return run.value
  }

  function shown(run: WorkflowRunRecord): WorkflowRunOutput {
    const nodes = [...run.nodes.values()]
    return {
      ...headOf(run),
      waiting: nodes
        .flatMap((node) => (node.waits_for === null ? [] : [{ ...placeOf(node), waits_for: node.waits_for, reason: node.reason ?? '' }]))
        .slice(0, mostNamed),
      failed: nodes
        .flatMap((node) => (node.state === 'failed' ? [{ ...placeOf(node), message: node.failure?.details.message ?? '' }] : []))
        .slice(0, mostNamed),
      result: run.state === 'completed' ? JSON.stringify(workflowResult(journal, run)) : null,
    }
  }

  /** An agent must not answer in place of the user. */
  function asksUser(run: WorkflowRunRecord, node_id: string, round: readonly number[]): boolean {
    const kind = definitionOf(journal, run)?.nodes.find(({ id }) => id === node_id)?.kind
    const { waits_for } = run.nodes.get(nodeKey(node_id, iterationOf(round))) ?? { waits_for: null }
    return kind === 'approval' || kind === 'question' || waits_for === 'person'
  }

  return [
    defineTool({
      name: 'workflow.start',
      summary:
        'Start a workflow of the user by its name or id. Returns the id of its run immediately; the workflow continues by itself. Use workflow.wait for its result. Only versions that the user has approved on this device can be started.',
      input: Type.Object(
        {
          workflow: Type.String({ minLength: 1, maxLength: 200, description: 'Its name or its id' }),
          inputs: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Its inputs by name' })),
          idempotency_key: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              pattern: '^[A-Za-z0-9._:@/-]+$',
              description: 'Starting again with the same key starts nothing',
            }),
          ),
        },
        closed,
      ),
      output: WorkflowStartOutput,
      effects: () => [{ does: 'note' }],
      limits,
      async run({ workflow, inputs = {}, idempotency_key }, { ids, workspace }) {
        const { workflow_id } = workflowNamed(workflow)
        // A call that is repeated after a crash must not start it twice.
        const key = `agent:${ids.agent_id}:${idempotency_key ?? ids.call_id}`
        const { agent_id, run_id: origin_run_id } = ids
        const started = workflows.start({ workflow_id, inputs, inputs_by: 'agent', agent_id, workspace, key, origin_run_id })
        if (!started.ok) throw failureOf(started)
        return headOf(ownRun(started.value.workflow_run_id, { ids }))
      },
      present: (output) => `${summary('workflow.start', output)}\nid: ${output.workflow_run_id}`,
    }),
    defineTool({
      name: 'workflow.wait',
      summary: 'Wait until a workflow run has ended, however long it takes, and return its result. Your run is paused meanwhile.',
      input: Type.Object(
        {
          workflow_run_id: Run,
          timeout_seconds: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 30 * 86_400, description: 'Return its state after this time even if it has not ended' }),
          ),
        },
        closed,
      ),
      output: WorkflowRunOutput,
      effects: () => [],
      limits,
      async run({ workflow_run_id, timeout_seconds }, context) {
        const run = ownRun(workflow_run_id, context)
        if (isTerminalWorkflowState(run.state)) return shown(run)
        const until = timeout_seconds === undefined ? {} : { until: store.clock.now() + timeout_seconds * 1_000 }
        return new Waiting({ for: 'workflow', id: workflow_run_id, ...until })
      },
      resumed({ id }: Wait, _end: WaitEnd) {
        const run = workflows.snapshot(id)
        if (!run.ok) throw new ToolFailure('workflow_run_not_found', run.message, { subject: id })
        return shown(run.value)
      },
      present: presentRun,
    }),
    defineTool({
      name: 'workflow.control',
      summary: 'Pause, resume, cancel or retry a workflow run, or skip one of its nodes with a reason.',
      input: Type.Object(
        {
          workflow_run_id: Run,
          action: Type.Union(
            workflowControls.map((action) => Type.Literal(action)),
            { description: '`retry`: what failed runs again. `skip`: needs `node` and `reason`' },
          ),
          node: Type.Optional(NodeId),
          round: Type.Optional(Round),
          reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
          outcome: Type.Optional(
            Type.Union(
              workflowOutcomes.map((outcome) => Type.Literal(outcome)),
              { description: 'How the workflow continues after a skipped node. Default: succeeded' },
            ),
          ),
        },
        closed,
      ),
      output: WorkflowRunOutput,
      effects: () => [{ does: 'note' }],
      limits,
      async run({ workflow_run_id, action, node, round = [], reason, outcome }, context) {
        const run = ownRun(workflow_run_id, context)
        if (action === 'skip' && (node === undefined || reason === undefined))
          throw new ToolFailure('invalid_input', '`skip` needs `node` and `reason`', {
            remedy: 'Pass the id of the node, and why it is skipped.',
          })
        if (action === 'skip' && asksUser(run, node ?? '', round))
          throw new ToolFailure('needs_user', `only the user can decide about ${node}`, {
            subject: node ?? '',
            remedy: 'Wait for the answer of the user.',
            recoverability: 'user_action',
          })
        const control =
          action === 'skip'
            ? {
                action,
                node_id: node ?? '',
                iteration: iterationOf(round),
                reason: reason ?? '',
                ...(outcome ? { outcome } : {}),
              }
            : action === 'cancel'
              ? { action, ...(reason === undefined ? {} : { reason }) }
              : { action }
        const done = await workflows.control(workflow_run_id, control)
        if (!done.ok) throw failureOf(done)
        return shown(done.value)
      },
      present: presentRun,
    }),
    defineTool({
      name: 'workflow.snapshot',
      summary: 'Show the state of every node of a workflow run, now or after one of its events.',
      input: Type.Object(
        {
          workflow_run_id: Run,
          at: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of an event. Default: the last one' })),
        },
        closed,
      ),
      output: WorkflowSnapshotOutput,
      effects: () => [],
      limits,
      async run({ workflow_run_id, at }, context) {
        const run = ownRun(workflow_run_id, context, at)
        const all = [...run.nodes.values()]
        const nodes = all.toSorted((one, other) => rank(one) - rank(other)).slice(0, mostNodes)
        return {
          ...headOf(run),
          seq: run.last_seq,
          nodes: nodes.map((node) => ({ ...placeOf(node), state: node.state, attempt: node.attempt, note: noteOf(node) })),
          more: all.length - nodes.length,
        }
      },
      present(output) {
        const lines = output.nodes.map(
          ({ node, round, state, note }) => `${nameOf(node, round)}: ${state}${note === null ? '' : ` (${note})`}`,
        )
        return [summary('workflow.snapshot', output), ...lines].join('\n')
      },
    }),
    defineTool({
      name: 'workflow.query',
      summary: 'Show one node of a workflow run: its output, what it waits for, its error, and the tokens used by the workflow run so far.',
      input: Type.Object({ workflow_run_id: Run, node: NodeId, round: Type.Optional(Round) }, closed),
      output: WorkflowQueryOutput,
      effects: () => [],
      limits,
      async run({ workflow_run_id, node: node_id, round = [] }, context) {
        const run = ownRun(workflow_run_id, context)
        const definition = definitionOf(journal, run)
        const known = definition?.nodes.find(({ id }) => id === node_id)
        if (definition && !known) {
          const names = definition.nodes.map(({ id }) => id).join(', ')
          throw new ToolFailure('node_not_found', `the workflow has no node ${node_id}`, {
            subject: node_id,
            remedy: `Its nodes are ${names}.`.slice(0, 500),
          })
        }
        const iteration = iterationOf(round)
        const node = run.nodes.get(nodeKey(node_id, iteration))
        const output = node?.state === 'completed' ? outputOf(journal, known?.kind ?? 'tool', node) : null
        return {
          ...headOf(run),
          ...{ node: node_id, round },
          node_state: node?.state ?? 'pending',
          waits_for: node?.waits_for ?? null,
          output: output === null ? null : JSON.stringify(output),
          error: node?.failure?.details.message ?? null,
          ...usage.ofRun(run),
        }
      },
      present(output) {
        const more = [output.output, output.error, output.waits_for === null ? null : `waits for: ${output.waits_for}`].filter(
          (line) => line !== null,
        )
        return [summary('workflow.query', output), ...more].join('\n')
      },
    }),
    defineTool({
      name: 'workflow.history',
      summary: 'List the events of a workflow run in order, a page at a time, all or only those of some kinds or of one node.',
      input: Type.Object(
        {
          workflow_run_id: Run,
          after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events after this number' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default: 50' })),
          kinds: Type.Optional(Type.Array(Type.Union(workflowRunEventKinds.map((kind) => Type.Literal(kind))), { maxItems: 20 })),
          node: Type.Optional(NodeId),
        },
        closed,
      ),
      output: WorkflowHistoryOutput,
      effects: () => [],
      limits,
      async run({ workflow_run_id, after, limit = 50, kinds, node }, context) {
        ownRun(workflow_run_id, context)
        const query = { ...(kinds ? { kinds } : {}), ...(node === undefined ? {} : { node_id: node }), limit: limit + 1 }
        // Of all events with a number, the one with the highest id comes last.
        const from = after === undefined ? {} : { after: { seq: after, event_id: '\uffff' } }
        const events = journal.workflowEvents.of(workflow_run_id, { ...from, ...query })
        const page = events.slice(0, limit)
        return {
          workflow_run_id,
          events: page.map((event) => ({
            ...{ seq: event.seq, time: event.ts, kind: (event.kind === 'unknown' ? event.unknown_kind : event.kind) as 'state' },
            text: workflowEventLine(event),
          })),
          next_after: events.length > limit ? (page.at(-1)?.seq ?? null) : null,
        }
      },
      present({ events, next_after }) {
        const lines = events.map(({ seq, time, text }) => `${seq} ${time} ${text}`)
        return [...lines, ...(next_after === null ? [] : [`More events: pass after: ${next_after}.`])].join('\n') || 'No events.'
      },
    }),
  ]
}

function headOf({ workflow_run_id, workflow_id, name, state, reason }: WorkflowRunRecord): WorkflowStartOutput {
  return { workflow_run_id, workflow_id, name, state, reason }
}

/** People and models count rounds from 1. */
function placeOf({ node_id, iteration }: WorkflowNodeRecord): { readonly node: string; readonly round: readonly number[] } {
  return { node: node_id, round: iteration.map((index) => index + 1) }
}

function iterationOf(round: readonly number[]): readonly number[] {
  return round.map((number) => number - 1)
}

function nameOf(node: string, round: readonly number[]): string {
  return round.length === 0 ? node : `${node} (round ${round.join('.')})`
}

/** What a reader looks for comes first: what failed, waits or runs. */
function rank({ state, iteration }: WorkflowNodeRecord): number {
  const order = ['failed', 'waiting', 'running'].indexOf(state)
  return order >= 0 ? order : iteration.length === 0 ? 3 : 4
}

function noteOf({ failure, reason, outcome }: WorkflowNodeRecord): string | null {
  return failure?.details.message ?? reason ?? (outcome === 'succeeded' || outcome === null ? null : outcome)
}

function summary(tool: string, output: unknown): string {
  return outputSummary(tool, output)
}

function presentRun(output: WorkflowRunOutput): string {
  const waiting = output.waiting.map(({ node, round, reason }) => `${nameOf(node, round)} is waiting: ${reason}`)
  const failed = output.failed.map(({ node, round, message }) => `${nameOf(node, round)} failed: ${message}`)
  const result = output.result === null ? [] : [`Result: ${output.result}`]
  return [outputSummary('workflow.wait', output), ...waiting, ...failed, ...result].join('\n')
}
