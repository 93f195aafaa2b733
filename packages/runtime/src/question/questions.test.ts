import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'
import { QuestionPrompt as QuestionPromptSchema } from '@tandem/contract/run/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { validated } from '../pipeline/validate.ts'
import { openStore, type Store } from '../store/store.ts'
import { invalidAnswerReason } from './answer-rule.ts'
import { openQuestions, type Questions } from './questions.ts'
import { askUserTool, questionOf } from './tools.ts'

let home: string
let clock: TestClock
let store: Store
let questions: Questions
let journal: Journal
let run: RunRecord

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-questions-'))
  clock = testClock()
  open()
  const bus = openBus(() => undefined)
  journal = openJournal(store, openEvents(store, bus), bus)
  const { no } = journal.conversations.create({ agent_id: 'a', title: 't', workspace: '/' })
  run = journal.start({ conversation: no, agent_id: 'a', title: 't', model: 'm', sandbox_mode: 'workspace', message_id: null })
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function open() {
  store = openStore({ home, clock })
  questions = openQuestions(store)
}

function asked(input: object = { question: 'Which?', options: [{ value: 'a' }, { value: 'b' }], allows_text: false }): QuestionPrompt {
  const prompt = questionOf(store.newId(), 'call-1', input)
  questions.ask(run.no, prompt)
  return prompt
}

test('a question survives a restart, and its first valid answer counts', () => {
  const prompt = asked()
  store.close()
  open()
  const asked_at = clock.now()
  const waiting = {
    question_id: prompt.question_id,
    run_id: run.run_id,
    call_id: 'call-1',
    prompt,
    answer: null,
    withdrawn: false,
    asked_at,
    answered_at: null,
  }
  expect([questions.pending(), questions.pending(run.run_id), questions.pending('another')]).toEqual([[waiting], [waiting], []])
  expect(questions.answer(prompt.question_id, { chosen: ['c'], text: null })).toMatchObject({ ok: false, code: 'answer_mismatch' })
  clock.advance(5)
  const answered = { ...waiting, answer: { chosen: ['b'], text: null }, answered_at: asked_at + 5 }
  expect(questions.answer(prompt.question_id, { chosen: ['b'], text: null })).toEqual({ ok: true, value: answered })
  expect(questions.answer(prompt.question_id, { chosen: ['a'], text: null })).toEqual({
    ok: false,
    code: 'nothing_pending',
    message: `question ${prompt.question_id} was already answered`,
  })
  expect([questions.pending(), questions.get(prompt.question_id)]).toEqual([[], answered])
})

test('a withdrawn question cannot be answered', () => {
  const { question_id } = asked()
  questions.withdraw(question_id)
  expect([questions.pending(), questions.get(question_id)]).toMatchObject([[], { withdrawn: true }])
  expect(questions.answer(question_id, { chosen: ['a'], text: null })).toMatchObject({ ok: false, code: 'nothing_pending' })
  expect(questions.answer('nobody', { chosen: ['a'], text: null })).toMatchObject({ ok: false, code: 'not_found' })
})

describe('an answer must be valid for its question', () => {
  const options = [
    { value: 'a', label: 'A' },
    { value: 'b', label: 'B' },
  ]
  const base = { question_id: 'q', call_id: 'c', question: '?', options, multiple: false, allows_text: false }
  test.each<[string, Partial<QuestionPrompt>, QuestionAnswer, string | null]>([
    ['one of the options', {}, { chosen: ['a'], text: null }, null],
    ['none of the options', {}, { chosen: ['x'], text: null }, '"x" is not one of the options (a, b)'],
    ['its label', {}, { chosen: ['A'], text: null }, '"A" is not one of the options (a, b)'],
    ['two where one is allowed', {}, { chosen: ['a', 'b'], text: null }, 'only one option can be chosen'],
    ['two where many are allowed', { multiple: true }, { chosen: ['a', 'b'], text: null }, null],
    ['one twice', { multiple: true }, { chosen: ['a', 'a'], text: null }, 'each option can be chosen only once'],
    ['text where none is allowed', {}, { chosen: [], text: 'no' }, 'this question cannot be answered with text: choose one of the options'],
    ['text', { allows_text: true }, { chosen: [], text: 'no' }, null],
    ['spaces', { allows_text: true }, { chosen: [], text: ' ' }, 'the answer is empty'],
    ['an option and text', { allows_text: true }, { chosen: ['a'], text: 'but later' }, null],
  ])('%s', (_what, asked, answer, misfit) => {
    expect(invalidAnswerReason({ ...base, ...asked }, answer)).toBe(misfit)
  })
})

test('the input of a model becomes a question that can be answered', async () => {
  const open = questionOf('01890a5d-ac96-774b-bcce-b302099a8057', 'c', { question: 'Why?', allows_text: false })
  expect(open).toEqual({ question_id: open.question_id, call_id: 'c', question: 'Why?', options: [], multiple: false, allows_text: true })
  const chosen = questionOf(open.question_id, 'c', {
    question: '?',
    options: [{ value: 'a' }, { value: 'a', label: 'A', hint: 'h' }],
    multiple: true,
  })
  expect(chosen).toMatchObject({ options: [{ value: 'a', label: 'A', hint: 'h' }], multiple: true, allows_text: true })
  expect([open, chosen].map((prompt) => Check(QuestionPromptSchema, prompt))).toEqual([true, true])
  const askUser = askUserTool({ store, journal, questions })
  expect(await validated(askUser, '{"question":"Why?"}')).toEqual({ ok: true, input: { question: 'Why?' } })
  expect(await validated(askUser, '{"question":"Why?","approved":true}')).toMatchObject({ ok: false })
  expect(askUser.present({ chosen: ['a', 'b'], text: 'both' })).toBe('The user chose: a, b\nThe user wrote: both')
})

test('ask_user waits for its question, which is stored in the same transaction as the wait', async () => {
  const askUser = askUserTool({ store, journal, questions })
  const waiting = await askUser.run({ question: 'Why?' }, { ids: { ...run, call_id: 'c' } })
  expect(questions.pending()).toEqual([])
  waiting.begin()
  const [pending] = questions.pending(run.run_id)
  expect([waiting.wait, pending?.call_id]).toEqual([{ for: 'question', id: pending?.question_id }, 'c'])
  expect(journal.steps(run.run_id).at(-1)?.step).toMatchObject({ kind: 'question.asked', question: { question: 'Why?' } })
  const answer = { chosen: [], text: 'Because.' }
  expect(askUser.resumed(waiting.wait, { outcome: 'completed', value: answer })).toBe(answer)
  expect(() => askUser.resumed(waiting.wait, { outcome: 'timed_out' })).toThrow('did not answer in time')
  askUser.abandoned(waiting.wait)
  expect(questions.pending()).toEqual([])
})
