// Runs and conversations computed from their facts: a pure function, so that every device with the same facts shows the same.
import { isTerminalRunState, type RunStep, runTransitions } from '@tandem/contract/run'
import { transition } from '@tandem/contract/transition'
import { restorable_ms } from '../../journal/conversations.ts'
import { applyStep, RunTransitionError } from '../../journal/journal.ts'
import { markedFoldersOf, showFailure } from '../../journal/recorded-step.ts'
import { emptyUsage, type RunRecord, type RunRow, toRunRecord } from '../../journal/run-record.ts'
import { type DeviceOnlyFields, type NewStep, triggerOf } from '../../journal/step.ts'
import type { Store } from '../../store/store.ts'

export interface Projection {
  refresh(run: number): void
  refreshConversation(conversation: number): void
}

interface StepRow {
  readonly ts: number
  readonly kind: RunStep['kind']
  readonly body: string
  readonly here: string | null
  readonly known: number
}

interface Last {
  readonly seq: number
  readonly ts: number
}

export function openProjection(store: Pick<Store, 'sql' | 'device_id' | 'user_homes' | 'clock'>): Projection {
  const { sql } = store

  function refresh(run: number): void {
    const row = sql.get<RunRow>`
      SELECT r.*, c.conversation_id, coalesce(r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation WHERE r.no = ${run}`
    const last = sql.get<Last>`SELECT seq, ts FROM agent_run_steps WHERE run = ${run} ORDER BY seq DESC LIMIT 1`
    if (!row || !last) return
    const steps = sql.all<StepRow>`
      SELECT ts, kind, body, here, known FROM agent_run_steps
      WHERE run = ${run} AND (kind GLOB 'run.*' OR kind GLOB 'model.*' OR kind = 'checkpoint.restored') ORDER BY seq`
    const next = { ...folded(toRunRecord(row), steps), next_seq: last.seq + 1, updated_at: last.ts }
    const { usage } = next
    const failure_contract = next.failure_contract && showFailure(next.failure_contract, markedFoldersOf(store, row))
    sql.run`
      UPDATE runs SET title = ${next.title}, model = ${next.model}, sandbox_mode = ${next.sandbox_mode}, started_at = ${next.started_at},
        state = ${next.state}, pause_reason = ${next.pause_reason}, next_seq = ${next.next_seq}, turns = ${next.turns},
        input_tokens = ${usage.input_tokens}, output_tokens = ${usage.output_tokens}, cached_tokens = ${usage.cached_tokens},
        estimated = ${usage.estimated ? 1 : 0}, failure = ${failure_contract === null ? null : JSON.stringify(failure_contract)},
        updated_at = ${next.updated_at}, ended_at = ${next.ended_at}
      WHERE no = ${run}`
  }

  function refreshConversation(conversation: number): void {
    const said = sql.all<StepRow>`
      SELECT s.ts, s.kind, s.body, s.here, s.known FROM agent_run_steps s JOIN runs r ON r.no = s.run
      WHERE r.conversation = ${conversation} AND s.known = 1 AND s.kind IN ('run.started', 'conversation.renamed', 'conversation.hidden', 'conversation.pinned',
          'conversation.deleted', 'checkpoint.restored')
      ORDER BY s.ts, s.step_id`
    const latest = (kind: RunStep['kind']) => said.findLast((row) => row.kind === kind)
    const [renamed, hidden, pinned] = [latest('conversation.renamed'), latest('conversation.hidden'), latest('conversation.pinned')]
    // Those of this device are known.
    const branched = said.map(({ kind, body }) => (kind === 'run.started' ? JSON.parse(body).branch : undefined)).find(Boolean)
    const first = sql.get`SELECT title FROM runs WHERE conversation = ${conversation} ORDER BY started_at, run_id LIMIT 1`
    const elsewhere = sql.get`SELECT 1 AS found FROM conversations WHERE no = ${conversation} AND workspace = ''` !== undefined
    const title = renamed ? JSON.parse(renamed.body).title : elsewhere ? (first?.title ?? null) : null
    const span = sql.get`
      SELECT min(at) AS began, max(at) AS latest FROM (
        SELECT started_at AS at FROM runs WHERE conversation = ${conversation}
        UNION ALL SELECT created_at FROM messages WHERE conversation = ${conversation} AND role <> 'system'
        UNION ALL SELECT ${said.findLast(({ kind }) => kind !== 'run.started')?.ts ?? null})`
    sql.run`
      UPDATE conversations SET title = coalesce(${title}, title), hidden = coalesce(${hidden ? Number(JSON.parse(hidden.body).hidden) : null}, hidden),
        pinned = coalesce(${pinned ? Number(JSON.parse(pinned.body).pinned) : null}, pinned), branch = coalesce(branch, ${branched ? JSON.stringify(branched) : null}),
        created_at = iif(workspace = '', ${Number(span?.began)}, created_at), updated_at = max(updated_at, ${Number(span?.latest)})
      WHERE no = ${conversation}`
    const deleted = latest('conversation.deleted')
    if (deleted) followDeletion(conversation, JSON.parse(deleted.body).deleted ? deleted.ts : null)
    for (const { kind, body } of said) {
      if (kind !== 'checkpoint.restored') continue
      const aside = JSON.stringify(JSON.parse(body).set_aside_message_ids)
      sql.run`UPDATE messages SET set_aside = 1 WHERE message_id IN (SELECT value FROM json_each(${aside})) AND set_aside = 0`
    }
  }

  /** The user of this device has the whole time to restore it, also if the deletion was late to arrive. */
  function followDeletion(conversation: number, deleted_at: number | null): void {
    if (deleted_at === null) sql.run`UPDATE conversations SET deleted_at = NULL, erase_at = NULL WHERE no = ${conversation}`
    else {
      const erase_at = store.clock.now() + restorable_ms
      sql.run`UPDATE conversations SET deleted_at = ${deleted_at}, erase_at = coalesce(erase_at, ${erase_at}) WHERE no = ${conversation}`
    }
  }

  return { refresh, refreshConversation }
}

