// The number of rows in each table, for diagnostics.
import type { Store } from './store.ts'

interface Counted {
  readonly name: string
  readonly count: number
}

export function countRows({ sql }: Pick<Store, 'sql'>): readonly Counted[] {
  return [
    { name: 'conversations', count: countOf(sql.get`SELECT count(*) AS count FROM conversations`) },
    { name: 'runs', count: countOf(sql.get`SELECT count(*) AS count FROM runs`) },
    { name: 'agent_run_steps', count: countOf(sql.get`SELECT count(*) AS count FROM agent_run_steps`) },
    { name: 'messages', count: countOf(sql.get`SELECT count(*) AS count FROM messages`) },
    { name: 'tool_calls', count: countOf(sql.get`SELECT count(*) AS count FROM tool_calls`) },
    { name: 'workflow_run_events', count: countOf(sql.get`SELECT count(*) AS count FROM workflow_run_events`) },
    { name: 'approvals', count: countOf(sql.get`SELECT count(*) AS count FROM approvals`) },
    { name: 'questions', count: countOf(sql.get`SELECT count(*) AS count FROM questions`) },
    { name: 'runtime_run_checkpoints', count: countOf(sql.get`SELECT count(*) AS count FROM runtime_run_checkpoints`) },
    { name: 'runtime_checkpoint_artifacts', count: countOf(sql.get`SELECT count(*) AS count FROM runtime_checkpoint_artifacts`) },
    { name: 'events', count: countOf(sql.get`SELECT count(*) AS count FROM events`) },
    { name: 'lifecycle_events', count: countOf(sql.get`SELECT count(*) AS count FROM lifecycle_events`) },
    { name: 'outbox', count: countOf(sql.get`SELECT count(*) AS count FROM outbox`) },
    { name: 'sync_quarantine', count: countOf(sql.get`SELECT count(*) AS count FROM sync_quarantine`) },
    { name: 'sync_unread', count: countOf(sql.get`SELECT count(*) AS count FROM sync_unread`) },
    { name: 'cloud_tasks', count: countOf(sql.get`SELECT count(*) AS count FROM cloud_tasks`) },
    ...grouped(sql.all`SELECT entity_type AS name, count(*) AS count FROM records WHERE deleted = 0 GROUP BY 1 ORDER BY 1`),
  ]
}

export function countRuns({ sql }: Pick<Store, 'sql'>): readonly { readonly state: string; readonly count: number }[] {
  return grouped(sql.all`SELECT state AS name, count(*) AS count FROM runs GROUP BY 1 ORDER BY 1`).map(({ name, count }) => ({
    state: name,
    count,
  }))
}

function countOf(row: Record<string, unknown> | undefined): number {
  return Number(row?.count ?? 0)
}

function grouped(rows: readonly Record<string, unknown>[]): readonly Counted[] {
  return rows.map(({ name, count }) => ({ name: String(name), count: Number(count) }))
}
