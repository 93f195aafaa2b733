import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { type Script, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../test/support/run/test-runs.ts'
import { mostRetries, retryAfter } from './retry.ts'

const minute_ms = 60_000
const clock = testClock()
let model: TestModel
let here: TestRuns

test('the delays grow up to half an hour, and the retries end after about a day', () => {
  fc.assert(
    fc.property(fc.nat(mostRetries - 1), fc.double({ min: 0, max: 1, noNaN: true }), (retries, random) => {
      const wait = retryAfter(retries, random) ?? 0
      expect(wait).toBeGreaterThanOrEqual(27_000)
      expect(wait).toBeLessThanOrEqual(33 * minute_ms)
    }),
  )
  expect(retryAfter(mostRetries, 0.5)).toBe(null)
  const all = Array.from({ length: mostRetries }, (_, retries) => retryAfter(retries, 0.5) ?? 0)
  expect(all).toEqual(all.toSorted((left, right) => left - right))
  expect(all.reduce((sum, wait) => sum + wait, 0) / (60 * minute_ms)).toBeCloseTo(22.5, 0)
})

/** A model that does not respond until it is repaired. Delays between the attempts of one turn pass immediately. */
async function unwell(script: Script, broken: () => boolean) {
  model = await startTestModel((index, request) => (broken() ? { status: 503 } : script(index, request)))
  here = openTestRuns({ base_url: model.base_url, clock })
  onTestFinished(async () => {
    here.close()
    here.remove()
    await model.close()
  })
  here.bus.subscribe('event', ({ event, data }) => {
    if (event === 'model_call_failed' && data.will_retry) setImmediate(() => clock.advance(minute_ms))
  })
}

async function begin() {
  const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Go' })
  if (!started.ok) throw new Error(started.message)
  const run = await here.runs.settled(started.value.run_id)
  if (!run) throw new Error('the run is gone')
  return run
}

function untilDue(run_id: string) {
  const { retry_at } = here.journal.run(run_id) ?? { retry_at: null }
  if (retry_at !== null) clock.advance(Math.max(0, retry_at - clock.now()))
}

test('a run whose model does not respond is retried automatically, shows when, and finishes when the model is back', async () => {
  let broken = true
  await unwell(
    () => ({ text: 'Back again.' }),
    () => broken,
  )
  const { run_id, ...run } = await begin()
  expect([run.state, run.pause_reason, run.retries]).toEqual(['paused', 'model', 1])
  expect((run.retry_at ?? 0) - clock.now()).toBeGreaterThan(20_000)
  expect(here.runs.retryDue()).toBe(0)

  untilDue(run_id)
  expect(here.runs.retryDue()).toBe(1)
  const again = await here.runs.settled(run_id)
  expect([again?.state, again?.retries]).toEqual(['paused', 2])
  expect((again?.retry_at ?? 0) - clock.now()).toBeGreaterThan(50_000)

  broken = false
  untilDue(run_id)
  expect(here.runs.retryDue()).toBe(1)
  expect(await here.runs.settled(run_id)).toMatchObject({ state: 'completed', retries: 0, retry_at: null })
  expect(await here.ended()).toEqual([run_id])
})

test('is given up after a while, and a resume by the user resets the count', async () => {
  await unwell(
    () => ({}),
    () => true,
  )
  const { run_id } = await begin()
  here.store.sql.run`UPDATE runs SET retries = ${mostRetries} WHERE run_id = ${run_id}`
  untilDue(run_id)
  here.runs.retryDue()
  expect(await here.runs.settled(run_id)).toMatchObject({ state: 'paused', pause_reason: 'model', retry_at: null })
  expect(here.runs.resume(run_id)).toMatchObject({ ok: true })
  expect(await here.runs.settled(run_id)).toMatchObject({ state: 'paused', retries: 1, retry_at: expect.any(Number) })
})

test.each([
  ['paused', 'user'],
  ['canceled', null],
] as const)('a run that the user has %s is not retried', async (state, pause_reason) => {
  await unwell(
    () => ({}),
    () => true,
  )
  const { run_id } = await begin()
  const halted = state === 'paused' ? await here.runs.pause(run_id) : await here.runs.cancel(run_id, null)
  expect(halted).toMatchObject({ ok: true, value: { state, pause_reason, retry_at: null } })
  clock.advance(24 * 60 * minute_ms)
  expect(here.runs.retryDue()).toBe(0)
  expect(here.journal.run(run_id)).toMatchObject({ state, pause_reason })
})

test('if a runtime shuts down while it retries, the next one continues to retry', async () => {
  let hold = false
  await unwell(
    () => ({ text: 'A long', hold: new Promise(() => undefined) }),
    () => !hold,
  )
  const { run_id } = await begin()
  hold = true
  untilDue(run_id)
  here.runs.retryDue()
  const asked = model.requests.length
  await expect.poll(() => model.requests.length).toBe(asked + 1)
  await here.runs.stop()
  expect(here.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'model', retry_at: expect.any(Number) })
})
