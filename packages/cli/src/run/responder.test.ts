// A user at a terminal, simulated by streams: what is shown, and what happens with the input.
import { PassThrough } from 'node:stream'
import type { ApprovalPrompt, QuestionPrompt } from '@tandem/contract/run'
import type { MergeConflict, MergedFile } from '@tandem/contract/team'
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
  const prompts =
    shown.match(/(?:\[s\]how all|\[l\]ater|why \(optional\)|your own answer|A number|separated by commas|Your answer): /g)?.length ?? 0
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

test('a member of a team that asks is named, and its answer can cover the team', async () => {
  types('t')
  const prompt: ApprovalPrompt = { ...approval, choices: ['once', 'this_run', 'this_team', 'no'] }
  expect(await person.approve(prompt, { title: 'Fix it\u001b[2J', agent_name: 'Coder' })).toEqual({ ...of, answer: 'this_team' })
  expect(shown).toContain('Coder asks for “Fix it\\u{1b}[2J”:')
  expect(shown).toContain('"this team" covers, until the runs of this team end: commands that begin with rm -rf')
})

const side = (author: string | null, text: string | null) => ({ author, text, truncated: false })
const conflict = (conflict_id: string, fields: Partial<MergeConflict> = {}): MergeConflict => ({
  ...{ conflict_id, kind: 'lines', line: 4, message: 'Both changed this line.', resolved: null },
  choices: ['current', 'member', 'both', 'text'],
  ...{ base: side(null, 'one\n'), current: side('Tandem', 'two\n'), member: side('Fix it', 'three\u202e\n') },
  ...fields,
})
const merged: MergedFile = {
  ...{
    path: 'a.ts',
    change: 'edited',
    from: null,
    authors: ['Fix it'],
    diff: '',
    diff_truncated: false,
    lines_added: null,
    lines_removed: null,
  },
  conflicts: [conflict('k1'), conflict('k2', { kind: 'deleted', choices: ['current', 'member'], current: side('Tandem', null) })],
}
const merge: ApprovalPrompt = {
  ...approval,
  ...{ tool: 'agent.merge_result', arguments: '{"run_ids":["m"]}', remembers: [], choices: ['once', 'no'] },
  preview: { kind: 'merge', members: [{ run_id: 'm', title: 'Fix it' }], files: [merged], more: 0, open_conflicts: 2, notes: [] },
}

test('the conflicts of a merge are resolved one by one, with the author of each side, before it is approved', async () => {
  types('o', 'x', 'm', 'b', 'c')
  const resolutions = [
    { conflict_id: 'k1', use: 'member' },
    { conflict_id: 'k2', use: 'current' },
  ]
  expect(await person.approve(merge)).toEqual({
    ...of,
    answer: 'once',
    edited_arguments: JSON.stringify({ run_ids: ['m'], resolutions }),
  })
  for (const part of ['Conflict 1 of 2: a.ts, line 4', 'current, by Tandem:', 'member, by Fix it:', 'three\\u{202e}', '(nothing)'])
    expect(shown).toContain(part)
  expect(shown).toContain('[c]urrent, [m]ember, [b]oth, [l]ater: ')
  expect(shown).toContain('[c]urrent, [m]ember, [l]ater: ')
})

test('a merge is not approved while a conflict is open', async () => {
  types('o', 'm', 'l', 'n', 'Rebase first.')
  expect(await person.approve(merge)).toEqual({ ...of, answer: 'no', reason: 'Rebase first.' })
  expect(await autoApproveOnce.approve(merge)).toBeNull()
  const resolved = {
    ...merge,
    arguments: JSON.stringify({ resolutions: ['k1', 'k2'].map((conflict_id) => ({ conflict_id, use: 'both' })) }),
  }
  expect(await autoApproveOnce.approve(resolved)).toEqual({ ...of, answer: 'once' })
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
