// The workflows of this device, and which versions of them a person here has approved.
import { createHash } from 'node:crypto'
import { canonicalJson } from '@tandem/contract/sync'
import type { Workflow, WorkflowContent, WorkflowDefinition } from '@tandem/contract/workflow'
import type { WorkflowCloudState } from '@tandem/contract/workflow-run'
import type { Store } from '../../store/store.ts'
import type { LocalWorkflow } from '../rule/reconcile.ts'

export interface WorkflowRecord extends WorkflowContent {
  readonly workflow_id: string
  readonly sha256: string
  /** Counts the changes on this device. */
  readonly version: number
  readonly cloud_state: WorkflowCloudState
  /** The recommendation whose draft it is. Drafts stay on this device. */
  readonly draft_of: string | null
  readonly created_at: number
  readonly updated_at: number
}

export interface WorkflowRecords {
  get(workflow_id: string): WorkflowRecord | undefined
  /** By name. */
  list(): readonly WorkflowRecord[]
  /** Without an id, a new one. */
  save(content: WorkflowContent, workflow_id?: string): WorkflowRecord
  /** It is a draft from now on, or no longer. */
  mark(workflow_id: string, draft_of: string | null): void
  /** False if there is none. */
  remove(workflow_id: string): boolean
  /** All of them except drafts, with those whose deletion the cloud does not know yet. */
  cloudRows(): readonly LocalWorkflow[]
  /** The version of the cloud, in a conflict. */
  theirs(workflow_id: string): Workflow | undefined
  /** Ends a conflict. */
  resolve(workflow_id: string, keep: 'mine' | 'theirs'): void
  /** It is here now as it is in the cloud. Nobody here has approved it, unless the same definition was approved before. */
  arrived(workflow: Workflow): void
  conflict(workflow: Workflow): void
  /** This version is in the cloud now. It may have changed here since. */
  stored(workflow_id: string, version: number, cloud_version: number): void
  markRemoved(workflow_id: string): void
  forget(workflow_id: string): void
  isApproved(sha256: string): boolean
  coversCalls(sha256: string): boolean
  /** To approve it again without its calls takes that approval back. */
  approve(sha256: string, options: { readonly covers_calls: boolean }): void
  withdraw(sha256: string): void
}

interface WorkflowRow extends Omit<WorkflowRecord, 'description' | 'definition'> {
  readonly description: string | null
  readonly definition: string
}

function definitionHash(definition: WorkflowDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex')
}

