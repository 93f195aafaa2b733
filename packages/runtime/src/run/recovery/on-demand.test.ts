// A recovery point that a user requests, in a run that continues, fails, or ends with its runtime.
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

const never = new Promise<void>(() => undefined)
const mark = { name: 'test.mark', arguments: { text: 'a' } }

test('a runtime that stops waits for the point that is being taken, and takes no more', async () => {
  model = await startTestModel([{ calls: [mark] }])
  here = openTestRuns({ base_url: model.base_url })
  const { run_id } = await here.ask('Mark')
  // Inline it would end immediately; in the product another thread does it.
  const { takeOnDemand } = here.checkpoints
  here.checkpoints.takeOnDemand = async (point) => {
    await new Promise((resolve) => setImmediate(resolve))
    return await takeOnDemand(point)
  }
  const wanted = here.runs.createCheckpoint(run_id)
  await here.runs.stop()
  expect(here.journal.steps(run_id).at(-1)?.step).toMatchObject({ kind: 'checkpoint.created', call_id: null })
  expect(await wanted).toMatchObject({ ok: true, value: { checkpoint: { tool: null } } })
  expect(await here.runs.createCheckpoint(run_id)).toEqual({
    ok: false,
    code: 'storage_unavailable',
    message: 'the runtime is stopping',
  })
})

test.each(['tool_started', 'tool_done'] as const)(
  'a call that was interrupted at %s does not block it once the run continues',
  async (place) => {
    let broken = true
    model = await startTestModel([{ calls: [mark] }, { text: 'I see.', hold: never }])
    here = openTestRuns({
      base_url: model.base_url,
      crashPoint(point) {
        if (point !== place || !broken) return
        broken = false
        throw new Error('a bug')
      },
    })
    here.allow('test.mark')
    const run = await here.ask('Mark')
    expect([run.state, run.pause_reason, here.checkpoints.needsRecovery()]).toEqual(['paused', 'crash', false])
    expect(here.runs.resume(run.run_id)).toMatchObject({ ok: true })
    await expect.poll(() => model.requests.length).toBe(2)
    expect(await here.runs.createCheckpoint(run.run_id)).toMatchObject({ ok: true })
  },
)

test('refuses a run that does not exist, by name', async () => {
  model = await startTestModel([])
  here = openTestRuns({ base_url: model.base_url })
  expect(await here.runs.createCheckpoint('nobody')).toEqual({ ok: false, code: 'not_found', message: 'there is no run nobody' })
})
