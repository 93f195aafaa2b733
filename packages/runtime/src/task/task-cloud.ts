// Tasks in the cloud's API.
import { createHash } from 'node:crypto'
import type { Task, TaskCreate, TaskListQuery, TaskStatusUpdate, TaskSummary } from '@tandem/contract/task'
import type { Account } from '../account/account.ts'
import type { Answer } from '../account/answer.ts'

export interface TaskCloud {
  get(task_id: string): Promise<Answer<Task>>
  /** Tasks that no device has started, newest first. */
  pending(): Promise<Answer<readonly TaskSummary[]>>
  tell(task_id: string, update: TaskStatusUpdate): Promise<Answer<Task>>
}

/** For users who list all tasks or create one. */
export interface TaskDirectory {
  list(query: TaskListQuery): Promise<Answer<TaskPage>>
  /** The same key never creates two tasks. */
  create(task: TaskCreate, key: string): Promise<Answer<Task>>
}

export interface TaskPage {
  readonly items: readonly TaskSummary[]
  readonly next_cursor: string | null
}

export function openTaskCloud(account: Pick<Account, 'call'>): TaskCloud & TaskDirectory {
  function list(query: TaskListQuery): Promise<Answer<TaskPage>> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    return account.call({ method: 'GET', path: `/api/v1/tasks?${new URLSearchParams(given)}` })
  }
  return {
    get: (task_id) => account.call({ method: 'GET', path: `/api/v1/tasks/${encodeURIComponent(task_id)}` }),
    async pending() {
      const answer = await list({ status: 'pending', limit: 200 })
      return answer.kind === 'ok' ? { kind: 'ok', body: answer.body.items } : answer
    },
    tell: (task_id, json) => account.call({ method: 'PUT', path: `/api/v1/tasks/${encodeURIComponent(task_id)}/status`, json }),
    list,
    create: (json, key) => account.call({ method: 'POST', path: '/api/v1/tasks', json, headers: { 'idempotency-key': keyFor(key) } }),
  }
}

/** The cloud limits the length of a key. */
function keyFor(key: string): string {
  return createHash('sha256').update(`task ${key}`).digest('hex')
}
