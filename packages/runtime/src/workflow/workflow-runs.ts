// Workflow runs: started, controlled and looked at.
import { limits } from '@tandem/contract/limits'
import { canonicalJson } from '@tandem/contract/sync'
import { transition } from '@tandem/contract/transition'
import { checkWorkflow, type WorkflowOutcome } from '@tandem/contract/workflow'
import {
  foldWorkflowRun,
  nodeKey,
  type WorkflowRunRecord,
  workflowNodeTransitions,
  workflowRunTransitions,
} from '@tandem/contract/workflow-run'
import type { Agents } from '../agent/agents.ts'
import { timestamp } from '../clock/clock.ts'
import { type Outcome, type Rejection, rejection } from '../feature/outcome.ts'
import type { Carrier } from '../run/carrier.ts'
import type { ReadyRuns } from '../run/open-runs.ts'
import { WorkflowEngine } from './engine/engine.ts'
import type { EnginePorts } from './engine/ports.ts'
import { resetUndone } from './engine/reset-undone.ts'
import { WorkflowRunLog } from './engine/run-log.ts'
import type { WorkflowRecords } from './record/workflow-records.ts'
import type { InputGiver, WorkflowRunRow } from './record/workflow-run-rows.ts'
import { checkInputs, type WorkflowInputs } from './rule/inputs.ts'
import { nodesToRetry } from './rule/retried.ts'
import { skipProblem } from './rule/skip.ts'

export interface WorkflowStart {
  readonly workflow_id: string
  readonly inputs: WorkflowInputs
  readonly inputs_by: InputGiver
  /** The owner: its policy applies. */
  readonly agent_id: string
  /** The real path of the folder that its nodes work in. */
  readonly workspace: string
  /** Starting again with the same key starts nothing, and returns the run that it started. */
  readonly key?: string
  /** The workflow run whose node starts it. */
  readonly parent_id?: string
  /** The run of the agent that starts it. */
  readonly origin_run_id?: string
}

export type WorkflowControl =
  | { readonly action: 'pause' | 'resume' | 'retry' }
  | { readonly action: 'cancel'; readonly reason?: string }
  | {
      readonly action: 'skip'
      readonly node_id: string
      readonly iteration?: readonly number[]
      readonly reason: string
      readonly outcome?: WorkflowOutcome
    }

export interface WorkflowRuns {
  carrierOf(workflow_run_id: string): Carrier
  start(request: WorkflowStart): Outcome<WorkflowRunRow>
  control(workflow_run_id: string, control: WorkflowControl): Promise<Outcome<WorkflowRunRecord>>
  /** The state after the event with this number, or the current one. Also of runs of other devices. */
  snapshot(workflow_run_id: string, at_seq?: number): Outcome<WorkflowRunRecord>
  /** A checkpoint of a run was restored. */
  restored(run_id: string): void
}

export interface WorkflowRunPorts extends Omit<EnginePorts, 'coversCalls'> {
  readonly records: WorkflowRecords
  readonly agents: Pick<Agents, 'get'>
  runs(): Pick<ReadyRuns, 'startCarrier' | 'resume' | 'pause' | 'cancel' | 'wakeCarrier'>
}

