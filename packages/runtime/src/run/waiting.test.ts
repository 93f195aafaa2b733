// Runs whose calls wait: for a time, or for something that another part of the runtime ends.

import Type, { type TNull, type TSchema } from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../test/support/run/test-runs.ts'
import { ToolFailure } from '../call/failure.ts'
import { defineTool, type Tool } from '../call/tool.ts'
import { type Wait, Waiting } from '../call/wait.ts'

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

/** Starts the next process after a killed one. */
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
    here.continueWaiting()
    expect([here.journal.run(run_id)?.state, count(run_id, 'wait.ended'), count(run_id, 'run.resumed')]).toEqual(['paused', 0, 0])
  }
  clock.advance(day_ms)
  here.continueWaiting()
  here.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
  here.continueWaiting()
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'time', outcome: 'completed', value: null }])
  expect(['wait.ended', 'run.resumed', 'tool.result', 'run.completed'].map((kind) => count(run_id, kind))).toEqual([1, 1, 1, 1])
})

test('the end of what a call waits for settles it once, however often it is reported', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  here.runs.endWaits({ for: 'child', id: 'another' }, { outcome: 'completed', value: 1 })
  here.runs.endWaits({ for: 'workflow', id: 'a-child' }, { outcome: 'completed', value: 2 })
  expect(here.journal.run(run_id)?.state).toBe('paused')
  here.runs.endWaits(child, { outcome: 'completed', value: { answer: 42 } })
  here.continueWaiting()
  here.runs.endWaits(child, { outcome: 'completed', value: 'again' })
  await here.runs.settled(run_id)
  here.runs.endWaits(child, { outcome: 'timed_out' })
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'child', outcome: 'completed', value: { answer: 42 } }])
  expect([count(run_id, 'wait.ended'), count(run_id, 'tool.result'), here.journal.run(run_id)?.state]).toEqual([1, 1, 'completed'])
})

test('a wait that exceeds its time limit ends', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  clock.advance(day_ms)
  here.continueWaiting()
  await here.runs.settled(run_id)
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'child', outcome: 'timed_out' }])
})

test('a waiting run cannot be resumed manually, and the error says why', async () => {
  const run_id = await waiting({ ms: 3 * day_ms })
  const refused = here.runs.resume(run_id)
  expect(refused).toMatchObject({ ok: false, code: 'run_busy' })
  expect(refused.ok ? '' : refused.message).toMatch(/is waiting until .+ and continues automatically\. Stop the run to end the wait\.$/)
})

test('a cancel ends the wait, and its subject is notified once', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  expect(await here.runs.cancel(run_id, null)).toMatchObject({ ok: true, value: { state: 'canceled' } })
  expect([here.abandoned, count(run_id, 'wait.ended'), result(run_id)]).toEqual([['a-child'], 1, ['canceled', null]])
  here.runs.endWaits(child, { outcome: 'completed', value: 1 })
  clock.advance(2 * day_ms)
  here.continueWaiting()
  expect([here.abandoned, here.journal.run(run_id)?.state, count(run_id, 'run.resumed')]).toEqual([['a-child'], 'canceled', 0])
})

test('a process for one command continues what it started, and nothing else', async () => {
  const run_id = await waiting({ ms: day_ms }, { isResident: false })
  nextLife({ isResident: false })
  clock.advance(day_ms)
  here.continueWaiting()
  // The end is recorded; a process that may continue the run does so.
  expect([here.journal.run(run_id)?.state, count(run_id, 'wait.ended'), count(run_id, 'run.resumed')]).toEqual(['paused', 1, 0])
  nextLife({ isResident: true })
  here.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
})

test('the process that started it continues it', async () => {
  const run_id = await waiting({ ms: day_ms }, { isResident: false })
  clock.advance(day_ms)
  here.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
})

test('killed after the wait has ended and before the call is settled: the call is not interrupted, and the run continues automatically', async () => {
  const run_id = await waiting({ ms: day_ms, for: 'child' })
  // The journal as left by a process that is killed right after it has resumed the run.
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
  here.continueWaiting()
  expect((await here.runs.settled(run_id))?.state).toBe('completed')
  expect(result(run_id)).toEqual(['succeeded', { waited_for: 'child', outcome: 'completed', value: 'done' }])
})

test('a run whose folder is missing waits for a user instead of being retried forever', async () => {
  const run_id = await waiting({ ms: day_ms })
  const { conversation_id } = here.conversation()
  here.journal.conversations.settle(conversation_id, '/nowhere')
  clock.advance(day_ms)
  here.continueWaiting()
  expect(here.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'user' })
  expect(here.logged).toEqual([expect.stringContaining(`run ${run_id} cannot be continued automatically`)])
  here.continueWaiting()
  expect(here.logged).toHaveLength(1)
})

