import { afterEach, expect, test } from 'vitest'
import { type Script, type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../test/support/run/test-runs.ts'

let model: TestModel
let here: TestRuns

async function scripted(script: readonly ScriptedTurn[] | Script, options: Partial<TestRunsOptions> = {}) {
  model = await startTestModel(script)
  here = openTestRuns({ base_url: model.base_url, ...options })
  return here
}

afterEach(async () => {
  here.close()
  here.remove()
  await model.close()
  expect([here.errors, here.logged]).toEqual([[], []])
})

const call = (name: string, text: string) => ({ name, arguments: { text } })
const kinds = (run_id: string) => here.journal.steps(run_id).map(({ step }) => step.kind)

test('a response without calls completes the run, and its message is written once', async () => {
  await scripted([{ text: 'Good morning to you.' }])
  const run = await here.ask('Hello')
  expect(run).toMatchObject({ state: 'completed', turns: 1, usage: { input_tokens: 10, output_tokens: 5 }, title: 'Hello' })
  expect(here.journal.messages.of(run.conversation, { limit: 10 }).map(({ role, text }) => [role, text])).toEqual([
    ['user', 'Hello'],
    ['assistant', 'Good morning to you.'],
  ])
  expect(kinds(run.run_id)).toEqual(['run.started', 'model.called', 'model.completed', 'message.completed', 'run.completed'])
  expect(await here.ended()).toEqual([run.run_id])
})

test('executes calls and returns their results to the model under its own names', async () => {
  await scripted([{ text: 'Marking.', calls: [call('test.mark', 'a')] }, { text: 'Marked.' }])
  here.allow('test.mark')
  const run = await here.ask('Mark a')
  expect([run.state, here.marks(), run.turns]).toEqual(['completed', ['a'], 2])
  const [, second] = model.requests
  expect(second?.messages.slice(1)).toEqual([
    { role: 'user', content: 'Mark a' },
    {
      role: 'assistant',
      content: 'Marking.',
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'test__mark', arguments: '{"text":"a"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_0', content: '{"marked":"a"}' },
  ])
})

test('a call that needs approval pauses the run before anything happens; each answer has its effect', async () => {
  await scripted([{ calls: [call('test.mark', 'a'), call('test.mark', 'b')] }, { calls: [call('test.mark', 'c')] }, { text: 'Done.' }])
  let run = await here.ask('Mark')
  expect([run.state, run.pause_reason, here.marks()]).toEqual(['paused', 'approval', []])
  const [first] = here.approvals.pending()
  if (!first) throw new Error('nothing is pending')
  expect(first.prompt).toMatchObject({
    tool: 'test.mark',
    arguments: '{"text":"a"}',
    touches: ['write marks'],
    choices: ['once', 'this_run', 'always', 'no'],
  })
  expect(here.runs.resume(run.run_id)).toMatchObject({ ok: false, code: 'answer_mismatch' })
  const answer = (approval = first) => ({ kind: 'approval' as const, approval_id: approval.approval_id, fingerprint: approval.fingerprint })
  expect(here.runs.resume(run.run_id, { ...answer(), fingerprint: '0'.repeat(64), answer: 'once' })).toMatchObject({
    code: 'answer_mismatch',
  })
  expect(here.runs.resume(run.run_id, { ...answer(), answer: 'this_team' })).toMatchObject({
    code: 'answer_mismatch',
    message:
      'This run belongs to no team, so there is nothing to remember the answer for. This call cannot be answered with this_team. Answer with once, this_run, always, no.',
  })
  expect(here.runs.resume(run.run_id, { ...answer(), answer: 'once' })).toMatchObject({ ok: true })
  run = (await here.runs.settled(run.run_id)) ?? run
  expect([run.state, here.marks()]).toEqual(['paused', ['a']])
  expect(here.runs.resume(run.run_id, { ...answer(), answer: 'once' })).toMatchObject({ code: 'nothing_pending' })
  const [second] = here.approvals.pending()
  if (!second) throw new Error('nothing is pending')
  here.runs.resume(run.run_id, { ...answer(second), answer: 'this_run' })
  run = (await here.runs.settled(run.run_id)) ?? run
  expect([run.state, here.marks()]).toEqual(['completed', ['a', 'b', 'c']])
})

test('a denial with a reason reaches the model, and nothing runs', async () => {
  await scripted([{ calls: [call('test.mark', 'a')] }, { text: 'Understood.' }])
  const run = await here.ask('Mark')
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing is pending')
  const { approval_id, fingerprint } = asked
  here.runs.resume(run.run_id, { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: 'not on Sundays' })
  expect(await here.runs.settled(run.run_id)).toMatchObject({ state: 'completed' })
  expect(here.marks()).toEqual([])
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('not on Sundays') })
})

