import type { Workflow, WorkflowDefinition, WorkflowListQuery } from '@tandem/contract/workflow'
import type { TransactionSql } from 'postgres'
import { searchPattern } from '../database/text-search.ts'
import { timeCursor } from '../http/page.ts'

export type WorkflowSummary = Omit<Workflow, 'definition'> & { node_count: number }

interface SummaryRow {
  id: string
  name: string
  description: string | null
  node_count: number
  version: string
  created_at: Date
  updated_at: Date
}

type WorkflowRow = Omit<SummaryRow, 'node_count'> & { definition: string }

/** Last changed first; up to one more than `size`. */
export async function listWorkflows(
  sql: TransactionSql,
  userId: string,
  query: WorkflowListQuery,
  size: number,
): Promise<WorkflowSummary[]> {
  const { q, updated_since } = query
  const after = timeCursor('workflows', query.cursor)
  const rows = await sql<SummaryRow[]>`
    select id, name, description, node_count, version, created_at, updated_at from tandem.workflows
    where user_id = ${userId}
      ${updated_since === undefined ? sql`` : sql`and updated_at >= ${updated_since}::timestamptz`}
      ${q === undefined ? sql`` : sql`and (name collate "C" ~ ${searchPattern(q)} or description collate "C" ~ ${searchPattern(q)})`}
      ${after === undefined ? sql`` : sql`and (updated_at, id) < (${after.ts}::timestamptz, ${after.id}::uuid)`}
    order by updated_at desc, id desc
    limit ${size + 1}`
  return rows.map(({ node_count, ...row }) => ({ ...headOf(row), node_count, ...stampsOf(row) }))
}

export async function findWorkflow(sql: TransactionSql, userId: string, id: string): Promise<Workflow | undefined> {
  const [row] = await sql<WorkflowRow[]>`
    select id, name, description, definition, version, created_at, updated_at from tandem.workflows
    where user_id = ${userId} and id = ${id}`
  return row && { ...headOf(row), definition: JSON.parse(row.definition) as WorkflowDefinition, ...stampsOf(row) }
}

export async function insertWorkflow(sql: TransactionSql, userId: string, workflow: Workflow): Promise<void> {
  const { id, name, description, definition, version, created_at, updated_at } = workflow
  await sql`
    insert into tandem.workflows (user_id, id, name, description, definition, node_count, version, created_at, updated_at)
    values (${userId}, ${id}, ${name}, ${description ?? null}, ${JSON.stringify(definition)}, ${definition.nodes.length}, ${version},
      ${created_at}, ${updated_at})`
}

/** The fields of the row that a write needs; it is locked until the transaction ends. */
export async function lockWorkflow(
  sql: TransactionSql,
  userId: string,
  id: string,
): Promise<Pick<Workflow, 'id' | 'version' | 'created_at' | 'updated_at'> | undefined> {
  const [row] = await sql<Pick<WorkflowRow, 'id' | 'version' | 'created_at' | 'updated_at'>[]>`
    select id, version, created_at, updated_at from tandem.workflows where user_id = ${userId} and id = ${id} for update`
  return row && { id: row.id, ...stampsOf(row) }
}

export async function replaceWorkflow(sql: TransactionSql, userId: string, workflow: Workflow): Promise<void> {
  const { id, name, description, definition, version, updated_at } = workflow
  await sql`
    update tandem.workflows
    set name = ${name}, description = ${description ?? null}, definition = ${JSON.stringify(definition)},
      node_count = ${definition.nodes.length}, version = ${version}, updated_at = ${updated_at}
    where user_id = ${userId} and id = ${id}`
}

export async function deleteWorkflow(sql: TransactionSql, userId: string, id: string): Promise<void> {
  await sql`delete from tandem.workflows where user_id = ${userId} and id = ${id}`
}

function headOf({ id, name, description }: Pick<SummaryRow, 'id' | 'name' | 'description'>): Pick<Workflow, 'id' | 'name' | 'description'> {
  return { id, name, ...(description === null ? {} : { description }) }
}

function stampsOf(row: Pick<SummaryRow, 'version' | 'created_at' | 'updated_at'>): Pick<Workflow, 'version' | 'created_at' | 'updated_at'> {
  return { version: Number(row.version), created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
