// The text shown of a response is kept, however the response was interrupted, next to the run's own message.
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'
import { systemClock } from '../../clock/clock.ts'
import { keepInterruptedText } from './streamed-text.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  here.close()
  here.remove()
  await model.close()
})

const never = new Promise<void>(() => undefined)

function partials(run_id: string) {
  return here.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'text.partial' ? [step.text] : []))
}

const messages = (conversation: number) => here.journal.messages.of(conversation, { limit: 10 }).map(({ text }) => text)

test('a run that is paused during a response keeps everything that was shown, and continues with another one', async () => {
  const half = 'A long story that was never told to its end'
  model = await startTestModel((index) => (index < 2 ? { text: `${half} ${index}`, hold: never } : { text: 'Told.' }))
  // On a clock that does not advance, nothing is stored because of elapsed time.
  here = openTestRuns({ base_url: model.base_url, clock: testClock() })
  let shown = ''
  here.bus.subscribe('delta', ({ text, offset }) => {
    shown = shown.slice(0, offset) + text
  })
  const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Tell' })
  if (!started.ok) throw new Error(started.message)
  const { run_id, no, conversation } = started.value
  for (const time of [0, 1]) {
    await expect.poll(() => shown).toBe(`${half} ${time}`)
    expect(await here.runs.pause(run_id)).toMatchObject({ ok: true, value: { state: 'paused' } })
    expect(here.journal.stream(no)?.text).toBe(shown)
    expect(here.runs.resume(run_id)).toMatchObject({ ok: true })
  }
  expect(await here.runs.settled(run_id)).toMatchObject({ state: 'completed' })
  expect(partials(run_id)).toEqual([`${half} 0`, `${half} 1`])
  expect([messages(conversation), here.journal.stream(no)]).toEqual([['Tell', 'Told.'], undefined])
})

test('keeps all of a response that is longer than a step, in several texts', async () => {
  model = await startTestModel([{ calls: [{ name: 'test.mark', arguments: { text: 'a' } }] }])
  here = openTestRuns({ base_url: model.base_url })
  const run = await here.ask('Mark')
  // A surrogate pair is at the end of the first text.
  const text = `${'a'.repeat(64_999)}😀${'b'.repeat(100_000)}`
  here.journal.keepStream(run.no, here.store.newId(), text)
  keepInterruptedText(run, here)
  const kept = partials(run.run_id)
  expect(kept.map(({ length }) => length)).toEqual([64_999, 65_000, 35_002])
  expect([kept.join('') === text, kept.every((one) => one.isWellFormed()), here.journal.stream(run.no)]).toEqual([true, true, undefined])
  const ids = here.journal.steps(run.run_id).flatMap(({ step }) => (step.kind === 'text.partial' ? [step.message_id] : []))
  expect(new Set(ids).size).toBe(3)
})

test('keeps the text of a response whose connection broke, and the model does not get it', async () => {
  model = await startTestModel([{ text: 'Half an answer, and then nothing more of it.', breakAfter: 3 }, { text: 'A whole one.' }])
  // The delay before the second attempt is a second.
  const clock = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms === 1_000 ? 1 : ms, call) }
  here = openTestRuns({ base_url: model.base_url, clock })
  const run = await here.ask('Answer')
  expect([run.state, partials(run.run_id)]).toEqual(['completed', ['Half an answer, and then nothing more of']])
  expect(messages(run.conversation)).toEqual(['Answer', 'A whole one.'])
  expect(JSON.stringify(model.requests[1])).not.toContain('Half an answer')
})

test('the model gets the same of interrupted responses in the run that recorded them and in one that reads them', async () => {
  const call = { name: 'test.mark', arguments: { text: 'a' } }
  model = await startTestModel((index): ScriptedTurn => {
    if (index === 0) return { text: 'One response that breaks off.', breakAfter: 2 }
    if (index === 2) return { text: 'Another one, which is paused', hold: never }
    return index === 1 || index === 3 ? { text: 'I mark.', calls: [call] } : { text: 'Done.' }
  })
  const clock = { ...systemClock, after: (ms: number, act: () => void) => systemClock.after(ms === 1_000 ? 1 : ms, act) }
  here = openTestRuns({ base_url: model.base_url, clock })
  here.allow('test.mark')
  const { conversation_id } = here.conversation()
  const started = here.runs.start({ author: 'person', conversation_id, text: 'Begin' })
  if (!started.ok) throw new Error(started.message)
  const { run_id, no } = started.value
  await expect.poll(() => here.journal.stream(no)?.text).toBe('Another one, which is paused')
  await here.runs.pause(run_id)
  expect(here.runs.resume(run_id)).toMatchObject({ ok: true })
  expect(await here.runs.settled(run_id)).toMatchObject({ state: 'completed' })
  const recorded = model.requests.at(-1)?.messages ?? []
  expect(recorded.filter(({ content }) => String(content).includes('[This response was interrupted here.]'))).toHaveLength(1)
  const next = here.runs.start({ author: 'person', conversation_id, text: 'Thanks' })
  await here.runs.settled(next.ok ? next.value.run_id : '')
  expect(model.requests.at(-1)?.messages.slice(0, recorded.length)).toEqual(recorded)
})
