// `tandem run` and `tandem resume` in a real terminal, with a user who answers with keys.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { type TestTerminal, useTerminals } from './support/test-tmux.ts'

const patience = 90_000
const esc = '\u001b'
const { model, here, environment: variables } = await useScriptedTandem()
beforeEach(() => {
  model.requests.length = 0
})
const openTerminal = useTerminals()
const file = (name: string) => join(here.workspace, name)
const write = (path: string, content: string) => ({ call: 'fs.write', arguments: { path, content } })

function tandem(...args: readonly string[]): TestTerminal {
  const env = { ...variables(), TANDEM_HOME: join(here.folder, 'home') }
  return openTerminal(args, { cwd: here.workspace, env, columns: 120 })
}

test('an approval shows a colored diff and is answered with a letter; a question with the number of an option', {
  timeout: patience,
}, async () => {
  writeFileSync(file('a.txt'), 'old line\n')
  const question = { call: 'ask_user', arguments: { question: 'Which color?', options: [{ value: 'red' }, { value: 'blue' }] } }
  model.script(write('a.txt', 'new line\n'), write('b.txt', 'no\n'), question, { text: 'Blue it is.' })
  const terminal = tandem('run', 'paint')
  await terminal.sees('Overwrite a.txt?')
  await terminal.sees('[s]how all:')
  expect(terminal.colored()).toContain(`${esc}[32m+new line`)
  expect(terminal.colored()).toContain(`${esc}[31m-old line`)
  expect(readFileSync(file('a.txt'), 'utf8')).toBe('old line\n')
  terminal.type('o')
  terminal.press('Enter')
  await terminal.sees('Create b.txt?')
  expect(readFileSync(file('a.txt'), 'utf8')).toBe('new line\n')
  terminal.type('n')
  terminal.press('Enter')
  await terminal.sees(/[Ww]hy/)
  terminal.type('one file is enough')
  terminal.press('Enter')
  await terminal.sees('Which color?')
  expect(JSON.stringify(model.requests[2]?.messages)).toContain('one file is enough')
  await terminal.sees('2. blue')
  terminal.type('2')
  terminal.press('Enter')
  await terminal.sees('Blue it is.')
  expect(await terminal.exited()).toBe(0)
  expect([JSON.stringify(model.requests[3]?.messages).includes('The user chose: blue'), existsSync(file('b.txt'))]).toEqual([true, false])
})

test('Ctrl-C stops a run that works; a retry is reported with its reason', { timeout: patience }, async () => {
  const body = JSON.stringify({ error: { message: 'Slow down, please.', code: 'rate_limit_exceeded' } })
  model.script({ status: 429, body, headers: { 'retry-after-ms': '100' } }, { hang: true })
  const terminal = tandem('run', 'think')
  await terminal.sees('! The model did not respond: Slow down, please. Trying again in')
  await model.hanging()
  terminal.press('C-c')
  await terminal.sees('Stopping the run. Press Ctrl-C again to exit immediately.')
  expect(await terminal.exited()).toBe(130)
})
