// What this device knows about the cloud's tasks, so that none is started twice and every end is reported.
import type { TaskStage } from '@tandem/contract/command'
import type { Task, TaskStatusUpdate } from '@tandem/contract/task'
import type { Store } from '../store/store.ts'

export interface StoredTask {
  readonly task_id: string
  readonly title: string
  readonly description: string | null
  readonly input: string | null
  readonly workflow_id: string | null
  /** The device that should run it; null for any device. */
  readonly device_id: string | null
  readonly stage: TaskStage
  readonly run_id: string | null
  readonly untold: TaskStatusUpdate | null
  readonly created_at: string
}

export interface TaskStore {
  get(task_id: string): StoredTask | undefined
  ofRun(run_id: string): StoredTask | undefined
  in(stage: TaskStage): readonly StoredTask[]
  untold(): readonly StoredTask[]
  /** All except those that other devices have, newest first. */
  list(): readonly StoredTask[]
  /** Adds a task; a known one is not changed. */
  offer(task: Task): void
  put(task_id: string, change: Partial<Pick<StoredTask, 'stage' | 'run_id' | 'untold'>>): void
}

type TaskRow = Omit<StoredTask, 'untold'> & { readonly untold: string | null }

export function openTaskStore({ sql }: Pick<Store, 'sql'>): TaskStore {
  function get(task_id: string): StoredTask | undefined {
    const row = sql.get<TaskRow>`SELECT * FROM cloud_tasks WHERE task_id = ${task_id}`
    return row && toTask(row)
  }
  return {
    get,
    ofRun(run_id) {
      const row = sql.get<TaskRow>`SELECT * FROM cloud_tasks WHERE run_id = ${run_id}`
      return row && toTask(row)
    },
    in: (stage) => sql.all<TaskRow>`SELECT * FROM cloud_tasks WHERE stage = ${stage} ORDER BY task_id`.map(toTask),
    untold: () => sql.all<TaskRow>`SELECT * FROM cloud_tasks WHERE untold IS NOT NULL ORDER BY task_id`.map(toTask),
    list: () => sql.all<TaskRow>`SELECT * FROM cloud_tasks WHERE stage <> 'gone' ORDER BY created_at DESC, task_id DESC`.map(toTask),
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

function toTask({ untold, ...row }: TaskRow): StoredTask {
  return { ...row, untold: untold === null ? null : JSON.parse(untold) }
}