test('runs the edited arguments', async () => {
  await scripted([{ calls: [call('test.mark', 'a')] }, { text: 'Done.' }])
  const run = await here.ask('Mark')
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing is pending')
  const { approval_id, fingerprint } = asked
  here.runs.resume(run.run_id, { kind: 'approval', approval_id, fingerprint, answer: 'once', edited_arguments: '{"text":"better"}' })
  await here.runs.settled(run.run_id)
  expect(here.marks()).toEqual(['better'])
})

test('reports edited arguments to the model, and uses them only once', async () => {
  await scripted([{ calls: [call('test.mark', 'a')] }, { text: 'Done.' }])
  const run = await here.ask('Mark')
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing is pending')
  const { approval_id, fingerprint } = asked
  const edited = { kind: 'approval' as const, approval_id, fingerprint, edited_arguments: '{"text":"better"}' }
  expect(here.runs.resume(run.run_id, { ...edited, answer: 'always' })).toMatchObject({ ok: false, code: 'answer_mismatch' })
  here.runs.resume(run.run_id, { ...edited, answer: 'once' })
  await here.runs.settled(run.run_id)
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    content: expect.stringContaining('changed the arguments of this call to {"text":"better"}'),
  })
})

test('shows arguments of any length completely, and stores as much as a step may contain', async () => {
  const long = 'x'.repeat(300_000)
  await scripted([{ calls: [call('test.mark', long)] }, { text: 'Done.' }])
  const run = await here.ask('Mark')
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing is pending')
  expect(asked.prompt.arguments).toBe(JSON.stringify({ text: long }))
  for (const { step } of here.journal.steps(run.run_id)) expect(JSON.stringify(step).length).toBeLessThan(256 * 1024)
  const { approval_id, fingerprint } = asked
  here.runs.resume(run.run_id, { kind: 'approval', approval_id, fingerprint, answer: 'once' })
  expect(await here.runs.settled(run.run_id)).toMatchObject({ state: 'completed' })
  expect(here.marks()).toEqual([long])
})

test('"always" is remembered by the policy, also for the next run', async () => {
  await scripted([{ calls: [call('test.mark', 'a')] }, { text: 'Done.' }, { calls: [call('test.mark', 'b')] }, { text: 'Done.' }])
  const run = await here.ask('Mark')
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing is pending')
  const { approval_id, fingerprint } = asked
  here.runs.resume(run.run_id, { kind: 'approval', approval_id, fingerprint, answer: 'always' })
  await here.runs.settled(run.run_id)
  expect(here.policies.of('agent', 'test.mark').remembered).toEqual([{ kind: 'path', path: here.workspace }])
  expect(await here.ask('Mark again')).toMatchObject({ state: 'completed' })
  expect(here.marks()).toEqual(['a', 'b'])
})

test('a policy that was tightened while the approval was pending applies', async () => {
  await scripted([{ calls: [call('test.mark', 'a')] }, { text: 'Done.' }])
  const run = await here.ask('Mark')
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing is pending')
  here.allow('test.mark', { enabled: false })
  const { approval_id, fingerprint } = asked
  here.runs.resume(run.run_id, { kind: 'approval', approval_id, fingerprint, answer: 'once' })
  await here.runs.settled(run.run_id)
  expect(here.marks()).toEqual([])
})

test('a question pauses the run; the answer is the result of the call', async () => {
  await scripted([
    {
      calls: [
        { name: 'ask_user', arguments: { question: 'Red or blue?', options: [{ value: 'red' }, { value: 'blue' }], allows_text: false } },
      ],
    },
    { text: 'Blue it is.' },
  ])
  const run = await here.ask('Paint')
  expect([run.state, run.pause_reason]).toEqual(['paused', 'question'])
  const [question] = here.questions.pending()
  if (!question) throw new Error('nothing is pending')
  const { question_id } = question
  const answer = (chosen: string) =>
    here.runs.resume(run.run_id, { kind: 'question', question_id, answer: { chosen: [chosen], text: null } })
  expect(answer('green')).toMatchObject({ ok: false, code: 'answer_mismatch' })
  expect(answer('blue')).toMatchObject({ ok: true })
  expect(await here.runs.settled(run.run_id)).toMatchObject({ state: 'completed' })
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'The user chose: blue' })
})

test('events are read from disk as they were emitted', async () => {
  await scripted([{ calls: [call('test.look', 'a'), call('test.fail', 'b'), { name: 'fs.levitate', arguments: {} }] }, { text: 'Done.' }])
  for (const tool of ['test.look', 'test.fail']) here.allow(tool)
  const heard: unknown[] = []
  here.bus.subscribe('event', (event) => heard.push(event))
  const run = await here.ask('Go')
  expect(heard.length).toBeGreaterThan(10)
  expect(here.events.list({ run_id: run.run_id, limit: 100 })).toEqual(heard)
})