/** Steps that arrive before their predecessors leave the state unchanged; it is computed again when the missing ones have arrived. */
function folded(run: RunRecord, steps: readonly StepRow[]): RunRecord {
  const fresh: RunRecord = {
    ...run,
    state: 'running',
    pause_reason: null,
    usage: emptyUsage,
    turns: 0,
    failure_contract: null,
    ended_at: null,
  }
  let folding = fresh
  for (const { ts, kind, body, here, known } of steps) {
    if (known === 0) folding = afterUnknown(folding, kind, ts)
    else folding = after(folding, { kind, ...JSON.parse(body) } as NewStep, ts, here === null ? {} : JSON.parse(here))
  }
  return folding
}

/** The kind of a step that only a newer Tandem can read still shows whether the run paused, resumed or ended. */
function afterUnknown(run: RunRecord, kind: RunStep['kind'], ts: number): RunRecord {
  const trigger = kind === 'unknown' ? undefined : triggerOf(kind)
  const outcome = trigger && transition(runTransitions, run.state, trigger)
  if (!outcome?.ok) return run
  const { state } = outcome
  return { ...run, state, pause_reason: null, failure_contract: null, ended_at: isTerminalRunState(state) ? (run.ended_at ?? ts) : null }
}

function after(run: RunRecord, step: NewStep, ts: number, here: DeviceOnlyFields): RunRecord {
  if (step.kind === 'run.started') {
    const { title, model, sandbox_mode } = step
    return { ...run, title, model, sandbox_mode, started_at: ts }
  }
  try {
    const next = applyStep(run, step, ts, here)
    // Usage outside the turns is only known to the run's own device until the end contains the sum.
    const ends = step.kind === 'run.completed' || step.kind === 'run.failed' || step.kind === 'run.canceled'
    return ends ? { ...next, usage: step.usage } : next
  } catch (error) {
    if (error instanceof RunTransitionError) return run
    throw error
  }
}
