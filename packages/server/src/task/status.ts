// Applies a status that a device requests to a task. Pure; the table of transitions is in the contract.
import { type Task, type TaskState, type TaskStatusUpdate, taskTransitions, taskTriggerTo } from '@tandem/contract/task'
import { transition } from '@tandem/contract/transition'

export type StatusOutcome =
  | { readonly ok: true; readonly task: Task }
  | { readonly ok: false; readonly code: 'transition_refused'; readonly message: string; readonly allowed: TaskState[] }
  | { readonly ok: false; readonly code: 'wrong_device'; readonly message: string }

/** `now` is an ISO time. A task without a device is assigned to the one that starts it. */
export function withStatus(task: Task, update: TaskStatusUpdate, now: string): StatusOutcome {
  const outcome = transition(taskTransitions, task.status, taskTriggerTo[update.status])
  if (!outcome.ok) return { ok: false, code: outcome.code, message: outcome.message, allowed: statesAfter(task.status) }
  if (isForeign(task, update)) {
    return {
      ok: false,
      code: 'wrong_device',
      message: `task ${task.id} is assigned to the device ${task.device_id}, not to ${update.device_id}`,
    }
  }
  const at = now > task.updated_at ? now : task.updated_at
  const claimed = update.status === 'running' && update.device_id !== undefined ? { device_id: update.device_id } : {}
  const result = update.status === 'completed' && update.result !== undefined ? { result: update.result } : {}
  const error = update.status === 'failed' ? { error: update.error } : {}
  const moved = { status: outcome.state, status_ts: at, updated_at: at, version: task.version + 1 }
  return { ok: true, task: { ...task, ...claimed, ...result, ...error, ...moved } }
}

export function statesAfter(state: TaskState): TaskState[] {
  const { states, rows } = taskTransitions
  return states.filter((to) => rows.some((row) => row.to === to && row.from.some((from) => from === state)))
}

/** Any device may cancel; only the assigned device may do the work. A caller without a device id is trusted. */
function isForeign(task: Task, update: TaskStatusUpdate): boolean {
  if (update.status === 'canceled' || task.device_id === undefined || update.device_id === undefined) return false
  return update.device_id !== task.device_id
}