test('runs reads in parallel, everything else in order', async () => {
  await scripted([
    { calls: [call('test.look', '1'), call('test.look', '2')] },
    { calls: [call('test.look', '3'), call('test.mark', '4'), call('test.look', '5')] },
    { text: 'Seen.' },
  ])
  here.allow('test.look')
  here.allow('test.mark')
  const run = await here.ask('Look')
  expect(run.state).toBe('completed')
  const started = here.journal.steps(run.run_id).filter(({ step }) => step.kind === 'tool.started' || step.kind === 'tool.result')
  expect(started.map(({ step }) => step.kind.slice(5)).join(' ')).toBe(
    'started started result result started result started result started result',
  )
})

test.each([
  ['unknown_tool', { name: 'fs.levitate', arguments: {} }],
  ['malformed_arguments', { name: 'test.mark', arguments: '{"text": "a' }],
  ['invalid_arguments', { name: 'test.mark', arguments: { words: 3 } }],
  ['scripted_failure', { name: 'test.fail', arguments: { text: 'as planned' } }],
])('a call that ends in %s is reported to the model, and the run continues', async (reason_code, made) => {
  await scripted([{ calls: [made] }, { text: 'I see.' }])
  for (const tool of ['test.mark', 'test.fail']) here.allow(tool)
  const run = await here.ask('Go')
  expect(run.state).toBe('completed')
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining(reason_code) })
  const failed = here.events.list({ run_id: run.run_id, limit: 100 }).find(({ event }) => event === 'tool_call_failed')
  expect(failed?.failure_contract).toMatchObject({ reason_code, taxonomy: 'none' })
})

test('repeating the same call leads to a warning, then to a named failure', async () => {
  await scripted(() => ({ calls: [call('test.look', 'again')] }))
  here.allow('test.look')
  const run = await here.ask('Look')
  expect(run).toMatchObject({ state: 'failed', failure_contract: { reason_code: 'repeated_call' } })
  expect(here.looks().length).toBe(3)
})

test('repeating two calls in turn leads to a warning, then to a named failure', async () => {
  await scripted((index) => ({ calls: [call('test.look', index % 2 === 0 ? 'here' : 'there')] }))
  here.allow('test.look')
  const run = await here.ask('Look')
  expect(run).toMatchObject({ state: 'failed', turns: 13, failure_contract: { reason_code: 'repeated_call' } })
  expect(here.looks()).toEqual(['here', 'there', 'here', 'there', 'here', 'there'])
})

test('empty responses lead to a reminder, then to a named failure', async () => {
  await scripted(() => ({}))
  expect(await here.ask('Go')).toMatchObject({ state: 'failed', turns: 3, failure_contract: { reason_code: 'empty_answer' } })
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('empty') })
})

test('a refusal is a failure with the model’s own text', async () => {
  await scripted([{ refusal: 'I will not do that.' }])
  expect(await here.ask('Go')).toMatchObject({
    state: 'failed',
    failure_contract: { reason_code: 'model_refused', details: { message: 'I will not do that.' } },
  })
})

test('a truncated response is continued, and fails at the third truncation', async () => {
  await scripted([{ text: 'First half', finish_reason: 'length' }, { text: 'second half' }])
  expect(await here.ask('Go')).toMatchObject({ state: 'completed', turns: 2 })
  await model.close()
  here.close()
  here.remove()
  await scripted(() => ({ text: 'on and on', finish_reason: 'length' }))
  expect(await here.ask('Go')).toMatchObject({ state: 'failed', turns: 3, failure_contract: { reason_code: 'answer_cut' } })
})

test('a run that does not finish stops at its limit', async () => {
  await scripted((index) => ({ calls: [call('test.look', String(index))] }), { max_turns: 5 })
  here.allow('test.look')
  expect(await here.ask('Go')).toMatchObject({ state: 'failed', turns: 5, failure_contract: { reason_code: 'too_many_turns' } })
})

test('two hundred steps', async () => {
  await scripted((index) => (index < 200 ? { calls: [call('test.mark', String(index))] } : { text: 'Done.' }), { max_turns: 300 })
  here.allow('test.mark', { rate_limit: { calls: 1000, per_seconds: 1 } })
  expect(await here.ask('Go')).toMatchObject({ state: 'completed', turns: 201 })
  expect(here.marks()).toEqual(Array.from({ length: 200 }, (_, index) => String(index)))
})

test('a run is canceled during a response, and the model’s stream ends', async () => {
  await scripted([{ text: 'A long story', hold: new Promise(() => undefined) }])
  const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Tell' })
  if (!started.ok) throw new Error(started.message)
  await expect.poll(() => model.requests.length).toBe(1)
  expect(await here.runs.cancel(started.value.run_id, 'enough')).toMatchObject({ ok: true, value: { state: 'canceled' } })
  await expect.poll(() => model.aborted()).toBe(1)
  expect(here.runs.resume(started.value.run_id)).toMatchObject({ ok: false, code: 'transition_refused' })
})

