// The durable journal of runs. A step is written in one transaction with the state it changes and the event that reports it.
import type { RunCheckpoint } from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import type { BranchPoint, PauseReason, RunState, RunStep, ToolOutcome, Usage } from '@tandem/contract/run'
import { isPauseReason, runTransitions, terminalRunStates } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import { transition } from '@tandem/contract/transition'
import type { Bus } from '../event/bus.ts'
import type { Events } from '../event/events.ts'
import { type Lifecycle, noLifecycle } from '../event/lifecycle/lifecycle.ts'
import type { Store } from '../store/store.ts'
import { type Conversations, openConversations } from './conversations.ts'
import { type LongTexts, openLongTexts } from './long-texts.ts'
import { type Messages, openMessages } from './messages.ts'
import { type JournaledStep, markedFoldersOf, markFailure, markStep, type StepRow, showStep, toStep } from './recorded-step.ts'
import { addUsage, openRunReader, type RunRecord, type RunRow, toRunRecord } from './run-record.ts'
import { type DeviceOnlyFields, eventOf, lifecycleOf, type NewStep, placed, triggerOf } from './step.ts'
import { openStreams, type Streams } from './streams.ts'
import { openTeamPlaces, type TeamPlaces } from './team-places.ts'
import { openWaits, type Waits } from './waits.ts'
import { openWorkflowEvents, type WorkflowEvents } from './workflow-events.ts'

export interface NewRun {
  readonly conversation: number
  readonly agent_id: string
  readonly title: string
  readonly model: string
  readonly sandbox_mode: SandboxMode
  /** The message it responds to; null for a run that continues by itself. */
  readonly message_id: string | null
  /** Starting with the same key again starts nothing. */
  readonly start_key?: string
  /** The workflow run that it carries. */
  readonly workflow_run_id?: string
  /** For a member of a team. `run_id` is known before it starts, because its parent waits for it. */
  readonly member?: NewMember
}

export interface NewMember {
  readonly run_id: string
  readonly parent_run_id: string
  readonly spawned_by_call_id: string
  readonly role_text: string | null
}

/** How a call ended, as in its `tool.result` step and its `tool_calls` record. */
export interface SettledCall {
  readonly call_id: string
  readonly tool: string
  readonly call_seq: number
  readonly outcome: ToolOutcome
  readonly output: unknown
  readonly output_file: string | null
  readonly truncated: boolean
  readonly failure_contract: FailureContract | null
  readonly checkpoint_id: string | null
  readonly duration_ms: number
}

export type CallEnd = Pick<SettledCall, 'outcome' | 'output' | 'output_file' | 'truncated' | 'failure_contract'>

export interface RunQuery {
  readonly agent_id?: string
  readonly conversation_id?: string
  readonly state?: RunState
  /** Without runs of deleted conversations. */
  readonly shown?: boolean
  readonly before?: number
  readonly limit: number
}

export interface Journal extends TeamPlaces, Streams {
  readonly conversations: Conversations
  readonly messages: Messages
  readonly wholes: LongTexts
  readonly workflowEvents: WorkflowEvents
  readonly waits: Waits
  start(run: NewRun): RunRecord
  run(run_id: string): RunRecord | undefined
  /** The run with this number in the store; throws if there is none. */
  runNo(no: number): RunRecord
  startedBy(start_key: string): RunRecord | undefined
  /** Newest first. */
  runs(query: RunQuery): readonly RunRecord[]
  runsOf(conversation: number): readonly RunRecord[]
  /** The latest step that says what a run is doing. */
  latest(run_id: string): RunStep | undefined
  /** Runs that continue automatically at a time that has come: they wait for their model, or carry a workflow. */
  toRetry(now: number): readonly RunRecord[]
  /** Runs that are paused for something that has ended since. A workflow may wait without a call: it knows itself when to go on. */
  toContinue(): readonly RunRecord[]
  /** Its paths are recorded with markers in place of the workspace and the home folder; the returned step has the paths of this device. */
  append(run_id: string, step: NewStep, here?: DeviceOnlyFields): RunStep
  /** Writes the `tool.result` step and the `tool_calls` record together. */
  settle(run_id: string, call: SettledCall): RunStep
  /** How a call ended; undefined while it is open. */
  settled(run_id: string, call_id: string): CallEnd | undefined
  /** A step from another device, as it is shown here. `steps` returns all steps in this form. */
  shown(step: RunStep): RunStep
  steps(run_id: string, page?: { readonly after?: number; readonly limit?: number }): readonly JournaledStep[]
  /** How far a run was read for memories. */
  flushMark(run: number): RunCheckpoint['memory_flush_markers']
  /** How many memories the prompts of each of these runs had. Runs without any are left out. */
  memoriesUsed(runs: readonly number[]): ReadonlyMap<number, number>
}