export function openWorkflowRecords({ sql, clock, newId, transaction }: Store): WorkflowRecords {
  function get(workflow_id: string): WorkflowRecord | undefined {
    const row = sql.get<WorkflowRow>`SELECT * FROM workflows WHERE workflow_id = ${workflow_id} AND deleted_at IS NULL`
    return row && toRecord(row)
  }

  function theirs(workflow_id: string): Workflow | undefined {
    const row = sql.get<{ cloud_content: string | null }>`SELECT cloud_content FROM workflows WHERE workflow_id = ${workflow_id}`
    return row?.cloud_content == null ? undefined : JSON.parse(row.cloud_content)
  }

  function arrived({ id, name, description, definition, version: cloud_version }: Workflow): void {
    const now = clock.now()
    sql.run`
      INSERT INTO workflows (workflow_id, name, description, definition, sha256, version, cloud_state, cloud_version, created_at, updated_at)
      VALUES (${id}, ${name}, ${description ?? null}, ${canonicalJson(definition)}, ${definitionHash(definition)}, 1, 'same', ${cloud_version}, ${now}, ${now})
      ON CONFLICT (workflow_id) DO UPDATE SET name = excluded.name, description = excluded.description, definition = excluded.definition,
        sha256 = excluded.sha256, version = version + 1, cloud_state = 'same', cloud_version = excluded.cloud_version, cloud_content = NULL,
        updated_at = excluded.updated_at, deleted_at = NULL`
  }

  return {
    get,
    list: () =>
      sql.all<WorkflowRow>`SELECT * FROM workflows WHERE deleted_at IS NULL ORDER BY name COLLATE NOCASE, workflow_id`.map(toRecord),
    save({ name, description = null, definition }, workflow_id = newId()) {
      const now = clock.now()
      sql.run`
        INSERT INTO workflows (workflow_id, name, description, definition, sha256, version, created_at, updated_at)
        VALUES (${workflow_id}, ${name}, ${description}, ${canonicalJson(definition)}, ${definitionHash(definition)}, 1, ${now}, ${now})
        ON CONFLICT (workflow_id) DO UPDATE SET name = excluded.name, description = excluded.description, definition = excluded.definition,
          sha256 = excluded.sha256, version = version + 1, updated_at = excluded.updated_at, deleted_at = NULL,
          cloud_state = CASE cloud_state WHEN 'same' THEN 'changed' WHEN 'removed' THEN 'here' ELSE cloud_state END,
          cloud_version = CASE cloud_state WHEN 'removed' THEN NULL ELSE cloud_version END`
      const saved = get(workflow_id)
      if (!saved) throw new Error(`workflow ${workflow_id} was not saved`)
      return saved
    },
    mark: (workflow_id, draft_of) => void sql.run`UPDATE workflows SET draft_of = ${draft_of} WHERE workflow_id = ${workflow_id}`,
    remove(workflow_id) {
      return transaction(() => {
        if (!get(workflow_id)) return false
        // What is in the cloud is deleted there first.
        sql.run`UPDATE workflows SET deleted_at = ${clock.now()} WHERE workflow_id = ${workflow_id} AND cloud_version IS NOT NULL`
        sql.run`DELETE FROM workflows WHERE workflow_id = ${workflow_id} AND cloud_version IS NULL`
        return true
      })
    },
    cloudRows: () =>
      sql.all<Omit<LocalWorkflow, 'is_deleted'> & { deleted_at: number | null }>`
        SELECT workflow_id, cloud_state, cloud_version, deleted_at FROM workflows WHERE draft_of IS NULL ORDER BY workflow_id`.map(
        ({ deleted_at, ...row }) => ({
          ...row,
          is_deleted: deleted_at !== null,
        }),
      ),
    theirs,
    resolve(workflow_id, keep) {
      const other = theirs(workflow_id)
      if (!other) return
      if (keep === 'theirs') arrived(other)
      else
        sql.run`
          UPDATE workflows SET cloud_state = 'changed', cloud_version = ${other.version}, cloud_content = NULL WHERE workflow_id = ${workflow_id}`
    },
    arrived,
    conflict(workflow) {
      sql.run`
        UPDATE workflows SET cloud_state = 'conflict', cloud_version = ${workflow.version}, cloud_content = ${JSON.stringify(workflow)}
        WHERE workflow_id = ${workflow.id}`
    },
    stored(workflow_id, version, cloud_version) {
      sql.run`
        UPDATE workflows SET cloud_version = ${cloud_version}, cloud_state = CASE version WHEN ${version} THEN 'same' ELSE 'changed' END
        WHERE workflow_id = ${workflow_id}`
    },
    markRemoved: (workflow_id) => void sql.run`UPDATE workflows SET cloud_state = 'removed' WHERE workflow_id = ${workflow_id}`,
    forget: (workflow_id) => void sql.run`DELETE FROM workflows WHERE workflow_id = ${workflow_id} AND deleted_at IS NOT NULL`,
    isApproved: (sha256) => sql.get`SELECT 1 AS found FROM workflow_approvals WHERE sha256 = ${sha256}` !== undefined,
    coversCalls: (sha256) => sql.get`SELECT 1 AS found FROM workflow_approvals WHERE sha256 = ${sha256} AND covers_calls = 1` !== undefined,
    approve(sha256, { covers_calls }) {
      sql.run`
        INSERT INTO workflow_approvals (sha256, approved_at, covers_calls) VALUES (${sha256}, ${clock.now()}, ${covers_calls ? 1 : 0})
        ON CONFLICT (sha256) DO UPDATE SET approved_at = excluded.approved_at, covers_calls = excluded.covers_calls`
    },
    withdraw: (sha256) => void sql.run`DELETE FROM workflow_approvals WHERE sha256 = ${sha256}`,
  }
}

function toRecord({
  workflow_id,
  name,
  description,
  definition,
  sha256,
  version,
  cloud_state,
  draft_of,
  created_at,
  updated_at,
}: WorkflowRow): WorkflowRecord {
  return {
    ...{ workflow_id, name, sha256, version, cloud_state, draft_of, created_at, updated_at },
    ...(description === null ? {} : { description }),
    definition: JSON.parse(definition),
  }
}
