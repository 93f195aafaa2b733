// A run as stored on its own device.
import type { FailureContract } from '@tandem/contract/failure'
import type { PauseReason, Run, RunState, Usage } from '@tandem/contract/run'
import type { SandboxMode } from '@tandem/contract/tool'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'

/** The fields that a record and its row have in common. */
interface RunFacts {
  readonly no: number
  readonly run_id: string
  readonly conversation: number
  readonly conversation_id: string
  readonly agent_id: string
  readonly device_id: string
  readonly title: string
  readonly state: RunState
  readonly pause_reason: PauseReason | null
  readonly model: string
  readonly sandbox_mode: SandboxMode
  readonly workspace: string
  readonly next_seq: number
  readonly turns: number
  /** How many times in a row no model responded, and when the run continues automatically; null if it does not. */
  readonly retries: number
  readonly retry_at: number | null
  /** The workflow run that it carries. Then it has no model: its calls come from the nodes of the workflow. */
  readonly workflow_run_id: string | null
  readonly started_at: number
  readonly updated_at: number
  readonly ended_at: number | null
}

export interface RunRecord extends RunFacts {
  readonly usage: Usage
  readonly failure_contract: FailureContract | null
}

export interface RunRow extends RunFacts {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cached_tokens: number
  readonly estimated: number
  readonly failure: string | null
  readonly older_workspace: string | null
  /** Set once its conversation works in another folder. */
  readonly own_workspace: string | null
}

export function toRunRecord({
  input_tokens,
  output_tokens,
  cached_tokens,
  estimated,
  failure,
  older_workspace: _older,
  own_workspace: _own,
  ...row
}: RunRow): RunRecord {
  return {
    ...row,
    usage: { input_tokens, output_tokens, cached_tokens, estimated: estimated === 1 },
    failure_contract: failure === null ? null : JSON.parse(failure),
  }
}

export interface RunReader {
  read(run_id: string): RunRecord | undefined
  /** The run was just written like this. */
  wrote(run: RunRecord): void
}

/** A step reads its run about twenty times and changes it five times. */
export function openRunReader({ sql, kept }: Pick<Store, 'sql' | 'kept'>): RunReader {
  const runs = kept<RunRecord | undefined>('runs', 'conversations')
  function stored(run_id: string): RunRecord | undefined {
    const row = sql.get<RunRow>`
      SELECT r.*, c.conversation_id, coalesce(r.own_workspace, c.workspace) AS workspace FROM runs r JOIN conversations c ON c.no = r.conversation
      WHERE r.run_id = ${run_id}`
    return row && toRunRecord(row)
  }
  return { read: (run_id) => runs.get(run_id, () => stored(run_id)), wrote: (run) => runs.put(run.run_id, run) }
}

/** The run as the contract defines it. */
export function toRun(record: RunRecord): Run {
  const { run_id, agent_id, conversation_id, device_id, title, state, model, sandbox_mode, usage, failure_contract } = record
  return {
    run_id,
    agent_id,
    conversation_id,
    device_id,
    title,
    state,
    model,
    sandbox_mode,
    usage,
    failure_contract,
    started_at: timestamp(record.started_at),
    updated_at: timestamp(record.updated_at),
    ended_at: record.ended_at === null ? null : timestamp(record.ended_at),
  }
}

export const emptyUsage: Usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cached_tokens: left.cached_tokens + right.cached_tokens,
    estimated: left.estimated || right.estimated,
  }
}
