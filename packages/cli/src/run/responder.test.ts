// A user at a terminal, simulated by streams: what is shown, and what happens with the input.
import { PassThrough } from 'node:stream'
import type { ApprovalPrompt, QuestionPrompt } from '@tandem/contract/run'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { autoApproveOnce, type Responder, terminalResponder } from './responder.ts'

const approval: ApprovalPrompt = {
  approval_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  call_id: 'c',
  tool: 'shell.exec',
  arguments: JSON.stringify({ command: 'rm -rf build \u202e# safe\u001b[2K' }),
  working_directory: '/srv',
  fingerprint: 'a'.repeat(64),
  touches: ['/srv/build'],
  protected: ['/srv/build'],
  unprotected: ['what the command does elsewhere'],
  remembers: [{ kind: 'command', words: ['rm', '-rf'] }],
  warnings: [],
  choices: ['once', 'this_run', 'always', 'no'],
}
const of = { kind: 'approval', approval_id: approval.approval_id, fingerprint: approval.fingerprint }

let input: PassThrough
let shown: string
let person: Responder
let canceled: AbortController

beforeEach(() => {
  input = new PassThrough()
  shown = ''
  canceled = new AbortController()
  const output = new PassThrough()
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    answerPrompts()
  })
  person = terminalResponder(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream, canceled.signal)
})

afterEach(() => input.destroy())

let typing: string[] = []
let answered = 0

/** Types the next line whenever there is a prompt. */
function answerPrompts(): void {
  const prompts = shown.match(/(?:\[s\]how all|why \(optional\)|your own answer|A number|separated by commas|Your answer): /g)?.length ?? 0
  if (prompts <= answered || typing.length === 0) return
  answered = prompts
  input.write(`${typing.shift()}\r`)
}

function types(...lines: string[]): void {
  typing = lines
  answered = 0
  shown = ''
}

test.each([
  ['o', { ...of, answer: 'once' }],
  ['once', { ...of, answer: 'once' }],
  ['r', { ...of, answer: 'this_run' }],
  ['A', { ...of, answer: 'always' }],
])('%s is an approval', async (typed, answer) => {
  types(typed)
  expect(await person.approve(approval)).toEqual(answer)
})

test('a rejection includes its reason', async () => {
  types('n', 'not in this folder')
  expect(await person.approve(approval)).toEqual({ ...of, answer: 'no', reason: 'not in this folder' })
})

test('nothing of the call is hidden: invisible characters are written out, and all of it can be shown', async () => {
  types('s', 'maybe', 'o')
  const long = { ...approval, arguments: JSON.stringify({ command: `${'x'.repeat(5_000)}; curl evil.test` }) }
  expect(await person.approve(long)).toMatchObject({ answer: 'once' })
  const [before = '', after = ''] = shown.split('[s]how all: ')
  expect(before).toContain('more characters. Type s to see all of it')
  expect(before).not.toContain('curl evil.test')
  expect(after).toContain('; curl evil.test')
  expect(shown).toContain('Type one of the letters in brackets.')
  types('o')
  await person.approve({ ...approval, warnings: ['it deletes without asking'] })
  expect(shown).toContain('rm -rf build \\u{202e}# safe\\u001b[2K')
  for (const part of ['in /srv', 'affects: /srv/build', 'can be undone: /srv/build', 'it deletes without asking', 'cannot be undone'])
    expect(shown).toContain(part)
  expect(shown).not.toContain('begin with rm -rf')
})

test('what the answers cover is shown; with a warning only this call can be approved', async () => {
  types('o')
  await person.approve(approval)
  expect(shown).toContain('begin with rm -rf')
  types('a', 'r', 'o')
  expect(await person.approve({ ...approval, warnings: ['it deletes'] })).toEqual({ ...of, answer: 'once' })
})

test('an answer that is not offered is not accepted', async () => {
  types('a', 'r', 'o')
  expect(await person.approve({ ...approval, choices: ['once', 'no'] })).toEqual({ ...of, answer: 'once' })
})

test('canceling, or the end of the input, is not an answer', async () => {
  const asked = person.approve(approval)
  canceled.abort()
  expect(await asked).toBeNull()
})

const question: QuestionPrompt = {
  question_id: approval.approval_id,
  call_id: 'c',
  question: 'Which color?',
  options: [
    { value: 'red', label: 'Red', hint: 'warm' },
    { value: 'blue', label: 'Blue' },
  ],
  multiple: false,
  allows_text: false,
}
const answerTo = (chosen: string[], text: string | null = null) => ({
  kind: 'question',
  question_id: question.question_id,
  answer: { chosen, text },
})

test('a question is answered by number, by numbers, or by text, as it allows', async () => {
  types('3', 'blue', '1, 2', '2')
  expect(await person.answer(question)).toEqual(answerTo(['blue']))
  expect(shown).toContain('1. Red (warm)')
  types('2,1')
  expect(await person.answer({ ...question, multiple: true })).toEqual(answerTo(['blue', 'red']))
  types('green')
  expect(await person.answer({ ...question, allows_text: true })).toEqual(answerTo([], 'green'))
  types('', 'because')
  expect(await person.answer({ ...question, options: [], allows_text: true })).toEqual(answerTo([], 'because'))
})

test('--yes approves calls without a warning once, whatever could be remembered, and answers no question', async () => {
  const usual = { ...approval, warnings: [] }
  expect([
    await autoApproveOnce.approve(usual),
    await autoApproveOnce.approve({ ...usual, warnings: ['it deletes'] }),
    await autoApproveOnce.approve({ ...usual, choices: ['once', 'no'] }),
    await autoApproveOnce.approve({ ...usual, choices: ['no'] }),
    await autoApproveOnce.answer(question),
  ]).toEqual([{ ...of, answer: 'once' }, null, { ...of, answer: 'once' }, null, null])
})
