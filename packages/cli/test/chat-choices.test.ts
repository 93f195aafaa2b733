// What a user decides in the interactive session, in a real terminal: the model and the sandbox, approvals, and how it continues after a run
// was stopped, failed or paused.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { parseJsonLines } from './support/test-tandem.ts'
import { type TestTerminal, useTerminals } from './support/test-tmux.ts'

const patience = 90_000
const { model, here, environment: variables } = await useScriptedTandem()
beforeEach(() => {
  model.requests.length = 0
})
const openTerminal = useTerminals()
const sent = (at: number) => JSON.stringify(model.requests[at]?.messages)
const file = (name: string) => join(here.workspace, name)
const write = (path: string, content: string) => ({ call: 'fs.write', arguments: { path, content } })

async function chat(...args: readonly string[]): Promise<TestTerminal> {
  const env = { ...variables(), TANDEM_HOME: join(here.folder, 'home') }
  const terminal = openTerminal(args, { cwd: here.workspace, env, columns: 160 })
  await terminal.sees('test/scripted')
  return terminal
}

async function say(terminal: TestTerminal, text: string): Promise<void> {
  terminal.type(text)
  terminal.press('Enter')
}

async function runs(): Promise<readonly unknown[]> {
  const listed = parseJsonLines((await here.command('runs', '--json')).stdout)
  return listed.map((run) => [run.model, run.sandbox_mode, run.state])
}

test('the status line has the model, the folder, the sandbox and the tokens; /sandbox and /model default change what is next', {
  timeout: patience,
}, async () => {
  model.script({ text: 'One.' }, { text: 'Two.' })
  const terminal = await chat()
  const folder = `.*/${basename(here.folder)}/workspace`
  await terminal.sees(new RegExp(`^test/scripted · ${folder} · sandbox: workspace$`, 'm'))
  await say(terminal, '/sandbox none')
  await terminal.sees('The sandbox must be one of trusted, workspace, strict.')
  await say(terminal, '/sandbox strict')
  await terminal.sees('Sandbox for the next messages: strict.')
  await say(terminal, '/model test/other')
  await terminal.sees(/^test\/other · .* · sandbox: strict$/m)
  await say(terminal, 'first')
  await terminal.sees('One.')
  await terminal.sees(/ · sandbox: strict · 10 in, 5 out/)
  await say(terminal, '/model default')
  await terminal.sees(/^test\/scripted · .*strict/m)
  await say(terminal, 'second')
  await terminal.sees('Two.')
  expect(await runs()).toEqual([
    ['test/scripted', 'strict', 'completed'],
    ['test/other', 'strict', 'completed'],
  ])
})

test('a new line with Alt-Enter and with a backslash before Enter', { timeout: patience }, async () => {
  model.script({ text: 'Read.' })
  const terminal = await chat()
  terminal.type('one')
  terminal.press('M-Enter')
  terminal.type('two\\')
  terminal.press('Enter')
  terminal.type('three')
  await terminal.sees(/─\none +\ntwo +\nthree/)
  expect(model.requests).toHaveLength(0)
  terminal.press('Enter')
  await terminal.sees('Read.')
  expect(sent(0)).toContain('one\\ntwo\\nthree')
})

