import { expect, test } from 'vitest'
import { argumentAt, hasExtraText, matchingCommands, parseSlashCommand, slashCommands, slashWord } from './slash-commands.ts'

test.each([
  ['/help', { name: 'help', argument: '' }],
  ['  /model  gpt-5 ', { name: 'model', argument: 'gpt-5' }],
  ['/agent My agent', { name: 'agent', argument: 'My agent' }],
  ['/review this', null],
  ['/etc/hosts', null],
  ['help', null],
  ['/', null],
  ['/constructor', null],
])('%j is the command %j', (text, command) => expect(parseSlashCommand(text)).toEqual(command))

test.each([
  ['/review this', 'review'],
  ['/etc/hosts is odd', null],
  ['/ home', null],
  ['a /b', null],
  ['/x', 'x'],
])('the word after the slash of %j is %j', (text, word) => expect(slashWord(text)).toBe(word))

test.each([
  ['/model gp', { name: 'model', typed: 'gp' }],
  ['/model ', { name: 'model', typed: '' }],
  ['/model', null],
  ['/help me', null],
])('in %j the argument is %j', (text, argument) => expect(argumentAt(text, text.length)).toEqual(argument))

test('text after a command that takes none is not an argument', () => {
  const extra = ['/undo the last rename', '/todos add a test', '/new', '/undo ', '/model x', '/export json'].filter((text) => {
    const typed = parseSlashCommand(text)
    return typed !== null && hasExtraText(typed)
  })
  expect(extra).toEqual(['/undo the last rename', '/todos add a test'])
})

test('only usable commands are offered, those that begin with the typed text first', () => {
  const everywhere = { isRunning: false, hasConversation: true }
  expect(matchingCommands('', everywhere)).toEqual(slashCommands)
  expect(matchingCommands('m', everywhere).map(({ name }) => name)).toEqual(['model', 'compact'])
  expect(matchingCommands('', { isRunning: true, hasConversation: true }).filter(({ duringRun }) => !duringRun)).toEqual([])
  expect(matchingCommands('', { isRunning: false, hasConversation: false }).filter(({ inConversation }) => inConversation)).toEqual([])
  expect(matchingCommands('zzz', everywhere)).toEqual([])
})
