import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'
import { statusText } from '../status-messages.ts'
import { openDeletedPoints } from './deleted-points.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

const expired = (run_id: string) =>
  here.events.list({ run_id, limit: -1 }).flatMap(({ event, data }) => (event === 'checkpoint_expired' ? [data] : []))
const strips = () =>
  here.journal.messages.of(here.conversation().no, { limit: -1 }).flatMap(({ role, text }) => (role === 'system' ? [text] : []))

test('points deleted to free space for a new one are also events and a message', async () => {
  const marks = Array.from({ length: 8 }, (_, no) => ({ calls: [{ name: 'test.mark', arguments: { text: `${no}` } }] }))
  model = await startTestModel([...marks, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url, quota_bytes: 320_000 })
  here.allow('test.mark')
  // Each call appends to it, so each point has its own copy.
  writeFileSync(join(here.workspace, 'marks'), randomBytes(50_000))
  const { run_id, state } = await here.ask('Go')
  const left = here.checkpoints.list(run_id, null, {}).items.length
  const deleted = expired(run_id)
  expect([state, left + deleted.length, left >= 5 && left < 8]).toEqual(['completed', 8, true])
  expect(deleted.map(({ reason, deleted: what, freed_bytes }) => [reason, what, freed_bytes > 50_000])).toEqual(
    deleted.map(() => ['over_budget', 'point', true]),
  )
  expect(strips()).toEqual([statusText({ kind: 'points_deleted', reason: 'space' })])
})

test.each([
  ['outlived', 'point', 'age'],
  ['over_cap', 'point', 'count'],
  ['over_budget', 'point', 'space'],
  ['over_budget', 'contents', 'contents'],
] as const)('%s, %s: the event has what was deleted and why, the message describes it', async (reason, deleted, why) => {
  model = await startTestModel([{ text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  const { run_id } = await here.ask('Go')
  const checkpoint_id = here.store.newId()
  here.store.transaction(() => openDeletedPoints(here)([{ checkpoint_id, run_id, reason, deleted, freed_bytes: 7 }]))
  expect(expired(run_id)).toEqual([{ checkpoint_id, reason, deleted, freed_bytes: 7 }])
  expect(strips()).toEqual([statusText({ kind: 'points_deleted', reason: why })])
})