test('arguments are edited before a call is allowed, everything of it can be shown, and "always" is not asked again', {
  timeout: patience,
}, async () => {
  model.script(write('a.txt', 'wrong'), write('b.txt', 'b'), write('c.txt', 'c'), { text: 'All three.' })
  const terminal = await chat()
  await say(terminal, 'write')
  await terminal.sees('Create a.txt?')
  await terminal.sees('Show everything')
  terminal.press('e')
  await terminal.sees('The arguments, as JSON:')
  // The cursor is at the end, and a text that is not valid stays to be corrected.
  terminal.press('BSpace')
  terminal.press('Enter')
  await terminal.sees('This is not valid JSON. The call was not approved.')
  expect(existsSync(file('a.txt'))).toBe(false)
  for (let at = 0; at < 'wrong"'.length; at += 1) terminal.press('BSpace')
  await say(terminal, 'right"}')
  await terminal.sees('Create b.txt?')
  expect(readFileSync(file('a.txt'), 'utf8')).toBe('right')
  await terminal.sees('Allow this?')
  terminal.press('s')
  await terminal.sees(/"content": ?"b"/)
  await terminal.sees('Allow this?')
  terminal.press('a')
  await terminal.sees('All three.')
  expect(readFileSync(file('c.txt'), 'utf8')).toBe('c')
  expect(terminal.screen()).not.toContain('Create c.txt?')
  expect((await here.command('policy', 'rules')).stdout).toContain('fs.write')
})

test('a message after a run that was stopped or failed starts a new one that knows it; a queued message returns to the composer', {
  timeout: patience,
}, async () => {
  model.script({ hang: true })
  const terminal = await chat()
  await say(terminal, 'think')
  await model.hanging()
  await say(terminal, 'and hurry')
  await terminal.sees('⏳ and hurry')
  terminal.press('C-c')
  await terminal.sees('The run was stopped.')
  await terminal.sees(/─\nand hurry/)
  await terminal.seesNot('⏳')
  model.script({ status: 401, body: JSON.stringify({ error: { message: 'no such key' } }) }, { text: 'Here again.' })
  terminal.press('Enter')
  await expect.poll(() => model.requests.length).toBe(2)
  expect(sent(1)).toContain('The run before this message was stopped')
  await terminal.sees(/no such key/i)
  await say(terminal, 'now?')
  await terminal.sees('Here again.')
  expect(sent(2)).toMatch(/The run before this message failed: [^"]*no such key/i)
  expect((await runs()).map((run) => (Array.isArray(run) ? run.at(-1) : run))).toEqual(['completed', 'failed', 'canceled'])
})

test('/continue asks again what a paused run waits for, also in a session opened with --conversation', { timeout: patience }, async () => {
  model.script(write('late.txt', 'x'))
  const terminal = await chat()
  await say(terminal, '/continue')
  await terminal.sees('No run is paused in this conversation.')
  await say(terminal, 'write it')
  await terminal.sees('Allow this?')
  terminal.press('Escape')
  await terminal.sees('Paused: a call needs your approval.')
  terminal.press('C-d')
  expect(await terminal.exited()).toBe(0)
  const [, id = ''] = /tandem chat --conversation (\S+)/.exec(terminal.screen()) ?? []
  const again = await chat('chat', '--conversation', id.slice(0, 13))
  await again.sees('Continuing “write it”.')
  await again.sees('Allow this?')
  again.press('Escape')
  await again.sees('Paused: a call needs your approval.')
  model.script({ text: 'Written.' })
  await say(again, '/continue')
  await again.sees('Allow this?')
  again.press('y')
  await again.sees('Written.')
  expect(readFileSync(file('late.txt'), 'utf8')).toBe('x')
})

test('an approval and a question that are answered elsewhere are closed, and the run is shown further', { timeout: patience }, async () => {
  const question = { question: 'Which one?', options: [{ value: 'a', label: 'The first' }] }
  model.script(
    { call: 'fs.write', arguments: { path: 'made.txt', content: 'made\n' } },
    { call: 'ask_user', arguments: question },
    { text: 'Both answered.' },
  )
  const terminal = await chat()
  await say(terminal, 'make it')
  await terminal.sees('Allow this?')
  expect((await here.command('resume', 'last', '--answer', 'once')).status).toBe(3)
  await terminal.sees('Answered in another window or terminal.')
  await terminal.sees('Which one?')
  expect(readFileSync(file('made.txt'), 'utf8')).toBe('made\n')
  expect((await here.command('resume', 'last', '--answer', 'a')).status).toBe(0)
  await terminal.sees('Both answered.')
  await terminal.seesNot('Select one')
})
