// The workflow runs of this device, for lists and for the engine.
import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import type { Store } from '../../store/store.ts'

export const inputGivers = ['person', 'agent', 'task', 'workflow'] as const
export type InputGiver = (typeof inputGivers)[number]

export interface WorkflowRunRow {
  readonly no: number
  readonly workflow_run_id: string
  readonly workflow_id: string
  readonly name: string
  readonly owner_agent_id: string
  readonly run_id: string
  readonly inputs_by: InputGiver
  readonly parent_id: string | null
  /** The run that started it: of an agent, or of the workflow whose node it is. */
  readonly origin_run_id: string | null
  readonly state: WorkflowRunState
  readonly reason: string | null
  readonly started_at: number
  readonly ended_at: number | null
}

export type NewWorkflowRun = Omit<WorkflowRunRow, 'no' | 'state' | 'reason' | 'ended_at'> & { readonly start_key: string | null }

export interface WorkflowRunQuery {
  readonly workflow_id?: string
  readonly state?: WorkflowRunState
  readonly before?: number
  readonly limit: number
}

export interface WorkflowRunRows {
  add(run: NewWorkflowRun): void
  get(workflow_run_id: string): WorkflowRunRow | undefined
  startedBy(start_key: string): WorkflowRunRow | undefined
  /** Newest first. */
  list(query: WorkflowRunQuery): readonly WorkflowRunRow[]
  /** Those that this run started and that have not ended. */
  openOf(origin_run_id: string): readonly WorkflowRunRow[]
  /** Those that agents started while they worked on nodes of this one, and that have not ended. */
  openOfAgents(workflow_run_id: string): readonly WorkflowRunRow[]
  setState(workflow_run_id: string, changed: Pick<WorkflowRunRow, 'state' | 'reason' | 'ended_at'>): void
  /** It goes on in another run. */
  setCarrier(workflow_run_id: string, run_id: string): void
  /** A run that a node waits for. */
  addChild(run_id: string, workflow_run_id: string, limit_ms: number | null): void
  removeChild(run_id: string): void
  parentOf(run_id: string): string | undefined
  /** An agent works on a node of a workflow run in this conversation. */
  addConversation(conversation_id: string, workflow_run_id: string): void
  workflowRunOf(conversation_id: string): string | undefined
  children(): readonly { readonly run_id: string; readonly workflow_run_id: string; readonly limit_ms: number | null }[]
}

export function openWorkflowRunRows({ sql }: Pick<Store, 'sql'>): WorkflowRunRows {
  return {
    add({ workflow_run_id, workflow_id, name, owner_agent_id, run_id, start_key, inputs_by, parent_id, origin_run_id, started_at }) {
      sql.run`
        INSERT INTO workflow_runs (workflow_run_id, workflow_id, name, owner_agent_id, run_id, start_key, inputs_by, parent_id,
          origin_run_id, state, started_at)
        VALUES (${workflow_run_id}, ${workflow_id}, ${name}, ${owner_agent_id}, ${run_id}, ${start_key}, ${inputs_by}, ${parent_id},
          ${origin_run_id},
          'running', ${started_at})`
    },
    get: (workflow_run_id) => sql.get<WorkflowRunRow>`SELECT * FROM workflow_runs WHERE workflow_run_id = ${workflow_run_id}`,
    startedBy: (start_key) => sql.get<WorkflowRunRow>`SELECT * FROM workflow_runs WHERE start_key = ${start_key}`,
    list({ workflow_id = null, state = null, before = null, limit }) {
      return sql.all<WorkflowRunRow>`
        SELECT * FROM workflow_runs
        WHERE (${workflow_id} IS NULL OR workflow_id = ${workflow_id}) AND (${state} IS NULL OR state = ${state})
          AND (${before} IS NULL OR no < ${before})
        ORDER BY no DESC LIMIT ${limit}`
    },
    openOf: (origin_run_id) =>
      sql.all<WorkflowRunRow>`SELECT * FROM workflow_runs WHERE origin_run_id = ${origin_run_id} AND ended_at IS NULL ORDER BY no`,
    openOfAgents: (workflow_run_id) =>
      sql.all<WorkflowRunRow>`
        SELECT w.* FROM workflow_runs w
        JOIN runs r ON r.run_id = w.origin_run_id
        JOIN conversations c ON c.no = r.conversation
        JOIN workflow_conversations a ON a.conversation_id = c.conversation_id
        WHERE a.workflow_run_id = ${workflow_run_id} AND w.ended_at IS NULL ORDER BY w.no`,
    setState(workflow_run_id, { state, reason, ended_at }) {
      sql.run`
        UPDATE workflow_runs SET state = ${state}, reason = ${reason}, ended_at = ${ended_at} WHERE workflow_run_id = ${workflow_run_id}`
    },
    setCarrier(workflow_run_id, run_id) {
      sql.run`UPDATE workflow_runs SET run_id = ${run_id} WHERE workflow_run_id = ${workflow_run_id}`
    },
    addChild(run_id, workflow_run_id, limit_ms) {
      sql.run`
        INSERT INTO workflow_children (run_id, workflow_run_id, limit_ms) VALUES (${run_id}, ${workflow_run_id}, ${limit_ms})
        ON CONFLICT (run_id) DO NOTHING`
    },
    removeChild: (run_id) => void sql.run`DELETE FROM workflow_children WHERE run_id = ${run_id}`,
    parentOf: (run_id) =>
      sql.get<{ workflow_run_id: string }>`SELECT workflow_run_id FROM workflow_children WHERE run_id = ${run_id}`?.workflow_run_id,
    addConversation(conversation_id, workflow_run_id) {
      sql.run`INSERT INTO workflow_conversations (conversation_id, workflow_run_id) VALUES (${conversation_id}, ${workflow_run_id})`
    },
    workflowRunOf: (conversation_id) =>
      sql.get<{ workflow_run_id: string }>`
        SELECT workflow_run_id FROM workflow_conversations WHERE conversation_id = ${conversation_id}`?.workflow_run_id,
    children: () => sql.all`SELECT run_id, workflow_run_id, limit_ms FROM workflow_children ORDER BY run_id`,
  }
}
