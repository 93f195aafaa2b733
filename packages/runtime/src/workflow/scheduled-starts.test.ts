import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openStore } from '../store/store.ts'
import { openScheduleRecords } from './record/schedule-records.ts'
import { openWorkflowRunRows } from './record/workflow-run-rows.ts'
import { startScheduled } from './scheduled-starts.ts'

test('a workflow that cannot be started does not keep the others from starting, and nothing else from being done', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-schedules-'))
  const clock = testClock(Date.parse('2026-05-01T06:00:00Z'))
  const store = openStore({ home, clock })
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true })
  })
  const schedules = openScheduleRecords(store)
  const next_at = clock.now() + 1_000
  const due = {
    cron: '0 7 * * *',
    time_zone: 'UTC',
    missed: 'skip',
    agent_id: 'a',
    workspace: '/w',
    inputs: '{}',
    is_enabled: true,
  } as const
  for (const workflow_id of ['bad', 'good', 'deleted']) schedules.save({ ...due, workflow_id, next_at })
  const [, , last] = schedules.list()
  clock.advance(2_000)
  const asked: string[] = []
  const logged: string[] = []
  const workflows = {
    start({ workflow_id }: { readonly workflow_id: string }) {
      asked.push(workflow_id)
      if (workflow_id === 'bad') throw new Error('it cannot be read')
      return { ok: false, code: 'not_found', message: 'not today' } as const
    },
  }
  const ports = { clock, schedules, rows: openWorkflowRunRows(store), workflows, log: (line: string) => logged.push(line) }
  const starting = startScheduled(ports, new AbortController().signal)
  schedules.remove(last?.schedule_id ?? '')
  await starting
  expect([asked, logged.map((line) => line.replace(/[0-9a-f-]{36}/, 'ID'))]).toEqual([
    ['bad', 'good'],
    ['schedule ID failed: Error: it cannot be read', 'a scheduled workflow was not started: not today'],
  ])
})
