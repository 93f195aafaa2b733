// Tasks that the cloud stores and publishes. A device runs them; the cloud only enforces the table of status transitions.
import type { Task, TaskCreate, TaskListQuery, TaskStatusUpdate, TaskSummary } from '@tandem/contract/task'
import type { FieldError } from '@tandem/contract/validation'
import type { TransactionSql } from 'postgres'
import { newId } from '../http/id.ts'
import { runIdempotently, type StoredReply } from '../http/idempotency.ts'
import { requireVersion } from '../http/if-match.ts'
import { type Page, pageOf, pageSize } from '../http/page.ts'
import { type Refusal, refuse } from '../http/refusal.ts'
import { faultOf, json, refuseFaults, text } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import { withStatus } from './status.ts'
import * as store from './store.ts'

export interface Tasks {
  create(userId: string, key: string | undefined, body: TaskCreate): Promise<StoredReply<201, Task>>
  list(userId: string, query: TaskListQuery): Promise<Page<TaskSummary>>
  get(userId: string, id: string): Promise<Task>
  updateStatus(userId: string, id: string, ifMatch: string | undefined, update: TaskStatusUpdate): Promise<Task>
}

export function openTasks({ database, hub, now }: Pick<Services, 'database' | 'hub' | 'now'>): Tasks {
  /** After the commit, so that a device that reads immediately finds it. */
  function tell(userId: string, type: 'task.created' | 'task.updated' | 'task.canceled', task: Task): void {
    const { id, device_id, status, status_ts } = task
    hub.tell(userId, { type, task_id: id, ...(device_id === undefined ? {} : { device_id }), status, status_ts })
  }

  return {
    async create(userId, key, body) {
      refuseFaults([
        ...faultOf(text, '/title', body.title),
        ...faultOf(text, '/description', body.description),
        ...faultOf(json, '/input', body.input),
      ])
      let made: Task | undefined
      const reply = await database.asUser(userId, (sql) =>
        runIdempotently(sql, { user_id: userId, key, route: 'tasks_create', request: body }, async () => {
          await demandReferences(sql, userId, body)
          made = newTask(body, now())
          await store.insertTask(sql, userId, made)
          return { status: 201 as const, body: made }
        }),
      )
      if (made) tell(userId, 'task.created', made)
      return reply
    },

    async list(userId, query) {
      const size = pageSize(query)
      const { tasks, found } = await database.asUser(userId, (sql) => store.listTasks(sql, userId, query, size))
      return pageOf('tasks', tasks, size, ({ id }) => [id], found)
    },

    async get(userId, id) {
      const task = await database.asUser(userId, (sql) => store.findTask(sql, userId, id))
      if (!task) throw missing(id)
      return task
    },

    async updateStatus(userId, id, ifMatch, update) {
      refuseFaults(update.status === 'completed' ? faultOf(json, '/result', update.result) : [])
      const task = await database.asUser(userId, async (sql) => {
        const stored = await store.lockTask(sql, userId, id)
        if (!stored) throw missing(id)
        requireVersion(ifMatch, stored.version, `task ${id}`)
        const outcome = withStatus(stored, update, new Date(now()).toISOString())
        if (!outcome.ok) throw refuse(outcome.code, outcome.message, 'allowed' in outcome ? { allowed: outcome.allowed } : {})
        await store.writeStatus(sql, userId, outcome.task)
        return outcome.task
      })
      tell(userId, task.status === 'canceled' ? 'task.canceled' : 'task.updated', task)
      return task
    },
  }
}

function newTask(body: TaskCreate, now: number): Task {
  const at = new Date(now).toISOString()
  return { id: newId(now), ...body, status: 'pending', status_ts: at, version: 1, created_at: at, updated_at: at }
}

async function demandReferences(sql: TransactionSql, userId: string, { workflow_id, device_id }: TaskCreate): Promise<void> {
  if (workflow_id === undefined && device_id === undefined) return
  const names = { ...(workflow_id === undefined ? {} : { workflow_id }), ...(device_id === undefined ? {} : { device_id }) }
  const found = await store.findReferences(sql, userId, names)
  const errors: FieldError[] = []
  if (workflow_id !== undefined && !found.workflow) errors.push({ pointer: '/workflow_id', message: `there is no workflow ${workflow_id}` })
  if (device_id !== undefined && !found.device) errors.push({ pointer: '/device_id', message: `there is no device ${device_id}` })
  const [first] = errors
  if (first) throw refuse('unknown_reference', first.message, { errors })
}

function missing(id: string): Refusal {
  return refuse('not_found', `there is no task ${id}`)
}
