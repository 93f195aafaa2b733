import { expect, test } from 'vitest'
import { isLookup, isOneLiner } from './lookup.ts'

const asked = (command: string, tool: string | null = 'shell.exec') => {
  const [program = '', ...words] = command.split(' ')
  return { tool, program: program === '' ? null : program, words }
}

test.each([
  'cat a',
  'ls dist',
  'grep x a',
  'git log -3',
  'git describe --tags',
  'git stash show',
  'docker inspect a',
  'npm view a',
  'pip show a',
])('%s only finds something out', (command) => {
  expect(isLookup(asked(command))).toBe(true)
})

test.each(['git merge a', 'npm ci', 'npm test', 'make', 'node a.js', 'mkdir a', 'cp a b', './app'])('%s does something', (command) => {
  expect(isLookup(asked(command))).toBe(false)
})

test.each([
  ['fs.read', true],
  ['fs.list', true],
  ['kb.search', true],
  ['todo.write', true],
  ['fs.write', false],
  ['fs.edit', false],
])('the tool %s: %s', (tool, looks) => {
  expect(isLookup({ tool, program: null, words: [] })).toBe(looks)
})

test('code in the command is written for a question, a file of code is not', () => {
  expect(isOneLiner({ tool: null, program: 'python', words: ['-c', 'print(1)'] })).toBe(true)
  expect(isOneLiner({ tool: null, program: 'sqlite3', words: ['a.db', 'select 1'] })).toBe(true)
  expect(isOneLiner({ tool: null, program: 'python', words: ['a.py'] })).toBe(false)
  expect(isOneLiner({ tool: null, program: 'git', words: ['commit', '-m', 'a b'] })).toBe(false)
})
