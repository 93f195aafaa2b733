// Tasks in the cloud's API.
import { createHash } from 'node:crypto'
import type { Task, TaskCreate, TaskListQuery, TaskStatusUpdate, TaskSummary } from '@tandem/contract/task'
import type { Account } from '../account/account.ts'
import type { CloudResult } from '../account/cloud-result.ts'

export interface TaskCloud {
  get(task_id: string): Promise<CloudResult<Task>>
  /** Tasks that no device has started, newest first. */
  pending(): Promise<CloudResult<readonly TaskSummary[]>>
  updateStatus(task_id: string, update: TaskStatusUpdate): Promise<CloudResult<Task>>
}

/** For users who list all tasks or create one. */
export interface TaskDirectory {
  list(query: TaskListQuery): Promise<CloudResult<TaskPage>>
  /** The same key never creates two tasks. */
  create(task: TaskCreate, key: string): Promise<CloudResult<Task>>
}

export interface TaskPage {
  readonly items: readonly TaskSummary[]
  readonly next_cursor: string | null
}

export function openTaskCloud(account: Pick<Account, 'call'>): TaskCloud & TaskDirectory {
  function list(query: TaskListQuery): Promise<CloudResult<TaskPage>> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    return account.call({ method: 'GET', path: `/api/v1/tasks?${new URLSearchParams(given)}` })
  }
  return {
    get: (task_id) => account.call({ method: 'GET', path: `/api/v1/tasks/${encodeURIComponent(task_id)}` }),
    async pending() {
      const answer = await list({ status: 'pending', limit: 200 })
      return answer.kind === 'ok' ? { kind: 'ok', body: answer.body.items } : answer
    },
    updateStatus: (task_id, json) => account.call({ method: 'PUT', path: `/api/v1/tasks/${encodeURIComponent(task_id)}/status`, json }),
    list,
    create: (json, key) => account.call({ method: 'POST', path: '/api/v1/tasks', json, headers: { 'idempotency-key': keyFor(key) } }),
  }
}

/** The cloud limits the length of a key. */
function keyFor(key: string): string {
  return createHash('sha256').update(`task ${key}`).digest('hex')
}
