import type { CommandErrorCode, ListedTask } from '@tandem/contract/command'
import type { TaskState, TaskSummary } from '@tandem/contract/task'
import type { NewId } from '../clock/id.ts'
import { toOutcome } from '../feature/cloud-outcome.ts'
import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { TaskOutcome, TaskService } from './service.ts'
import type { TaskDirectory } from './task-cloud.ts'
import type { StoredTask } from './task-store.ts'

export interface TaskCommandPorts {
  service(): Promise<{ readonly tasks: TaskService; readonly directory: TaskDirectory; lookForTasks(): Promise<void> }>
  run(run_id: string): RunRecord | undefined
  readonly newId: NewId
}

export function taskHandlers({ service, run, newId }: TaskCommandPorts): CommandTable {
  function here(task: StoredTask): ListedTask {
    const { task_id, title, description, device_id, stage, run_id, created_at } = task
    const of = run_id === null ? undefined : run(run_id)
    const error = of?.failure_contract?.details.message ?? null
    return { task_id, title, description, device_id, status: statusOf(task, of), error, stage, run_id, created_at }
  }

  function there(summary: TaskSummary, kept: StoredTask | undefined): ListedTask {
    const { id, title, description = null, device_id = null, status, error, created_at } = summary
    const { stage = null, run_id = null } = kept ?? {}
    return { task_id: id, title, description, device_id, status, error: error?.message ?? null, stage, run_id, created_at }
  }

  function shown(outcome: TaskOutcome): Outcome<{ task: ListedTask }> {
    if (outcome.ok) return { ok: true, value: { task: here(outcome.task) } }
    const { code, message } = outcome
    return { ok: false, code: codes[code], message }
  }

  return {
    async task_list({ where = 'here', status, ...paging }) {
      const { tasks, directory, lookForTasks } = await service()
      if (where === 'here') {
        await lookForTasks()
        const all = tasks.list().map(here)
        const wanted = all.filter((task) => status === undefined || task.status === status)
        return pageBy('task_list', wanted, ({ task_id }) => task_id, paging)
      }
      const answer = await directory.list({ ...paging, ...(status === undefined ? {} : { status }) })
      return toOutcome(answer, ({ items, next_cursor }) => ({ items: items.map((task) => there(task, tasks.get(task.id))), next_cursor }))
    },
    async task_create({ key, ...task }) {
      const { tasks, directory } = await service()
      const answer = await directory.create(task, key ?? newId())
      return toOutcome(answer, (made) => ({ task: there(made, tasks.get(made.id)) }))
    },
    task_accept: async ({ task_id }) => shown(await (await service()).tasks.accept(task_id)),
    task_decline: async ({ task_id }) => shown(await (await service()).tasks.decline(task_id)),
    async task_get_mode() {
      return { ok: true, value: { mode: (await service()).tasks.mode() } }
    },
    async task_set_mode({ mode }) {
      const { tasks } = await service()
      tasks.setMode(mode)
      return { ok: true, value: { mode } }
    },
  }
}

const codes: Record<Extract<TaskOutcome, { ok: false }>['code'], CommandErrorCode> = {
  not_found: 'not_found',
  not_available: 'not_available',
  transition_refused: 'transition_refused',
  unreachable: 'cloud_unreachable',
  not_started: 'transition_refused',
}

/** The state of the task as the cloud would report it, including what is not reported yet. */
function statusOf({ stage, untold }: StoredTask, run: RunRecord | undefined): TaskState {
  if (stage === 'offered' || stage === 'claiming') return 'pending'
  if (stage === 'running') return 'running'
  if (untold) return untold.status
  return run && run.state !== 'running' && run.state !== 'paused' ? run.state : 'canceled'
}