/** A step that the state of the run does not allow is a bug of the caller: callers check before they write. */
export class RunTransitionError extends Error {
  readonly state: RunState

  constructor(state: RunState, message: string) {
    super(message)
    this.name = 'RunTransitionError'
    this.state = state
  }
}

export function openJournal(store: Store, events: Events, bus: Bus, lifecycle: Pick<Lifecycle, 'record' | 'used'> = noLifecycle): Journal {
  const { sql, clock, newId } = store
  const wholes = openLongTexts(store.home, newId)
  const conversations = openConversations(store, lifecycle)
  const messages = openMessages(store, wholes)

  const { read: recordOf, wrote } = openRunReader(store)

  function known(run_id: string): RunRecord {
    const record = recordOf(run_id)
    if (!record) throw new Error(`there is no run ${run_id}`)
    return record
  }

  function append(run_id: string, fresh: NewStep, here: DeviceOnlyFields = {}): RunStep {
    return store.transaction(() => {
      const run = known(run_id)
      // If two devices numbered the steps of one run, each would hide the other's steps.
      if (run.device_id !== store.device_id)
        throw new Error(`run ${run_id} belongs to device ${run.device_id}, and only that device can write its journal`)
      const places = { workspace: run.workspace, homes: store.user_homes }
      const recorded = markStep(fresh, places)
      const withLocalPaths = showStep(recorded, places)
      const next = applyStep(run, withLocalPaths, clock.now(), here)
      const { kind } = recorded
      const body = bodyOf(recorded)
      const step_id = newId()
      const kept = Object.keys(here).length === 0 ? null : JSON.stringify(here)
      const seq = run.next_seq
      sql.run`
        INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body, here, marked)
        VALUES (${run.no}, ${seq}, ${step_id}, ${next.updated_at}, ${kind}, ${JSON.stringify(body)}, ${kept}, 1)`
      save(next)
      const turn = lifecycleOf(step_id, recorded, run)
      if (turn) lifecycle.record(turn)
      const step = placed(next, { seq, step_id, ts: next.updated_at }, withLocalPaths)
      const event = eventOf(step, next, here)
      if (event)
        events.emit(event.name, { run: next, step: { seq, step_id, said: { ...body, ...here } } }, event.data, event.failure_contract)
      store.afterCommit(() => bus.publish('step', step))
      return step
    })
  }

  /** Other devices read from its first run where a branch parts from another conversation. */
  function branchOf(conversation: number): { readonly branch?: BranchPoint } {
    const branch = conversations.at(conversation)?.branch
    const { runs } = sql.get<{ runs: number }>`SELECT count(*) AS runs FROM runs WHERE conversation = ${conversation}` ?? { runs: 0 }
    return branch && runs === 1 ? { branch } : {}
  }

  function save(run: RunRecord): void {
    const { usage, failure_contract } = run
    sql.run`
      UPDATE runs SET state = ${run.state}, pause_reason = ${run.pause_reason}, next_seq = ${run.next_seq}, turns = ${run.turns},
        retries = ${run.retries}, retry_at = ${run.retry_at},
        input_tokens = ${usage.input_tokens}, output_tokens = ${usage.output_tokens}, cached_tokens = ${usage.cached_tokens},
        estimated = ${usage.estimated ? 1 : 0}, failure = ${failure_contract === null ? null : JSON.stringify(failure_contract)},
        updated_at = ${run.updated_at}, ended_at = ${run.ended_at}
      WHERE no = ${run.no}`
    wrote(run)
  }

  return {
    conversations,
    messages,
    wholes,
    workflowEvents: openWorkflowEvents(store, recordOf),
    flushMark: (run) =>
      sql.get<RunCheckpoint['memory_flush_markers']>`
        SELECT flushed_through_seq, last_flush_at FROM memory_flush_marks WHERE run = ${run}` ?? {
        flushed_through_seq: 0,
        last_flush_at: null,
      },
    memoriesUsed(runs) {
      const rows = sql.all<{ run: number; used: number }>`
        SELECT run, json_array_length(items) AS used FROM memory_injections
        WHERE run IN (SELECT value FROM json_each(${JSON.stringify(runs)})) AND items <> '[]'`
      return new Map(rows.map(({ run, used }) => [run, used]))
    },
    ...openTeamPlaces(store),
    waits: openWaits(store),
    append,
    start(fresh) {
      return store.transaction(() => {
        const { run_id, ...origin } = fresh.member ?? { run_id: newId() }
        const now = clock.now()
        sql.run`
          INSERT INTO runs (run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, start_key, workflow_run_id,
            started_at, updated_at)
          VALUES (${run_id}, ${fresh.conversation}, ${fresh.agent_id}, ${store.device_id}, ${fresh.title}, ${runTransitions.initial},
            ${fresh.model}, ${fresh.sandbox_mode}, ${fresh.start_key ?? null}, ${fresh.workflow_run_id ?? null}, ${now}, ${now})`
        const { title, model, sandbox_mode, message_id } = fresh
        append(run_id, {
          kind: 'run.started',
          title,
          model,
          sandbox_mode,
          message_id,
          ...startedBy(origin),
          ...branchOf(fresh.conversation),
        })
        conversations.touch(fresh.conversation)
        const run = known(run_id)
        lifecycle.used(run)
        return run
      })
    },
    run: recordOf,
    runNo(no) {
      const row = sql.get<{ run_id: string }>`SELECT run_id FROM runs WHERE no = ${no}`
      if (!row) throw new Error(`there is no run with number ${no}`)
      return known(row.run_id)
    },
    startedBy(start_key) {
      const row = sql.get<{ run_id: string }>`SELECT run_id FROM runs WHERE start_key = ${start_key}`
      return row && known(row.run_id)
    },
    runs({ agent_id = null, conversation_id = null, state = null, shown = false, before = null, limit }) {
      const rows = sql.all<RunRow>`
        SELECT r.*, c.conversation_id, coalesce(r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
        WHERE (${agent_id} IS NULL OR r.agent_id = ${agent_id}) AND (${conversation_id} IS NULL OR c.conversation_id = ${conversation_id})
          AND (${state} IS NULL OR r.state = ${state}) AND (${before} IS NULL OR r.no < ${before})
          AND (c.deleted_at IS NULL OR ${shown ? 0 : 1})
        ORDER BY r.no DESC LIMIT ${limit}`
      return rows.map(toRunRecord)
    },
    runsOf(conversation) {
      const rows = sql.all<RunRow>`
        SELECT r.*, c.conversation_id, coalesce(r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
        WHERE r.conversation = ${conversation} ORDER BY r.no`
      return rows.map(toRunRecord)
    },
    latest(run_id) {
      const run = recordOf(run_id)
      if (!run) return undefined
      const row = sql.get<StepRow>`
        SELECT seq, step_id, ts, kind, body, here, marked, known, NULL AS outcome FROM agent_run_steps
        WHERE run = ${run.no} AND kind IN ('tool.call', 'model.called', 'message.completed') ORDER BY seq DESC LIMIT 1`
      return row && toStep(store, run, row).step
    },
    toRetry(now) {
      const rows = sql.all<RunRow>`
        SELECT r.*, c.conversation_id, coalesce(r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
        WHERE (r.retry_at <= ${now} OR (r.retry_at IS NOT NULL AND r.pause_reason = 'workflow')) AND r.state = 'paused' AND r.device_id = ${store.device_id} ORDER BY r.retry_at, r.no`
      return rows.map(toRunRecord)
    },
    toContinue() {
      const rows = sql.all<RunRow>`
        SELECT r.*, c.conversation_id, coalesce(r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
        WHERE r.state = 'paused' AND r.pause_reason IN ('child', 'workflow', 'time') AND r.device_id = ${store.device_id}
          AND NOT EXISTS (SELECT 1 FROM waits w WHERE w.run = r.no AND w.outcome IS NULL)
          AND (r.workflow_run_id IS NULL OR EXISTS (
            SELECT 1 FROM waits w LEFT JOIN tool_calls t ON t.run = w.run AND t.call_id = w.call_id
            WHERE w.run = r.no AND w.outcome IS NOT NULL AND t.call_id IS NULL))
        ORDER BY r.no`
      return rows.map(toRunRecord)
    },
    settle(run_id, call) {
      return store.transaction(() => {
        const run = known(run_id)
        const { call_id, call_seq, outcome, output, output_file, truncated, failure_contract, checkpoint_id } = call
        const failure = failure_contract && markFailure(failure_contract, { workspace: run.workspace, homes: store.user_homes })
        sql.run`
          INSERT INTO tool_calls (run, call_id, call_seq, outcome, output, output_file, truncated, failure, checkpoint_id, settled_at, marked)
          VALUES (${run.no}, ${call_id}, ${call_seq}, ${outcome}, ${JSON.stringify(output ?? null)}, ${output_file}, ${truncated ? 1 : 0},
            ${failure === null ? null : JSON.stringify(failure)}, ${checkpoint_id}, ${clock.now()}, 1)`
        const file = output_file === null ? {} : { output_file_id: output_file }
        return append(
          run_id,
          { kind: 'tool.result', call_id, outcome, output: output ?? null, ...file, truncated, failure_contract },
          { tool: call.tool, duration_ms: call.duration_ms },
        )
      })
    },
    settled(run_id, call_id) {
      const row = sql.get<CallRow>`
        SELECT outcome, output, output_file, truncated, failure FROM tool_calls
        WHERE run = (SELECT no FROM runs WHERE run_id = ${run_id}) AND call_id = ${call_id}`
      if (!row) return undefined
      const { outcome, output, output_file, truncated, failure } = row
      const failure_contract = failure === null ? null : JSON.parse(failure)
      return { outcome, output: JSON.parse(output), output_file, truncated: truncated === 1, failure_contract }
    },
    shown(step) {
      const run = recordOf(step.run_id)
      return showStep(step, run ? markedFoldersOf(store, run) : null)
    },
    steps(run_id, { after = -1, limit = -1 } = {}) {
      const run = known(run_id)
      const rows = sql.all<StepRow>`
        SELECT s.seq, s.step_id, s.ts, s.kind, s.body, s.here, s.marked, s.known, t.outcome, t.output, t.output_file, t.truncated, t.failure
        FROM agent_run_steps s
        LEFT JOIN tool_calls t ON t.run = s.run AND t.call_id = CASE s.kind WHEN 'tool.result' THEN s.body ->> 'call_id' END
        WHERE s.run = ${run.no} AND s.seq > ${after} ORDER BY s.seq LIMIT ${limit}`
      return rows.map((row) => toStep(store, run, row))
    },
    ...openStreams(store),
  }
}

