import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import type { WrittenWorkflowRunEvent } from '@tandem/contract/workflow-run'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openStore } from '../store/store.ts'
import { openWorkflowEvents } from './workflow-events.ts'

function failureAt(subject: string): FailureContract {
  const details = { message: `${subject} is missing`, subject }
  return { taxonomy: 'none', stage: 'workflow', source: 'call', reason_code: 'child_failed', recoverability: 'user_action', details }
}

test('the path of a failure leaves the device with a marker, and is shown as it is here', () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-workflow-events-'))
  const store = openStore({ home, user_home: '/home/someone', clock: systemClock })
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true, force: true })
  })
  const run = { device_id: store.device_id, workspace: '/work' }
  const events = openWorkflowEvents(store, (run_id) => (run_id === 'run' ? run : undefined))
  const failed = (seq: number, run_id: string | null, subject: string): WrittenWorkflowRunEvent => ({
    ...{ event_id: `event-${seq}`, workflow_run_id: 'workflow-run', workflow_id: 'workflow', run_id, device_id: store.device_id, seq },
    ...{ ts: '2026-06-01T00:00:00.000Z', kind: 'node.failed', node_id: 'n', attempt: 1, failure_contract: failureAt(subject) },
  })
  const appended = [failed(0, 'run', '/work/a.txt'), failed(1, 'run', '/home/someone/b.txt'), failed(2, null, '/home/someone/c.txt')]
  for (const event of appended) events.append(event)
  expect(events.of('workflow-run', { limit: 10 })).toEqual(appended)
  const stored = store.sql.all<{ subject: string }>`
    SELECT payload ->> '$.failure_contract.details.subject' AS subject FROM workflow_run_events ORDER BY seq`
  expect(stored.map(({ subject }) => subject)).toEqual(['$WORKSPACE/a.txt', '$HOME/b.txt', '$HOME/c.txt'])
})
