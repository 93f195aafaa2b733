// Tasks as the cloud carries them.
import type { Task, TaskStatusUpdate, TaskSummary } from '@tandem/contract/task'
import type { Account } from '../account/account.ts'
import type { Answer } from '../account/answer.ts'

export interface TaskCloud {
  get(task_id: string): Promise<Answer<Task>>
  /** Those that nobody has started, newest first. */
  pending(): Promise<Answer<readonly TaskSummary[]>>
  tell(task_id: string, update: TaskStatusUpdate): Promise<Answer<Task>>
}

export function openTaskCloud(account: Account): TaskCloud {
  return {
    get: (task_id) => account.call({ method: 'GET', path: `/api/v1/tasks/${encodeURIComponent(task_id)}` }),
    async pending() {
      const answer = await account.call<{ items: readonly TaskSummary[] }>({
        method: 'GET',
        path: '/api/v1/tasks?status=pending&limit=200',
      })
      return answer.kind === 'ok' ? { kind: 'ok', body: answer.body.items } : answer
    },
    tell: (task_id, json) => account.call({ method: 'PUT', path: `/api/v1/tasks/${encodeURIComponent(task_id)}/status`, json }),
  }
}