test('a call that has waited is reported as canceled, one that waited for its approval as never made', async () => {
  const messages = (run_id: string) =>
    here.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step.failure_contract?.details.message] : []))
  const waited = await waiting({ ms: day_ms, for: 'child' })
  await here.runs.cancel(waited, null)
  expect(messages(waited)).toEqual(['test.wait was canceled while it was running. What it had done by then was not undone.'])
  here.close()
  here.remove()
  await model.close()
  model = await startTestModel([{ calls: [{ name: 'test.guarded', arguments: { text: 'x' } }] }])
  here = openTestRuns({ base_url: model.base_url })
  const { run_id } = await here.ask('Mark')
  await here.runs.cancel(run_id, null)
  expect(messages(run_id)).toEqual(['test.guarded was not called: the run ended first'])
})

type OddTool = Omit<Tool<TSchema, TNull>, 'output'>

/** A run with one call of this tool. */
async function calling(tool: Pick<OddTool, 'run'> & Partial<OddTool>, script: { text: string }[] = [{ text: 'It is over.' }]) {
  model = await startTestModel([{ calls: [{ name: 'test.odd', arguments: {} }] }, ...script])
  clock = testClock()
  const fields = { name: 'test.odd', summary: 'Odd.', input: Type.Object({}), output: Type.Null(), limits: { seconds: 1 } }
  here = openTestRuns({ base_url: model.base_url, clock, tools: [defineTool({ ...fields, effects: () => [{ does: 'note' }], ...tool })] })
  here.allow('test.odd')
  return await here.ask('Go')
}

const failure = (run_id: string) => {
  const step = here.journal.steps(run_id).find((one) => one.step.kind === 'tool.result')?.step
  return step?.kind === 'tool.result' ? step.failure_contract?.reason_code : undefined
}

test('a tool that fails to end what it waited for does not prevent a cancel', async () => {
  const wait: Wait = { for: 'child', id: 'c' }
  const abandoned = () => {
    throw new Error('a bug')
  }
  const { run_id } = await calling({ run: async () => new Waiting(wait), resumed: () => null, abandoned })
  expect(await here.runs.cancel(run_id, null)).toMatchObject({ ok: true, value: { state: 'canceled' } })
  expect(here.logged).toEqual([expect.stringContaining('test.odd: what call')])
})

test('a wait that cannot start is the result of the call, and nothing waits', async () => {
  const begin = () => {
    throw new ToolFailure('no_such_child', 'there is no such child')
  }
  const { run_id, state } = await calling({ run: async () => new Waiting({ for: 'child', id: 'c' }, begin), resumed: () => null })
  expect([state, failure(run_id), here.journal.waits.openFor({ for: 'child', id: 'c' })]).toEqual(['completed', 'no_such_child', []])
})

test.each<[string, Partial<OddTool>, Wait]>([
  ['without a way to end it', {}, { for: 'child', id: 'c' }],
  ['for an approval of its own', { resumed: () => null }, { for: 'approval', id: 'a' }],
  ['with an invalid time', { resumed: () => null }, { for: 'time', id: 't', until: Number.NaN }],
  ['forever', { resumed: () => null }, { for: 'time', id: 't', until: Number.POSITIVE_INFINITY }],
])('a wait %s is an error of its tool, and the run continues', async (_what, fields, wait) => {
  const { run_id, state } = await calling({ run: async () => new Waiting(wait), ...fields })
  expect([state, failure(run_id), here.journal.waits.open(1)]).toEqual(['completed', 'internal_error', []])
})

test('a wait that begins after the clock was set back is the current one', async () => {
  let made = 0
  const run = async () => {
    made += 1
    return new Waiting({ for: 'child', id: 'a-child' })
  }
  model = await startTestModel([{ calls: [{ name: 'test.odd', arguments: {} }] }, { text: 'It is over.' }])
  clock = testClock()
  const odd = { name: 'test.odd', summary: 'Odd.', input: Type.Object({}), output: Type.Literal('done'), limits: { seconds: 1 } }
  const tools = [defineTool({ ...odd, effects: () => [{ does: 'note' }], run, resumed: () => 'done' as const })]
  here = openTestRuns({ base_url: model.base_url, clock, tools })
  here.policies.set('agent', 'test.odd', { ...here.policies.of('agent', 'test.odd').policy, approval_mode: 'manual_each_call' })
  const { run_id, no } = await here.ask('Go')
  const [approval] = here.approvals.pending(no)
  const earlier = { ...clock, now: () => clock.now() - day_ms }
  here.close()
  here = openTestRuns({ base_url: model.base_url, clock: earlier, tools, home: here.home })
  const { approval_id = '', fingerprint = '' } = approval ?? {}
  expect(here.runs.resume(run_id, { kind: 'approval', approval_id, fingerprint, answer: 'once' })).toMatchObject({ ok: true })
  expect((await here.runs.settled(run_id))?.pause_reason).toBe('child')
  here.runs.endWaits(child, { outcome: 'completed', value: null })
  here.continueWaiting()
  expect([(await here.runs.settled(run_id))?.state, made]).toEqual(['completed', 1])
})
