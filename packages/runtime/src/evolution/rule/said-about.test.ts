import { expect, test } from 'vitest'
import { aboutOf } from './said-about.ts'

const call = (command: string) => ({ tool: 'shell.exec', arguments: JSON.stringify({ command }) })

test.each([
  ['git switch -c a main', 'git switch -c a develop', false, 'redone'],
  ['git switch -c a main', 'git switch -c a main', false, null],
  ['git switch -c a main', 'git commit -m a', false, null],
  // Looking at the next thing is no second attempt.
  ['cat a.md', 'cat b.md', false, null],
  ['git switch -c a main', 'git switch -c a develop', true, 'restored'],
  ['git switch -c a main', null, false, null],
  [null, 'git switch -c a main', false, null],
])('%s, a message, %s, restored %s: %s', (before, after, restored, expected) => {
  const around = { before: before === null ? undefined : call(before), after: after === null ? undefined : call(after), restored }
  expect(aboutOf(around, '/home/ada/shop')).toBe(expected)
})
