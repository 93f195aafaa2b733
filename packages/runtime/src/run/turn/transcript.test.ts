// What the model gets of responses that were interrupted: by a stop, a failure, a crash, or a message that was sent now.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTranscript, type Transcript, toMessages } from './transcript.ts'

const seed = Number(process.env.TANDEM_SEED)

type TestStep = { readonly kind: string } & Readonly<Record<string, unknown>>

/** `texts`: of the messages that are written. */
function transcriptOf(runs: readonly (readonly TestStep[])[], texts: Readonly<Record<string, string>>): Transcript {
  const transcript = openTranscript({
    messageText: (message_id) => texts[message_id] ?? null,
    wireName: (tool) => tool,
    present: (_tool, { output }) => String(output),
    wholeArguments: (step) => step.arguments,
  })
  for (const [run, steps] of runs.entries())
    for (const [seq, step] of steps.entries()) transcript.add(run + 1, { step: { seq, ...step } as never, here: {} })
  return transcript
}

const started = (message_id: string) => ({ kind: 'run.started', message_id })
const called = { kind: 'model.called' }
const completed = { kind: 'model.completed' }
const said = (message_id: string) => ({ kind: 'message.completed', message_id })
const shown = (message_id: string, text: string) => ({ kind: 'text.partial', message_id, text })
const call = (call_id: string) => ({ kind: 'tool.call', call_id, tool: 'test', arguments: '{}' })
const result = (call_id: string) => ({ kind: 'tool.result', call_id, output: `result of ${call_id}`, outcome: 'succeeded' })
const canceled = { kind: 'run.canceled', reason: null }
const mark = '[This response was interrupted here.]'
const stopped = '[The run before this message was stopped. What it had not finished was not done.]'

const turnWithCall = [called, completed, said('a1'), call('c1'), result('c1')]
const messagesOfTurn = [
  { role: 'user', content: 'Begin' },
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'test', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'result of c1' },
]
const texts = { u1: 'Begin', a1: 'I look.', u2: 'And now?', a2: 'Half of' }

test('a response that is stopped after a turn with calls is an entry of its own, and that turn keeps its text', () => {
  const runs = [[started('u1'), ...turnWithCall, called, shown('a2', 'Half'), said('a2'), canceled], [started('u2')]]
  expect(toMessages(transcriptOf(runs, texts).entries())).toEqual([
    ...messagesOfTurn,
    { role: 'assistant', content: `Half of\n\n${mark}` },
    { role: 'user', content: `${stopped}\n\nAnd now?` },
  ])
})

test('a response that is stopped in the first turn is not lost', () => {
  const runs = [[started('u1'), called, said('a2'), canceled], [started('u2')]]
  expect(toMessages(transcriptOf(runs, texts).entries())).toEqual([
    { role: 'user', content: 'Begin' },
    { role: 'assistant', content: `Half of\n\n${mark}` },
    { role: 'user', content: `${stopped}\n\nAnd now?` },
  ])
})

test('after a crash, the model is asked to respond again, however often; "send now" asks with the message of the user', () => {
  const crashed = [started('u1'), ...turnWithCall, called, shown('x', 'One'), called, shown('y', 'Two')]
  const cut = { role: 'assistant', content: `One\n\nTwo\n\n${mark}` }
  const note = '[Your response above was interrupted before it was complete. The user has seen it. Respond now.]'
  expect(toMessages(transcriptOf([crashed], texts).entries())).toEqual([...messagesOfTurn, cut, { role: 'user', content: note }])
  expect(toMessages(transcriptOf([[...crashed, { kind: 'message.received', message_id: 'u2' }]], texts).entries())).toEqual([
    ...messagesOfTurn,
    cut,
    { role: 'user', content: 'And now?' },
  ])
})

test('a response that completes is what was shown of it, once', () => {
  const steps = [started('u1'), called, shown('a1', 'I'), shown('a1', 'I lo'), completed, said('a1')]
  expect(toMessages(transcriptOf([steps], texts).entries())).toEqual([
    { role: 'user', content: 'Begin' },
    { role: 'assistant', content: 'I look.' },
  ])
})

test('a response whose connection broke is replaced by the next one to the same request', () => {
  const steps = [started('u1'), called, shown('x', 'Half'), completed, said('a1')]
  expect(toMessages(transcriptOf([steps], texts).entries())).toEqual([
    { role: 'user', content: 'Begin' },
    { role: 'assistant', content: 'I look.' },
  ])
})

test('a response that a restore has set aside is not sent', () => {
  const runs = [[started('u1'), called, shown('gone', 'Half'), said('gone'), canceled], [started('u2')]]
  expect(toMessages(transcriptOf(runs, texts).entries()).map(({ role }) => role)).toEqual(['user', 'user'])
})

test('however turns end: calls are followed by their results, responses alternate with other messages, and every text is sent once', () => {
  const ends = fc.array(
    fc.record({
      shown: fc.integer({ min: 0, max: 3 }),
      calls: fc.integer({ min: 0, max: 2 }),
      end: fc.constantFrom('complete', 'crash', 'write', 'stop'),
    }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(ends, (turns) => {
      const written: Record<string, string> = { u: 'Begin' }
      const expected: string[] = []
      let steps: TestStep[] = [started('u')]
      const runs = [steps]
      for (const [at, turn] of turns.entries()) {
        const [id, text] = [`a${at}`, `text ${at}.`]
        steps.push(called)
        for (let part = 1; part <= turn.shown; part += 1) steps.push(shown(id, part === turn.shown ? text : 'text'))
        if (turn.shown > 0 || turn.end === 'complete') expected.push(text)
        written[id] = text
        if (turn.end === 'complete') {
          steps.push(completed, said(id))
          for (let n = 0; n < turn.calls; n += 1) steps.push(call(`c${at}.${n}`))
          for (let n = turn.calls - 1; n >= 0; n -= 1) steps.push(result(`c${at}.${n}`))
          if (turn.calls === 0) steps.push({ kind: 'message.received', message_id: 'u' })
        } else if (turn.end === 'write') steps.push({ kind: 'message.received', message_id: 'u' })
        else if (turn.end === 'stop') {
          if (turn.shown > 0) steps.push(said(id))
          steps.push(canceled)
          steps = [started('u')]
          runs.push(steps)
        }
      }
      const messages = toMessages(transcriptOf(runs, written).entries())
      expect(messages.at(-1)?.role).not.toBe('assistant')
      const all = messages.map(({ content }) => String(content)).join(' ')
      for (const text of expected) expect(all.split(text)).toHaveLength(2)
      for (const [at, message] of messages.entries()) {
        if (message.role !== 'assistant') continue
        const next = messages.slice(at + 1)
        const made = message.tool_calls?.map(({ id }) => id) ?? []
        expect(next.slice(0, made.length).map((one) => (one.role === 'tool' ? one.tool_call_id : null))).toEqual(made)
        if (made.length === 0) expect(next[0]?.role).toBe('user')
      }
    }),
    { seed, numRuns: 500 },
  )
})
