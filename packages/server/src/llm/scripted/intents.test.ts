import { describe, expect, test } from 'vitest'
import type { IntentValues } from './arguments.ts'
import { type Intent, intents, recognizeIntent } from './intents.ts'
import { clauses } from './wording.ts'

const meant = (request: string) =>
  clauses(request).map((clause) => {
    const found = recognizeIntent(clause)
    return found && [found.intent.name, ...found.calls]
  })

describe('every example in the table has its intent', () => {
  const examples = (intents as readonly Intent[]).flatMap(({ name, examples }) =>
    examples.map(([request, ...wanted]): [string, string, readonly IntentValues[]] => [request, name, wanted]),
  )
  test.each(examples)('%s', (request, name, wanted) => {
    expect(meant(request)).toEqual([[name, ...wanted]])
  })
})

test('clauses are executed one after the other', () => {
  expect(meant('Please create a file a.txt with "one; then two", then read a.txt and then run `cat a.txt | wc`.')).toEqual([
    ['write', { path: 'a.txt', content: 'one; then two' }],
    ['read', { path: 'a.txt' }],
    ['run', { command: 'cat a.txt | wc' }],
  ])
})

test('a block of code is content', () => {
  expect(meant('write this to main.py:\n```python\nprint("hi")\n```')).toEqual([['write', { path: 'main.py', content: 'print("hi")' }]])
  expect(meant('create main.py with\n```python\nprint("hi")\nx = 1\n```')).toEqual([
    ['write', { path: 'main.py', content: 'print("hi")\nx = 1' }],
  ])
})

test.each(['hello there', 'What is the meaning of life?', '', '   ', "I don't know", '```', '"', 'the files are listed'])(
  '%j has no intent',
  (request) => {
    expect(meant(request).filter((one) => one !== undefined)).toEqual([])
  },
)

test('a long request is read completely', () => {
  const seeds = ['replace a with b ', 'write x to ', 'read a, b and ', 'search for x in ', 'add a todo ', 'what is in ', 'ask me ']
  expect(seeds.map((seed) => meant(seed.repeat(2_000)).length)).toEqual(seeds.map(() => 1))
})
