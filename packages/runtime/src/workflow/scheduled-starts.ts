// Starts workflows at the times of their schedules. A time starts one run, whatever happens in between.
import { setImmediate } from 'node:timers/promises'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import type { Clock } from '../clock/clock.ts'
import type { ScheduleRecord, ScheduleRecords } from './record/schedule-records.ts'
import type { WorkflowRunRows } from './record/workflow-run-rows.ts'
import { dueOf } from './rule/schedule.ts'
import type { WorkflowRuns } from './workflow-runs.ts'

export interface ScheduledStartPorts {
  readonly clock: Clock
  readonly schedules: ScheduleRecords
  readonly rows: WorkflowRunRows
  readonly workflows: Pick<WorkflowRuns, 'start'>
  log(line: string): void
}

/** Each of them on its own: one that cannot be started does not keep the others waiting, and many do not keep everything else waiting. */
export async function startScheduled({ clock, schedules, rows, workflows, log }: ScheduledStartPorts, stop: AbortSignal): Promise<void> {
  const now = clock.now()
  for (const { schedule_id } of schedules.candidates(now)) {
    if (stop.aborted) return
    // It may have been changed or deleted meanwhile.
    const schedule = schedules.get(schedule_id)
    try {
      if (schedule?.is_enabled) look(schedule)
    } catch (error) {
      log(`schedule ${schedule_id} failed: ${String(error)}`)
    }
    await setImmediate()
  }

  function look(schedule: ScheduleRecord): void {
    const due = dueOf(schedule, now)
    if (!due) return
    const { schedule_id } = schedule
    if (!due.starts) schedules.advance(schedule_id, { next_at: due.next_at })
    else if (isStillRunning(schedule)) schedules.advance(schedule_id, { next_at: due.next_at, last_problem: 'the last run had not ended' })
    else start(schedule, due.next_at)
  }

  function isStillRunning({ last_run_id }: ScheduleRecord): boolean {
    const last = last_run_id === null ? undefined : rows.get(last_run_id)
    return last !== undefined && !isTerminalWorkflowState(last.state)
  }

  function start(
    { schedule_id, workflow_id, agent_id, workspace, inputs, next_at: planned }: ScheduleRecord,
    next_at: number | null,
  ): void {
    const key = `schedule:${schedule_id}:${planned}`
    const started = workflows.start({ workflow_id, agent_id, workspace, inputs: JSON.parse(inputs), inputs_by: 'person', key })
    if (started.ok) {
      schedules.advance(schedule_id, { next_at, last_at: now, last_run_id: started.value.workflow_run_id })
      return
    }
    log(`a scheduled workflow was not started: ${started.message}`)
    schedules.advance(schedule_id, { next_at, last_at: now, last_problem: started.message.slice(0, 500) })
  }
}
