import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandWord, parseSlashCommand, slashCommands } from './slash-commands.ts'

test.each(slashCommands.map(({ name }) => [name]))('/%s is a command, with and without an argument', (name) => {
  expect(parseSlashCommand(`/${name}`)).toMatchObject({ command: { name }, argument: '' })
  expect(parseSlashCommand(` /${name}  one two \n`)).toMatchObject({ command: { name }, argument: 'one two' })
})

test.each([
  ['/exit', 'quit'],
  ['/?', 'help'],
  ['/clear', 'new'],
])('%s is another name of /%s', (text, name) => {
  expect(parseSlashCommand(text)?.command.name).toBe(name)
})

test.each(['hello', 'see /help', '/forms Fill it in', '/etc/hosts', '/constructor', '//', '/'])('%s is not a command', (text) => {
  expect(parseSlashCommand(text)).toBeNull()
})

test.each([
  ['/forms Fill it in', 'forms'],
  ['/my-skill', 'my-skill'],
  ['/etc/hosts what is it?', null],
  ['hello /there', null],
])('the word of %s is %s', (text, word) => {
  expect(commandWord(text)).toBe(word)
})

test('every text is a command or a message', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseSlashCommand(text) === null || text.trim().startsWith('/')))
})