interface CallRow {
  readonly outcome: ToolOutcome
  readonly output: string
  readonly output_file: string | null
  readonly truncated: number
  readonly failure: string | null
}

function startedBy({ parent_run_id, spawned_by_call_id, role_text }: Partial<Omit<NewMember, 'run_id'>>) {
  if (parent_run_id === undefined || spawned_by_call_id === undefined) return {}
  return { parent_run_id, spawned_by_call_id, ...(role_text == null ? {} : { role_text }) }
}

/** The run after the step: its state according to the table, its usage, its end. */
export function applyStep(run: RunRecord, step: NewStep, now: number, here: DeviceOnlyFields = {}): RunRecord {
  const state = stateAfter(run, step)
  const spent = step.kind === 'model.completed' ? step.usage : here.usage
  const usage: Usage = spent ? addUsage(run.usage, spent) : run.usage
  const pause_reason: PauseReason | null = pauseAfter(run, step)
  const ended = (terminalRunStates as readonly RunState[]).includes(state)
  return {
    ...run,
    state,
    pause_reason,
    usage,
    turns: step.kind === 'model.called' ? Math.max(run.turns, step.turn) : run.turns,
    ...retriesAfter(run, step, here),
    failure_contract: step.kind === 'run.failed' ? step.failure_contract : state === run.state ? run.failure_contract : null,
    next_seq: run.next_seq + 1,
    updated_at: now,
    ended_at: ended ? (run.ended_at ?? now) : null,
  }
}