test('keeps what was shown of a canceled response', async () => {
  await scripted([{ text: 'A long story that takes its time to be told in full.', slow_ms: 60, hold: new Promise(() => undefined) }])
  const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Tell' })
  if (!started.ok) throw new Error(started.message)
  await expect.poll(() => here.journal.stream(started.value.no)?.text ?? '').not.toBe('')
  const canceled = await here.runs.cancel(started.value.run_id, null)
  if (!canceled.ok) throw new Error(canceled.message)
  const said = here.journal.messages.of(canceled.value.conversation, { limit: 10 }).at(-1)
  expect([said?.role, 'A long story that takes its time to be told in full.'.startsWith(said?.text ?? '?')]).toEqual(['assistant', true])
})

test('canceling withdraws pending approvals and questions', async () => {
  await scripted([{ calls: [call('test.mark', 'a')] }])
  const run = await here.ask('Mark')
  expect(await here.runs.cancel(run.run_id, null)).toMatchObject({ ok: true, value: { state: 'canceled' } })
  expect([here.approvals.pending(), here.marks()]).toEqual([[], []])
  expect(kinds(run.run_id).slice(-2)).toEqual(['tool.result', 'run.canceled'])
})

test('a rejected key ends the run with the reason', async () => {
  await scripted([{ status: 401, body: '{"error":{"message":"bad key","code":"invalid_api_key"}}' }])
  expect(await here.ask('Go')).toMatchObject({ state: 'failed', failure_contract: { reason_code: 'unauthorized' } })
})

test('an internal error leaves the run paused, and it can be resumed', async () => {
  let broken = true
  await scripted([{ text: 'Never recorded.' }, { text: 'Recorded.' }], {
    crashPoint(point) {
      if (point !== 'model_called' || !broken) return
      broken = false
      throw new Error('a bug')
    },
  })
  const run = await here.ask('Go')
  expect([run.state, run.pause_reason, here.logged.length]).toEqual(['paused', 'crash', 1])
  here.logged.length = 0
  expect(here.runs.resume(run.run_id)).toMatchObject({ ok: true })
  expect(await here.runs.settled(run.run_id)).toMatchObject({ state: 'completed', turns: 1 })
})

test('an overflow reported by the provider leads to a compaction', async () => {
  const long = 'word '.repeat(3_000)
  await scripted([
    ...Array.from({ length: 6 }, (_, index) => ({ text: `${index} ${long}` })),
    { status: 400, body: '{"error":{"message":"too long","code":"context_length_exceeded"}}' },
    { text: '"Decided plan": go on.' },
    { text: 'Gone on.' },
  ])
  for (let index = 0; index < 6; index += 1) await here.ask(`Say ${index}`)
  const run = await here.ask('Go on')
  expect(run.state).toBe('completed')
  expect(kinds(run.run_id)).toContain('context.compacted')
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Decided plan')
})

test('a full context window is compacted before the model is called, and never twice in vain', async () => {
  const long = 'word '.repeat(1_500)
  await scripted((index) => ({ text: `${index} ${long}` }), { window: 8_000 })
  for (let index = 0; index < 6; index += 1) expect((await here.ask(`Say ${index}`)).state).toBe('completed')
  const compacted = here.journal
    .runs({ limit: 10 })
    .flatMap(({ run_id }) => kinds(run_id))
    .filter((kind) => kind === 'context.compacted')
  expect(compacted.length).toBeGreaterThan(0)
  expect(compacted.length).toBeLessThanOrEqual(6)
})

test('never summarizes nothing, and the request stays in the user’s own words', async () => {
  const request = `Count the words of this: ${'word '.repeat(5_000)}`
  await scripted(
    (_index, { messages }) => {
      const last = String(messages.at(-1)?.content)
      if (last.startsWith('Summarize')) return { text: `summed up ${messages.length - 1} messages` }
      return messages.some(({ role }) => role === 'tool') || messages.length > 2 ? { text: 'Done.' } : { calls: [call('test.look', 'x')] }
    },
    { window: 8_000 },
  )
  here.allow('test.look')
  const run = await here.ask(request)
  const summary = here.journal.steps(run.run_id).flatMap(({ step }) => (step.kind === 'context.compacted' ? [step.summary] : []))
  for (const text of summary) expect([text.includes('Count the words of this'), text.includes('summed up 0')]).toEqual([true, false])
})

test('fails by name if the minimum does not fit', async () => {
  await scripted([{ text: 'never' }], { window: 1_024, description: 'A very careful one. '.repeat(300) })
  expect(await here.ask('word '.repeat(2_000))).toMatchObject({ state: 'failed', failure_contract: { reason_code: 'context_overflow' } })
})
