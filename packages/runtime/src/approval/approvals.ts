// Approvals. Each is stored before it is shown, and is answered once, by its id.
import type { ApprovalAnswer, ApprovalPrompt } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { CheckpointPlan } from '../checkpoint/plan.ts'
import type { Store } from '../store/store.ts'

export interface ApprovalRecord {
  readonly approval_id: string
  readonly run: number
  readonly call_id: string
  readonly fingerprint: string
  readonly prompt: ApprovalPrompt
  /** What the user was told a restore could undo. */
  readonly plan: CheckpointPlan | null
  readonly answer: ApprovalAnswer | 'withdrawn' | null
  readonly reason: string | null
  readonly edited_arguments: string | null
  readonly asked_at: number
  readonly answered_at: number | null
}

export interface ApprovalAnswerInput {
  readonly answer: ApprovalAnswer
  readonly reason: string | null
  readonly edited_arguments: string | null
}

export interface Approvals {
  ask(run: number, prompt: ApprovalPrompt, plan: CheckpointPlan | null): void
  get(approval_id: string): ApprovalRecord | undefined
  pending(run?: number): readonly ApprovalRecord[]
  /** False if it was already answered or withdrawn: the first answer counts. */
  answer(approval_id: string, given: ApprovalAnswerInput): boolean
  /** The answer to the call's latest approval, if there is one. */
  answered(run: number, call_id: string): ApprovalRecord | undefined
  /** The approval rules from the answers "this run", "this team" and "always", for a tool in a run. */
  remembered(run: number, tool: string): readonly ApprovalRule[]
  /** Those from the answer "this team" in a run. */
  rememberedForTeam(run: number, tool: string): readonly ApprovalRule[]
  /** The run ended, so its open approvals can no longer be answered. */
  withdraw(run: number): void
  /** The run was restored to an earlier point: answers to these later calls no longer count. */
  withdrawCalls(run: number, call_ids: readonly string[]): void
}

type ApprovalRow = Omit<ApprovalRecord, 'prompt' | 'plan'> & { readonly prompt: string; readonly plan: string | null }

export function openApprovals({ sql, clock, kept }: Store): Approvals {
  const granted = kept<readonly ApprovalRow[]>('approvals')
  return {
    ask(run, prompt, plan) {
      const { approval_id, call_id, fingerprint } = prompt
      sql.run`
        INSERT INTO approvals (approval_id, run, call_id, fingerprint, prompt, plan, asked_at)
        VALUES (${approval_id}, ${run}, ${call_id}, ${fingerprint}, ${JSON.stringify(prompt)}, ${plan && JSON.stringify(plan)}, ${clock.now()})`
    },
    get(approval_id) {
      const row = sql.get<ApprovalRow>`SELECT * FROM approvals WHERE approval_id = ${approval_id}`
      return row && toRecord(row)
    },
    pending(run) {
      const rows = sql.all<ApprovalRow>`
        SELECT * FROM approvals WHERE answer IS NULL AND (${run ?? null} IS NULL OR run = ${run ?? null})
        ORDER BY asked_at, approval_id`
      return rows.map(toRecord)
    },
    answer(approval_id, { answer, reason, edited_arguments }) {
      const { changes } = sql.run`
        UPDATE approvals SET answer = ${answer}, reason = ${reason}, edited_arguments = ${edited_arguments}, answered_at = ${clock.now()}
        WHERE approval_id = ${approval_id} AND answer IS NULL`
      return Number(changes) === 1
    },
    answered(run, call_id) {
      const row = sql.get<ApprovalRow>`
        SELECT * FROM approvals WHERE run = ${run} AND call_id = ${call_id} ORDER BY approval_id DESC LIMIT 1`
      return row && row.answer !== null ? toRecord(row) : undefined
    },
    remembered(run, tool) {
      const rows = granted.get(
        String(run),
        () => sql.all<ApprovalRow>`SELECT prompt FROM approvals WHERE run = ${run} AND answer IN ('this_run', 'this_team', 'always')`,
      )
      return rulesIn(rows, tool)
    },
    rememberedForTeam(run, tool) {
      const rows = sql.all<ApprovalRow>`SELECT prompt FROM approvals WHERE run = ${run} AND answer = 'this_team'`
      return rulesIn(rows, tool)
    },
    withdrawCalls(run, call_ids) {
      sql.run`
        UPDATE approvals SET answer = 'withdrawn', answered_at = ${clock.now()}
        WHERE run = ${run} AND (answer IS NULL OR call_id IN (SELECT value FROM json_each(${JSON.stringify(call_ids)})))`
    },
    withdraw(run) {
      sql.run`UPDATE approvals SET answer = 'withdrawn', answered_at = ${clock.now()} WHERE run = ${run} AND answer IS NULL`
    },
  }
}

function rulesIn(rows: readonly Pick<ApprovalRow, 'prompt'>[], tool: string): readonly ApprovalRule[] {
  return rows.map(({ prompt }) => JSON.parse(prompt) as ApprovalPrompt).flatMap((prompt) => (prompt.tool === tool ? prompt.remembers : []))
}

function toRecord(row: ApprovalRow): ApprovalRecord {
  return { ...row, prompt: JSON.parse(row.prompt), plan: row.plan === null ? null : JSON.parse(row.plan) }
}