function stateAfter(run: RunRecord, step: NewStep): RunState {
  const trigger = triggerOf(step.kind)
  if (!trigger) return run.state
  const outcome = transition(runTransitions, run.state, trigger)
  if (!outcome.ok) throw new RunTransitionError(run.state, outcome.message)
  return outcome.state
}

function pauseAfter(run: RunRecord, step: NewStep): PauseReason | null {
  // A newer version may use a reason that is unknown here.
  if (step.kind === 'run.paused') return isPauseReason(step.reason) ? step.reason : null
  if (step.kind === 'checkpoint.restored') return 'restore'
  return triggerOf(step.kind) ? null : run.pause_reason
}

/** Reset when a model responds, and when a user resumes the run. */
function retriesAfter(run: RunRecord, step: NewStep, here: DeviceOnlyFields): Pick<RunRecord, 'retries' | 'retry_at'> {
  if (step.kind === 'run.paused' && step.reason === 'model') return { retries: run.retries + 1, retry_at: here.retry_at ?? null }
  if (step.kind === 'run.paused' && here.retry_at !== undefined) return { retries: run.retries, retry_at: here.retry_at }
  if (step.kind === 'model.completed' || (step.kind === 'run.resumed' && !here.by_itself)) return { retries: 0, retry_at: null }
  return { retries: run.retries, retry_at: triggerOf(step.kind) ? null : run.retry_at }
}

/** The step without the fields that have columns; the output of a call is in its `tool_calls` record. */
function bodyOf({ kind, ...body }: NewStep): Record<string, unknown> {
  return kind === 'tool.result' && 'call_id' in body ? { call_id: body.call_id } : body
}
