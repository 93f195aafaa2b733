// Runs whose calls wait: for a time, or for something that another part of the runtime ends.
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../test/support/run/test-runs.ts'

const day_ms = 86_400_000
const child = { for: 'child', id: 'a-child' } as const

let model: TestModel
let here: TestRuns
let clock: ReturnType<typeof testClock>

afterEach(async () => {
  here.close()
  here.remove()
  await model.close()
})

/** A run that waits for what its call says. */
async function waiting(args: { ms: number; for?: 'time' | 'child' }, options: Partial<TestRunsOptions> = {}): Promise<string> {
  model = await startTestModel([{ calls: [{ name: 'test.wait', arguments: args }] }, { text: 'It is over.' }])
  clock = testClock()
  here = openTestRuns({ base_url: model.base_url, clock, ...options })
  here.allow('test.wait')
  const run = await here.ask('Wait')
  expect([run.state, run.pause_reason]).toEqual(['paused', args.for ?? 'time'])
  return run.run_id
}

/** What a killed runtime leaves, found by the next. */
function nextLife(options: Partial<TestRunsOptions> = {}): void {
  here.close()
  here = openTestRuns({ base_url: model.base_url, clock, home: here.home, ...options })
  here.runs.recover()
}

const kinds = (run_id: string) => here.journal.steps(run_id).map(({ step }) => step.kind)
const count = (run_id: string, kind: string) => kinds(run_id).filter((one) => one === kind).length

function result(run_id: string): unknown {
  const step = here.journal.steps(run_id).find((one) => one.step.kind === 'tool.result')?.step
  return step?.kind === 'tool.result' ? [step.outcome, step.output] : undefined
}

test('a wait of three days over two restarts: nothing happens before, and the run continues once', async () => {
  const run_id = await waiting({ ms: 3 * day_ms })
  expect(kinds(run_id).slice(-2)).toEqual(['wait.started', 'run.paused'])
  for (let life = 0; life < 2; life += 1) {
    clock.advance(day_ms)
    nextLife()
    here.runs.continueWaiting()
    expect([here.journal.run(run_id)?.state, count(run_id, 'wait.ended'), count(run_id, 'run.resumed')]).toEqual(['paused', 0, 0])
  }
  clock.advance(day_ms)
  here.runs.continueWaiting()
  here.runs.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
  here.runs.continueWaiting()
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'time', outcome: 'completed', value: null }])
  expect(['wait.ended', 'run.resumed', 'tool.result', 'run.completed'].map((kind) => count(run_id, kind))).toEqual([1, 1, 1, 1])
})

test('the end of what a call waits for settles it once, however often it is told', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  here.runs.endWaits({ for: 'child', id: 'another' }, { outcome: 'completed', value: 1 })
  here.runs.endWaits({ for: 'workflow', id: 'a-child' }, { outcome: 'completed', value: 2 })
  expect(here.journal.run(run_id)?.state).toBe('paused')
  here.runs.endWaits(child, { outcome: 'completed', value: { answer: 42 } })
  here.runs.endWaits(child, { outcome: 'completed', value: 'again' })
  await here.runs.settled(run_id)
  here.runs.endWaits(child, { outcome: 'timed_out' })
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'child', outcome: 'completed', value: { answer: 42 } }])
  expect([count(run_id, 'wait.ended'), count(run_id, 'tool.result'), here.journal.run(run_id)?.state]).toEqual([1, 1, 'completed'])
})

test('what does not end in time is no longer waited for', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  clock.advance(day_ms)
  here.runs.continueWaiting()
  await here.runs.settled(run_id)
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'child', outcome: 'timed_out' }])
})

test('a run that waits is not resumed by hand, and says why', async () => {
  const run_id = await waiting({ ms: 3 * day_ms })
  const refused = here.runs.resume(run_id)
  expect(refused).toMatchObject({ ok: false, code: 'run_busy' })
  expect(refused.ok ? '' : refused.message).toMatch(/waits until .+ and continues by itself\. Cancel it to end the wait\.$/)
})

test('a cancel ends the wait, and what is waited for is told once', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  expect(await here.runs.cancel(run_id, null)).toMatchObject({ ok: true, value: { state: 'canceled' } })
  expect([here.abandoned, count(run_id, 'wait.ended'), result(run_id)]).toEqual([['a-child'], 1, ['canceled', null]])
  here.runs.endWaits(child, { outcome: 'completed', value: 1 })
  clock.advance(2 * day_ms)
  here.runs.continueWaiting()
  expect([here.abandoned, here.journal.run(run_id)?.state, count(run_id, 'run.resumed')]).toEqual([['a-child'], 'canceled', 0])
})

test('a process that lives for one command continues what it started, and nothing else', async () => {
  const run_id = await waiting({ ms: day_ms }, { isResident: false })
  nextLife({ isResident: false })
  clock.advance(day_ms)
  here.runs.continueWaiting()
  // The end is on record; whoever may continue the run does so.
  expect([here.journal.run(run_id)?.state, count(run_id, 'wait.ended'), count(run_id, 'run.resumed')]).toEqual(['paused', 1, 0])
  nextLife({ isResident: true })
  here.runs.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
})

test('the process that started it continues it', async () => {
  const run_id = await waiting({ ms: day_ms }, { isResident: false })
  clock.advance(day_ms)
  here.runs.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
})

test('killed after the wait has ended and before the call is settled: the call is not interrupted, and the run continues by itself', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  // As the journal is left by a process that is killed right after it has resumed the run.
  here.store.transaction(() => {
    const [wait] = here.journal.waits.openFor(child)
    here.journal.waits.end(wait?.wait_id ?? '', 'completed', 'done')
    const contract = { run_id, resumed_from: 'child' as const, checkpoint_id: null, cursor_seq: here.journal.run(run_id)?.next_seq ?? 0 }
    const resume_contract = {
      ...contract,
      pending_calls: [],
      pending_approvals: [],
      pending_question: null,
      policy_rechecked: true as const,
    }
    here.journal.append(run_id, { kind: 'run.resumed', resume_contract })
  })
  nextLife()
  expect(here.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'child' })
  here.runs.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'child', outcome: 'completed', value: 'done' }])
})

test('a run whose folder is gone waits for a person instead of being tried for ever', async () => {
  const run_id = await waiting({ ms: day_ms })
  const { conversation_id } = here.conversation()
  here.journal.conversations.settle(conversation_id, '/nowhere')
  clock.advance(day_ms)
  here.runs.continueWaiting()
  expect(here.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'user' })
  expect(here.logged).toEqual([expect.stringContaining(`run ${run_id} can't be continued by itself`)])
  here.runs.continueWaiting()
  expect(here.logged).toHaveLength(1)
})
