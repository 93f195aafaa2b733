import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepUnsavedText, readUnsavedText } from './unsaved-text.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  { text: 'name: A\nnodes: []\n', version: 3 },
  { text: '', version: 3 },
  { text: '12\nnot a version', version: null },
])('%j is kept for its workflow until it is discarded', (unsaved) => {
  keepUnsavedText('one', unsaved)
  expect([readUnsavedText('one'), readUnsavedText('two')]).toEqual([unsaved, null])
  keepUnsavedText('one', null)
  expect(readUnsavedText('one')).toBe(null)
})
