// What providers require with the next request, and how their failures end, in the whole loop.
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { type Script, type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../test/support/run/test-runs.ts'

let model: TestModel | undefined
let here: TestRuns | undefined
afterEach(async () => {
  here?.close()
  here?.remove()
  await model?.close()
  ;[here, model] = [undefined, undefined]
})

async function open(script: readonly ScriptedTurn[] | Script, options: Partial<TestRunsOptions> = {}): Promise<TestRuns> {
  model = await startTestModel(script)
  const opened = openTestRuns({ base_url: model.base_url, ...options })
  here = opened
  for (const tool of ['test.look', 'test.mark']) opened.allow(tool)
  return opened
}

type Message = { role: string; tool_calls?: { extra_content?: unknown }[]; reasoning_content?: unknown; reasoning_details?: unknown }
const look = (text: string) => ({ name: 'test.look', arguments: { text } })
const refuse = (message: string): ScriptedTurn => ({
  status: 400,
  body: JSON.stringify({ error: { message, code: 'invalid_request_error' } }),
})
const assistants = (request: { messages: unknown[] }) => (request.messages as Message[]).filter(({ role }) => role === 'assistant')

/** Refuses a request if its turns with calls lack the provider's fields. */
function strict(has: (message: Message) => boolean, message: string, turn: (index: number) => ScriptedTurn): Script {
  return (index, request) =>
    assistants(request).some((one) => one.tool_calls && !has(one)) ? refuse(message) : index < 3 ? turn(index) : { text: 'Done.' }
}

const deepSeek = strict(
  ({ reasoning_content }) => typeof reasoning_content === 'string',
  'The reasoning_content in the thinking mode must be passed back to the API.',
  // The third turn has no thoughts, but must still have the field.
  (index) => ({
    calls: [look(`${index}`)],
    ...(index === 2 ? { provider_fields: { reasoning_content: '' } } : { thinking: `Thought ${index}.` }),
  }),
)

const gemini = strict(
  ({ tool_calls }) => tool_calls?.every(({ extra_content }) => JSON.stringify(extra_content)?.includes('thought_signature')) === true,
  'Function call is missing a thought_signature in functionCall parts.',
  (index) => ({ calls: [look(`${index}`)], call_fields: { extra_content: { google: { thought_signature: `signature ${index}` } } } }),
)

test.each([
  ['DeepSeek', deepSeek],
  ['Gemini', gemini],
])('%s gets back the fields of its turns, turn after turn', async (_name, script) => {
  const opened = await open(script)
  expect(await opened.ask('Go')).toMatchObject({ state: 'completed', turns: 4 })
  expect(opened.looks()).toEqual(['0', '1', '2'])
})

test('also after a restart, in the next run of the conversation; none of it is synchronized', async () => {
  const opened = await open(deepSeek)
  const first = await opened.ask('Go')
  const steps = JSON.stringify(
    opened.journal
      .steps(first.run_id)
      .map(({ step }) => step)
      .filter(({ kind }) => kind !== 'thinking'),
  )
  expect(steps).not.toContain('Thought 0.')
  opened.close()
  here = openTestRuns({ base_url: model?.base_url ?? '', home: opened.home })
  expect(await here.ask('And now?')).toMatchObject({ state: 'completed' })
  expect(assistants(model?.requests.at(-1) ?? { messages: [] }).map(({ reasoning_content }) => reasoning_content)).toEqual([
    'Thought 0.',
    'Thought 1.',
    '',
    // A turn without calls no longer needs its thoughts.
    undefined,
  ])
})

test('another model gets none of it', async () => {
  const opened = await open([
    { calls: [look('a')], thinking: 'Secret thought.', call_fields: { extra_content: { signature: 'x' } } },
    { text: 'Done.' },
    { text: 'Hello.' },
  ])
  await opened.ask('Go')
  const { conversation_id } = opened.conversation()
  const started = opened.runs.start({ author: 'person', conversation_id, text: 'And you?', model: 'other/model' })
  if (started.ok) await opened.runs.settled(started.value.run_id)
  const sent = JSON.stringify(model?.requests.at(-1)?.messages)
  expect([sent.includes('Secret thought'), sent.includes('extra_content'), sent.includes('"tool_calls"')]).toEqual([false, false, true])
})

test('a hundred and fifty calls in one turn are executed, and all results are returned', async () => {
  const opened = await open([{ calls: Array.from({ length: 150 }, (_, index) => look(`${index}`)) }, { text: 'Done.' }])
  opened.allow('test.look', { rate_limit: { calls: 1_000, per_seconds: 60 } })
  expect(await opened.ask('Go')).toMatchObject({ state: 'completed' })
  expect(opened.looks().length).toBe(150)
  expect(model?.requests.at(-1)?.messages.filter(({ role }) => role === 'tool').length).toBe(150)
})

test.each<[string, ScriptedTurn]>([
  [
    'the gateway’s own quota',
    { status: 429, body: '{"error":{"code":"quota_exceeded","type":"rate_limit_error","message":"The quota for models is used up."}}' },
  ],
  ['credits, inside a 200', { whole: { error: { code: 402, message: 'The quota for models is used up.' } } }],
  ['credits, inside a stream', { raw: ['data: {"error":{"code":"insufficient_quota","message":"The quota for models is used up."}}\n\n'] }],
])('%s pauses the run with the reason, is not retried automatically, and can be resumed', async (_name, turn) => {
  const opened = await open([turn, { text: 'Back again.' }])
  const run = await opened.ask('Go')
  expect([run.state, run.pause_reason, run.retry_at]).toEqual(['paused', 'model', null])
  const reasons = opened.journal.steps(run.run_id).flatMap(({ step }) => (step.kind === 'error' ? [step.failure_contract] : []))
  expect(reasons).toMatchObject([
    { reason_code: 'budget_spent', recoverability: 'user_action', details: { message: 'The quota for models is used up.' } },
  ])
  opened.runs.resume(run.run_id)
  expect(await opened.runs.settled(run.run_id)).toMatchObject({ state: 'completed' })
})

test.each<[string, ScriptedTurn]>([
  ['a 200', { whole: { error: { code: 'context_length_exceeded', message: 'Too long.' } } }],
  ['a stream', { raw: ['data: {"error":{"code":"context_length_exceeded","message":"Too long."}}\n\n'] }],
])('an overflow inside %s leads to a compaction', async (_name, turn) => {
  const long = 'word '.repeat(3_000)
  const opened = await open([
    ...Array.from({ length: 4 }, () => ({ text: long })),
    turn,
    { text: '"Decided plan": go on.' },
    { text: 'Gone on.' },
  ])
  for (let index = 0; index < 4; index += 1) await opened.ask(`Say ${index}`)
  const run = await opened.ask('Go on')
  expect(run.state).toBe('completed')
  expect(opened.journal.steps(run.run_id).map(({ step }) => step.kind)).toContain('context.compacted')
})

test('respects the delay that the server requests: a short one in the turn, a long one as a pause that ends automatically', async () => {
  const clock = testClock()
  const date = new Date(clock.now() + 20 * 60_000).toUTCString()
  const slow = (headers: Record<string, string>): ScriptedTurn => ({ status: 429, headers, body: '{"error":{"message":"slow down"}}' })
  const opened = await open([slow({ 'retry-after-ms': '45000' }), slow({ 'retry-after': date }), { text: 'Now.' }], { clock })
  const waits: (number | null | undefined)[] = []
  opened.bus.subscribe('event', ({ event, data }) => {
    if (event !== 'model_call_failed') return
    waits.push(data.retry_in_ms)
    if (data.will_retry) setImmediate(() => clock.advance(45_000))
  })
  const run = await opened.ask('Go')
  expect([run.state, run.pause_reason, waits]).toEqual(['paused', 'model', [45_000, null]])
  expect((run.retry_at ?? 0) - clock.now()).toBeGreaterThanOrEqual(19 * 60_000)
  expect((run.retry_at ?? 0) - clock.now()).toBeLessThan(21 * 60_000)
})

test('a model without tool support responds without tools, and the user is notified once', async () => {
  const opened = await open([refuse('test/model does not support tools'), { text: 'One.' }, { text: 'Two.' }])
  const run = await opened.ask('Go')
  expect(run.state).toBe('completed')
  const told = opened.journal.messages.latest(run.conversation, 10).filter(({ role }) => role === 'system')
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('does not support tools')])
})
