// The workflows of this device, and which versions of them a person here has approved.
import { createHash } from 'node:crypto'
import { canonicalJson } from '@tandem/contract/sync'
import type { WorkflowContent, WorkflowDefinition } from '@tandem/contract/workflow'
import type { WorkflowCloudState } from '@tandem/contract/workflow-run'
import type { Store } from '../../store/store.ts'

export interface WorkflowRecord extends WorkflowContent {
  readonly workflow_id: string
  readonly sha256: string
  /** Counts the changes on this device. */
  readonly version: number
  readonly cloud_state: WorkflowCloudState
  readonly created_at: number
  readonly updated_at: number
}

export interface WorkflowRecords {
  get(workflow_id: string): WorkflowRecord | undefined
  /** By name. */
  list(): readonly WorkflowRecord[]
  /** Without an id, a new one. */
  save(content: WorkflowContent, workflow_id?: string): WorkflowRecord
  /** False if there is none. */
  remove(workflow_id: string): boolean
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

export function definitionHash(definition: WorkflowDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex')
}

export function openWorkflowRecords({ sql, clock, newId, transaction }: Store): WorkflowRecords {
  function get(workflow_id: string): WorkflowRecord | undefined {
    const row = sql.get<WorkflowRow>`SELECT * FROM workflows WHERE workflow_id = ${workflow_id} AND deleted_at IS NULL`
    return row && toRecord(row)
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
          cloud_state = CASE cloud_state WHEN 'same' THEN 'changed' ELSE cloud_state END`
      const saved = get(workflow_id)
      if (!saved) throw new Error(`workflow ${workflow_id} was not saved`)
      return saved
    },
    remove(workflow_id) {
      return transaction(() => {
        if (!get(workflow_id)) return false
        // What is in the cloud is deleted there first.
        sql.run`UPDATE workflows SET deleted_at = ${clock.now()} WHERE workflow_id = ${workflow_id} AND cloud_version IS NOT NULL`
        sql.run`DELETE FROM workflows WHERE workflow_id = ${workflow_id} AND cloud_version IS NULL`
        return true
      })
    },
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
  created_at,
  updated_at,
}: WorkflowRow): WorkflowRecord {
  return {
    ...{ workflow_id, name, sha256, version, cloud_state, created_at, updated_at },
    ...(description === null ? {} : { description }),
    definition: JSON.parse(definition),
  }
}
