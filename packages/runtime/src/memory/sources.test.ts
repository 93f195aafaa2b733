import { expect, test } from 'vitest'
import { indexedText } from './sources.ts'

const key = 'sk-proj-Zk3vQ9xT7mB2nL5pR8wY1cD4fG6hJ0aS'

test.each([19_990, 39_990])('a secret at position %d of a long message is not indexed, not even a part of it', (at) => {
  const text = `${'word '.repeat(at / 5)}${key} ${'more '.repeat(10_000)}`
  const indexed = indexedText(text)
  expect([indexed.includes('sk-proj'), indexed.includes(key.slice(0, 10)), indexed.length > 19_900]).toEqual([false, false, true])
})

test('a text is masked as a whole', () => {
  expect(indexedText(`the key is ${key}.`)).not.toContain('Zk3v')
})
