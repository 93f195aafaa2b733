import type { Task, TaskError, TaskListQuery, TaskSummary } from '@tandem/contract/task'
import type { TransactionSql } from 'postgres'
import { idCursor, pageBytes } from '../http/page.ts'

interface SummaryRow {
  id: string
  title: string
  description: string | null
  workflow_id: string | null
  device_id: string | null
  status: Task['status']
  status_ts: Date
  error: string | null
  version: string
  created_at: Date
  updated_at: Date
}

interface TaskRow extends SummaryRow {
  input: string | null
  result: string | null
}

/** Newest first; `found` counts up to one more than `size`, including those that `pageBytes` excluded. */
export async function listTasks(
  sql: TransactionSql,
  userId: string,
  query: TaskListQuery,
  size: number,
): Promise<{ tasks: TaskSummary[]; found: number }> {
  const { status, device_id, workflow_id } = query
  const after = idCursor('tasks', query.cursor)
  const rows = await sql<(SummaryRow & { found: number })[]>`
    with page as (
      select ${summaryColumns(sql)} from tandem.tasks
      where user_id = ${userId}
        ${status === undefined ? sql`` : sql`and status = ${status}`}
        ${device_id === undefined ? sql`` : sql`and device_id = ${device_id}`}
        ${workflow_id === undefined ? sql`` : sql`and workflow_id = ${workflow_id}`}
        ${after === undefined ? sql`` : sql`and id < ${after}::uuid`}
      order by id desc
      limit ${size + 1}
    ), weighed as (
      select page.*, count(*) over ()::integer as found, row_number() over newest as place,
        sum(coalesce(octet_length(description), 0) + coalesce(octet_length(error), 0)) over newest as bytes
      from page window newest as (order by id desc)
    )
    select ${summaryColumns(sql)}, found from weighed where place = 1 or bytes <= ${pageBytes} order by id desc`
  return { tasks: rows.map(summaryOf), found: rows[0]?.found ?? 0 }
}

export async function findTask(sql: TransactionSql, userId: string, id: string): Promise<Task | undefined> {
  const [row] = await sql<TaskRow[]>`select ${columns(sql)} from tandem.tasks where user_id = ${userId} and id = ${id}`
  return row && taskOf(row)
}

/** The row is locked until the transaction ends: of two devices that start it, the second reads the result of the first. */
export async function lockTask(sql: TransactionSql, userId: string, id: string): Promise<Task | undefined> {
  const [row] = await sql<TaskRow[]>`select ${columns(sql)} from tandem.tasks where user_id = ${userId} and id = ${id} for update`
  return row && taskOf(row)
}

export async function insertTask(sql: TransactionSql, userId: string, task: Task): Promise<void> {
  const { id, title, description, input, workflow_id, device_id, status, status_ts, version, created_at, updated_at } = task
  await sql`
    insert into tandem.tasks (user_id, id, title, description, input, workflow_id, device_id, status, status_ts, version, created_at, updated_at)
    values (${userId}, ${id}, ${title}, ${description ?? null}, ${input ?? null}, ${workflow_id ?? null}, ${device_id ?? null}, ${status},
      ${status_ts}, ${version}, ${created_at}, ${updated_at})`
}

export async function writeStatus(sql: TransactionSql, userId: string, task: Task): Promise<void> {
  const { id, device_id, status, status_ts, result, error, version, updated_at } = task
  await sql`
    update tandem.tasks
    set device_id = ${device_id ?? null}, status = ${status}, status_ts = ${status_ts}, result = ${result ?? null},
      error = ${error === undefined ? null : JSON.stringify(error)}, version = ${version}, updated_at = ${updated_at}
    where user_id = ${userId} and id = ${id}`
}

/** Which of the references of a new task belong to this user. */
export async function findReferences(
  sql: TransactionSql,
  userId: string,
  names: { readonly workflow_id?: string; readonly device_id?: string },
): Promise<{ workflow: boolean; device: boolean }> {
  const [found] = await sql<{ workflow: boolean; device: boolean }[]>`
    select
      exists (select 1 from tandem.workflows where user_id = ${userId} and id = ${names.workflow_id ?? null}) as workflow,
      exists (select 1 from tandem.devices where user_id = ${userId} and device_id = ${names.device_id ?? null}) as device`
  return found ?? { workflow: false, device: false }
}

function summaryColumns(sql: TransactionSql) {
  return sql`id, title, description, workflow_id, device_id, status, status_ts, error, version, created_at, updated_at`
}

function columns(sql: TransactionSql) {
  return sql`${summaryColumns(sql)}, input, result`
}

function taskOf(row: TaskRow): Task {
  return {
    ...summaryOf(row),
    ...(row.input === null ? {} : { input: row.input }),
    ...(row.result === null ? {} : { result: row.result }),
  }
}

function summaryOf(row: SummaryRow): TaskSummary {
  return {
    id: row.id,
    title: row.title,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.workflow_id === null ? {} : { workflow_id: row.workflow_id }),
    ...(row.device_id === null ? {} : { device_id: row.device_id }),
    status: row.status,
    status_ts: row.status_ts.toISOString(),
    ...(row.error === null ? {} : { error: JSON.parse(row.error) as TaskError }),
    version: Number(row.version),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
