// How a turn handles failures of a model, and what the next one has learned from them.
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../../test/support/run/test-runs.ts'
import { failureContract } from '../../call/outcome.ts'
import type { RunTeam } from '../team.ts'

let model: TestModel | undefined
let here: TestRuns | undefined
afterEach(async () => {
  here?.close()
  here?.remove()
  await model?.close()
  ;[here, model] = [undefined, undefined]
})

async function open(script: readonly ScriptedTurn[], options: Partial<TestRunsOptions> = {}): Promise<TestRuns> {
  model = await startTestModel(script)
  here = openTestRuns({ base_url: model.base_url, ...options })
  here.allow('test.look')
  return here
}

const refuse = (message: string): ScriptedTurn => ({ status: 400, body: JSON.stringify({ error: { message } }) })
const wasCompacted = ({ journal }: TestRuns, run_id: string) => journal.steps(run_id).some(({ step }) => step.kind === 'context.compacted')

test('sends the same request again after a pause on the clock', async () => {
  const clock = testClock()
  const waits: number[] = []
  const watched: typeof clock = {
    ...clock,
    after(ms, call) {
      waits.push(ms)
      return clock.after(ms, call)
    },
  }
  // Delays that nothing else waits for.
  const asked = [31_007, 22_003]
  const busy = asked.map((ms) => ({ status: 503, headers: { 'retry-after-ms': String(ms) } }))
  const opened = await open([...busy, { text: 'Now.' }], { clock: watched })
  opened.bus.subscribe('event', ({ event }) => {
    if (event === 'model_call_failed') setImmediate(() => clock.advance(31_007))
  })
  expect((await opened.ask('Go')).state).toBe('completed')
  expect(waits.filter((ms) => asked.includes(ms))).toEqual(asked)
  expect(model?.requests[2]).toEqual(model?.requests[0])
})

test('a context window that a server reported is known to the next run', async () => {
  const overflow = refuse(`This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.`)
  const opened = await open([overflow])
  await opened.ask('Go')
  const { run_id, state } = await opened.ask('word '.repeat(6_000))
  expect([state, wasCompacted(opened, run_id)]).toEqual(['completed', true])
})

test.each([
  ['counted more tokens than were estimated', { prompt_tokens: 1_000_000, completion_tokens: 1 }, true],
  ['counted nothing', null, false],
])('the next turn compacts if the model %s', async (_name, usage, expected) => {
  const look = { name: 'test.look', arguments: { text: 'marks' } }
  const opened = await open([{ calls: [look], usage }, { text: 'Done.' }, { text: 'Done.' }], { window: 20_000 })
  const { run_id, state } = await opened.ask('word '.repeat(6_000))
  expect([state, wasCompacted(opened, run_id)]).toEqual(['completed', expected])
})

test('every call of the model is set aside before it is made, also for a summary, and again after a summary', async () => {
  const overflow = refuse(`This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.`)
  const calls: string[] = []
  const reserve: RunTeam['reserve'] = () => {
    calls.push(`set aside before request ${(model?.requests.length ?? 0) + 1}`)
    return { ok: true, release: () => undefined }
  }
  const opened = await open([overflow, { text: 'A summary.' }, { text: 'Done.' }], { team: { reserve } })
  const { run_id, state } = await opened.ask('word '.repeat(6_000))
  expect([state, wasCompacted(opened, run_id), model?.requests.length]).toEqual(['completed', true, 3])
  expect(calls).toEqual([1, 2, 3].map((request) => `set aside before request ${request}`))
})

test('a summary that a team cannot pay is not requested: the run is paused', async () => {
  const failure_contract = failureContract('cooperation', { source: 'budget', reason_code: 'budget_exhausted', message: 'used up' })
  const opened = await open([{ text: 'Done.' }], { window: 8_192, team: { reserve: () => ({ ok: false, failure_contract }) } })
  const { run_id, state } = await opened.ask('word '.repeat(6_000))
  expect([state, opened.journal.run(run_id)?.pause_reason, wasCompacted(opened, run_id), model?.requests]).toEqual([
    ...['paused', 'budget', false, []],
  ])
})

test('a user is notified once per run that its model does not support tools', async () => {
  const opened = await open([refuse('test/model does not support tools'), { text: '' }, { text: 'Done.' }])
  const { state, conversation } = await opened.ask('Go')
  const told = opened.journal.messages.latest(conversation, 10).filter(({ role }) => role === 'system')
  expect([state, model?.requests.length, told.map(({ text }) => text)]).toEqual([
    'completed',
    3,
    [expect.stringContaining('does not support tools')],
  ])
})
