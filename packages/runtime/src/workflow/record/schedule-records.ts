// The schedules of this device.
import type { Store } from '../../store/store.ts'
import type { ScheduleTimes } from '../rule/schedule.ts'

export interface ScheduleRecord extends ScheduleTimes {
  readonly schedule_id: string
  readonly workflow_id: string
  readonly agent_id: string
  readonly workspace: string
  /** As JSON, given by a person on this device. */
  readonly inputs: string
  readonly is_enabled: boolean
  readonly last_run_id: string | null
  readonly last_problem: string | null
}

type ScheduleRow = Omit<ScheduleRecord, 'is_enabled'> & { readonly is_enabled: number }

export type ScheduleFields = Pick<
  ScheduleRecord,
  'workflow_id' | 'cron' | 'time_zone' | 'missed' | 'agent_id' | 'workspace' | 'inputs' | 'is_enabled' | 'next_at'
>

export interface ScheduleRecords {
  get(schedule_id: string): ScheduleRecord | undefined
  list(workflow_id?: string): readonly ScheduleRecord[]
  /** Those that may be due, and those that started at a time that has not come yet. */
  candidates(now: number): readonly ScheduleRecord[]
  save(fields: ScheduleFields, schedule_id?: string): ScheduleRecord
  remove(schedule_id: string): boolean
  /** It was due. */
  advance(
    schedule_id: string,
    news: Pick<ScheduleRecord, 'next_at'> & Partial<Pick<ScheduleRecord, 'last_at' | 'last_run_id' | 'last_problem'>>,
  ): void
}

export function openScheduleRecords({ sql, clock, newId }: Store): ScheduleRecords {
  function get(schedule_id: string): ScheduleRecord | undefined {
    const row = sql.get<ScheduleRow>`SELECT * FROM workflow_schedules WHERE schedule_id = ${schedule_id}`
    return row && toRecord(row)
  }

  return {
    get,
    list: (workflow_id) =>
      sql.all<ScheduleRow>`
        SELECT * FROM workflow_schedules WHERE (${workflow_id ?? null} IS NULL OR workflow_id = ${workflow_id ?? null})
        ORDER BY next_at IS NULL, next_at, schedule_id`.map(toRecord),
    candidates: (now) =>
      sql.all<ScheduleRow>`
        SELECT * FROM workflow_schedules WHERE is_enabled = 1 AND (next_at <= ${now} OR last_at > ${now}) ORDER BY next_at, schedule_id`.map(
        toRecord,
      ),
    save(fields, schedule_id = newId()) {
      const { workflow_id, cron, time_zone, missed, agent_id, workspace, inputs, is_enabled, next_at } = fields
      sql.run`
        INSERT INTO workflow_schedules (schedule_id, workflow_id, cron, time_zone, missed, agent_id, workspace, inputs, is_enabled, next_at, created_at)
        VALUES (${schedule_id}, ${workflow_id}, ${cron}, ${time_zone}, ${missed}, ${agent_id}, ${workspace}, ${inputs}, ${is_enabled ? 1 : 0},
          ${next_at}, ${clock.now()})
        ON CONFLICT (schedule_id) DO UPDATE SET workflow_id = excluded.workflow_id, cron = excluded.cron, time_zone = excluded.time_zone,
          missed = excluded.missed, agent_id = excluded.agent_id, workspace = excluded.workspace, inputs = excluded.inputs,
          is_enabled = excluded.is_enabled, next_at = excluded.next_at, last_problem = NULL`
      const saved = get(schedule_id)
      if (!saved) throw new Error(`schedule ${schedule_id} was not saved`)
      return saved
    },
    remove: (schedule_id) => Number(sql.run`DELETE FROM workflow_schedules WHERE schedule_id = ${schedule_id}`.changes) > 0,
    advance(schedule_id, { next_at, last_at, last_run_id, last_problem = null }) {
      sql.run`
        UPDATE workflow_schedules SET next_at = ${next_at}, last_at = coalesce(${last_at ?? null}, last_at),
          last_run_id = coalesce(${last_run_id ?? null}, last_run_id), last_problem = ${last_problem}
        WHERE schedule_id = ${schedule_id}`
    },
  }
}

function toRecord({ is_enabled, ...row }: ScheduleRow): ScheduleRecord {
  const { schedule_id, workflow_id, cron, time_zone, missed, agent_id, workspace, inputs, next_at, last_at, last_run_id, last_problem } =
    row
  return {
    ...{ schedule_id, workflow_id, cron, time_zone, missed, agent_id, workspace, inputs, next_at, last_at, last_run_id, last_problem },
    is_enabled: is_enabled === 1,
  }
}
