import { expect, test } from 'vitest'
import { chatCompletion, mentionIn } from './completion.ts'

const provider = chatCompletion({
  files: async (query) => ['src/a.ts', 'my file.md'].filter((path) => path.includes(query)),
  skills: async () => [{ name: 'forms', description: 'Helps with forms.' }],
  argumentsOf: async (command) => (command === 'agent' ? ['Scribe', 'Scout'] : []),
})

async function suggested(text: string, force = false) {
  const found = await provider.getSuggestions([text], 0, text.length, { signal: new AbortController().signal, force })
  return found?.items.map(({ value }) => value) ?? null
}

test.each([
  ['look at @src', '@src'],
  ['@', '@'],
  ['@"my fi', '@"my fi'],
  ['me@example.com', null],
  ['@done and', null],
])('the mention in %s is %s', (before, mention) => {
  expect(mentionIn(before)).toBe(mention)
})

test.each([
  ['look at @a', false, ['@src/a.ts']],
  ['@my', false, ['@"my file.md"']],
  ['@src/a.ts', false, null],
  ['/fo', false, ['/forms']],
  ['/und', false, ['/undo']],
  ['/agent Sc', false, null],
  ['/agent Sc', true, ['Scribe', 'Scout']],
  ['hello /und', false, null],
])('%s, requested: %s', async (text, force, values) => {
  expect(await suggested(text, force)).toEqual(values)
})

test('a completion replaces what was typed and leaves the rest', () => {
  const item = { value: '@src/a.ts', label: 'src/a.ts' }
  expect(provider.applyCompletion(['see @a now'], 0, 6, item, '@a')).toEqual({ lines: ['see @src/a.ts now'], cursorLine: 0, cursorCol: 13 })
  expect(provider.applyCompletion(['see @a'], 0, 6, item, '@a')).toEqual({ lines: ['see @src/a.ts '], cursorLine: 0, cursorCol: 14 })
})