export function openWorkflowRuns(ports: WorkflowRunPorts): WorkflowRuns {
  const { store, journal, rows, records, agents } = ports
  const engines = new Map<string, WorkflowEngine>()
  const enginePorts: EnginePorts = {
    ...ports,
    coversCalls: records.coversCalls,
    ended(workflow_run_id, state) {
      engines.delete(workflow_run_id)
      ports.ended(workflow_run_id, state)
    },
  }

  function engineOf(workflow_run_id: string): WorkflowEngine {
    const known = engines.get(workflow_run_id)
    if (known) return known
    const engine = new WorkflowEngine(enginePorts, workflow_run_id)
    engines.set(workflow_run_id, engine)
    return engine
  }

  function start(request: WorkflowStart): Outcome<WorkflowRunRow> {
    const { workflow_id, inputs, inputs_by, agent_id, workspace, key, parent_id = null } = request
    const started = key === undefined ? undefined : rows.startedBy(key)
    if (started && started.workflow_id !== workflow_id)
      return rejection('version_conflict', `the key ${key} has already started another workflow, ${started.name}: use another key`)
    if (started) return { ok: true, value: started }
    const workflow = records.get(workflow_id)
    if (!workflow) return rejection('not_found', `there is no workflow ${workflow_id} on this device`)
    const agent = agents.get(agent_id)?.agent
    if (!agent) return rejection('not_found', `there is no agent ${agent_id}`)
    const { definition, name, sha256 } = workflow
    const issues = checkWorkflow(definition, { workflow_id, definitionOf: (id) => records.get(id)?.definition })
    if (issues[0]) return rejection('validation_failed', `the workflow ${name} cannot run: ${issues[0].pointer}: ${issues[0].message}`)
    if (!records.isApproved(sha256)) return notApproved(name)
    const checked = checkInputs(definition, inputs)
    if (!checked.ok) {
      const fields = checked.issues.map(({ name: input, message }) => ({ field: `inputs.${input}`, message }))
      return { ...rejection('invalid_params', fields.map(({ field, message }) => `\`${field}\` ${message}`).join('; ')), fields }
    }
    const inputsText = JSON.stringify(checked.inputs)
    if (inputsText.length > limits.workflow_event_bytes)
      return rejection('invalid_params', `the inputs are too long (${inputsText.length} characters): pass long texts as files`)
    const row = store.transaction(() => {
      const workflow_run_id = store.newId()
      const conversation = journal.conversations.create({ agent_id, title: name, workspace })
      journal.conversations.hide(conversation.conversation_id, true)
      const { sandbox_mode } = agent
      const run = ports.runs().startCarrier({ conversation: conversation.no, agent_id, title: name, sandbox_mode, workflow_run_id })
      const { run_id } = run
      const started_at = store.clock.now()
      const ids = { workflow_run_id, workflow_id, run_id }
      const origin_run_id = request.origin_run_id ?? (parent_id === null ? null : (rows.get(parent_id)?.run_id ?? null))
      const startedBy = { inputs_by, start_key: key ?? null, parent_id, origin_run_id }
      rows.add({ ...ids, ...startedBy, name, owner_agent_id: agent_id, started_at })
      journal.workflowEvents.append({
        ...{ ...ids, event_id: store.newId(), device_id: store.device_id, seq: 0, ts: timestamp(started_at) },
        ...{ kind: 'started', name, owner_agent_id: agent_id, inputs: inputsText, definition_sha256: sha256 },
        ...keptDefinition(canonicalJson(definition)),
      })
      new WorkflowRunLog(ports, workflow_run_id).tellStatus()
      return rows.get(workflow_run_id)
    })
    ports.crashPoint('workflow_started')
    if (!row) throw new Error(`workflow ${workflow_id} was not started`)
    return { ok: true, value: row }
  }

  function keptDefinition(text: string): { readonly definition: string } | { readonly definition_file_id: string } {
    if (Buffer.byteLength(text) <= limits.workflow_event_bytes) return { definition: text }
    return { definition_file_id: journal.wholes.keepFile(text) }
  }

  function snapshot(workflow_run_id: string, at_seq?: number): Outcome<WorkflowRunRecord> {
    // A run in progress has its state in memory: a window looks at it after each event, and there may be thousands.
    const live = at_seq === undefined ? engines.get(workflow_run_id)?.current() : null
    const run = live ?? foldWorkflowRun(journal.workflowEvents.all(workflow_run_id, at_seq))
    return run ? { ok: true, value: run } : rejection('not_found', `there is no workflow run ${workflow_run_id}`)
  }

  async function control(workflow_run_id: string, given: WorkflowControl): Promise<Outcome<WorkflowRunRecord>> {
    const row = rows.get(workflow_run_id)
    if (!row) {
      const elsewhere = snapshot(workflow_run_id)
      if (!elsewhere.ok) return elsewhere
      return rejection('run_elsewhere', `the workflow run ${workflow_run_id} belongs to another device`)
    }
    const done = await controlled(row, given)
    return done.ok ? snapshot(workflow_run_id) : done
  }

  async function controlled(row: WorkflowRunRow, given: WorkflowControl): Promise<Outcome<unknown>> {
    const runs = ports.runs()
    const { run_id } = row
    switch (given.action) {
      case 'pause':
        return await runs.pause(run_id)
      case 'resume':
        return await runs.resume(run_id)
      case 'cancel': {
        const next = transition(workflowRunTransitions, row.state, 'cancel')
        return next.ok ? await runs.cancel(run_id, given.reason ?? null) : rejection('transition_refused', next.message)
      }
      case 'retry':
        return retry(row)
      case 'skip':
        return skip(row, given)
    }
  }

  /** In another run. What does not run again stays as it is. */
  function retry({ workflow_run_id, state, run_id }: WorkflowRunRow): Outcome<unknown> {
    const next = transition(workflowRunTransitions, state, 'retry')
    if (!next.ok) return rejection('transition_refused', next.message)
    const earlier = journal.run(run_id)
    if (earlier?.state !== 'failed') return rejection('run_busy', `the workflow run ${workflow_run_id} is still taking its effects back`)
    const log = new WorkflowRunLog(ports, workflow_run_id)
    const { name, definition_sha256 } = log.run
    if (!records.isApproved(definition_sha256)) return notApproved(name)
    store.transaction(() => {
      const { conversation, agent_id, title, sandbox_mode } = earlier
      const run = ports.runs().startCarrier({ conversation, agent_id, title, sandbox_mode, workflow_run_id })
      log.reopen(run.run_id)
      for (const node of nodesToRetry(log.run, log.definition())) log.appendNode('node.reset', node, {})
    })
    return { ok: true, value: null }
  }

  function skip(row: WorkflowRunRow, given: Extract<WorkflowControl, { action: 'skip' }>): Outcome<unknown> {
    const { node_id, iteration = [], reason, outcome = 'succeeded' } = given
    const log = engineOf(row.workflow_run_id).log()
    const problem = skipProblem(log.definition(), log.run, { node_id, iteration, outcome })
    if (problem !== null) return rejection('invalid_params', problem)
    if (row.ended_at !== null) return rejection('transition_refused', `the workflow run has ended: retry it first`)
    const node = log.run.nodes.get(nodeKey(node_id, iteration))
    const next = transition(workflowNodeTransitions, node?.state ?? 'pending', 'skip')
    if (!next.ok) return rejection('transition_refused', `${node_id}: ${next.message}`)
    store.transaction(() => log.appendNode('node.skipped', { node_id, iteration }, { reason: reason.slice(0, 500), outcome }))
    ports.runs().wakeCarrier(row.run_id)
    return { ok: true, value: null }
  }

  return {
    carrierOf: engineOf,
    start,
    control,
    snapshot,
    restored(run_id) {
      const run = journal.run(run_id)
      if (!run || run.workflow_run_id === null) return
      engines.delete(run.workflow_run_id)
      const log = new WorkflowRunLog(ports, run.workflow_run_id)
      store.transaction(() => resetUndone(ports, run, log))
    },
  }
}

function notApproved(name: string): Rejection {
  return {
    ...rejection('consent_needed', `this version of the workflow ${name} is not approved on this device`),
    remedy: 'Look at it on the Workflows page, or with tandem workflows show, and approve it there.',
  }
}
