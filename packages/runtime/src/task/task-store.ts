// What this device knows of the cloud's tasks, so that none is started twice and no end goes untold.
import type { Task, TaskStatusUpdate } from '@tandem/contract/task'
import type { Store } from '../store/store.ts'

/** `claiming`: the cloud was asked for it, and its answer may have been lost. */
export const taskStages = ['offered', 'claiming', 'running', 'ended', 'gone'] as const
export type TaskStage = (typeof taskStages)[number]

export interface KeptTask {
  readonly task_id: string
  readonly title: string
  readonly description: string | null
  readonly input: string | null
  readonly workflow_id: string | null
  /** The device it names; null for whichever starts it first. */
  readonly device_id: string | null
  readonly stage: TaskStage
  readonly run_id: string | null
  readonly untold: TaskStatusUpdate | null
  readonly created_at: string
}

export interface TaskStore {
  get(task_id: string): KeptTask | undefined
  ofRun(run_id: string): KeptTask | undefined
  in(stage: TaskStage): readonly KeptTask[]
  untold(): readonly KeptTask[]
  /** Known ones stay as they are. */
  offer(task: Task): void
  put(task_id: string, change: Partial<Pick<KeptTask, 'stage' | 'run_id' | 'untold'>>): void
}

type Row = Omit<KeptTask, 'untold'> & { readonly untold: string | null }

export function openTaskStore({ sql }: Pick<Store, 'sql'>): TaskStore {
  function get(task_id: string): KeptTask | undefined {
    const row = sql.get`SELECT * FROM cloud_tasks WHERE task_id = ${task_id}` as Row | undefined
    return row && toTask(row)
  }
  return {
    get,
    ofRun(run_id) {
      const row = sql.get`SELECT * FROM cloud_tasks WHERE run_id = ${run_id}` as Row | undefined
      return row && toTask(row)
    },
    in: (stage) => (sql.all`SELECT * FROM cloud_tasks WHERE stage = ${stage} ORDER BY task_id` as unknown as Row[]).map(toTask),
    untold: () => (sql.all`SELECT * FROM cloud_tasks WHERE untold IS NOT NULL ORDER BY task_id` as unknown as Row[]).map(toTask),
    offer({ id, title, description = null, input = null, workflow_id = null, device_id = null, created_at }) {
      sql.run`
        INSERT OR IGNORE INTO cloud_tasks (task_id, title, description, input, workflow_id, device_id, stage, created_at)
        VALUES (${id}, ${title}, ${description}, ${input}, ${workflow_id}, ${device_id}, 'offered', ${created_at})`
    },
    put(task_id, change) {
      const before = get(task_id)
      if (!before) return
      const { stage, run_id, untold } = { ...before, ...change }
      sql.run`
        UPDATE cloud_tasks SET stage = ${stage}, run_id = ${run_id}, untold = ${untold === null ? null : JSON.stringify(untold)}
        WHERE task_id = ${task_id}`
    },
  }
}

function toTask({ untold, ...row }: Row): KeptTask {
  return { ...row, untold: untold === null ? null : JSON.parse(untold) }
}
