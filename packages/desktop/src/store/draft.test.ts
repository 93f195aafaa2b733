import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAttachments, keepDraft, readAttachments, readDraft } from './draft.ts'

const day_ms = 24 * 60 * 60 * 1_000
const file = { file_id: 'f', name: 'a.png', media_type: 'image/png', size: 3 }
let kept: Record<string, string>

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] })
  kept = {}
  // Its own properties are the stored keys, as in a browser.
  const storage = {
    getItem: (key: string) => kept[key] ?? null,
    setItem(key: string, value: string) {
      kept[key] = value
    },
    removeItem: (key: string) => void delete kept[key],
  }
  vi.stubGlobal(
    'localStorage',
    new Proxy(storage, { ownKeys: () => Object.keys(kept), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a draft is kept for 30 days after it was typed, its attachments for as long as the runtime has them', () => {
  keepDraft('c', 'Hello')
  keepAttachments('c', [file])
  vi.setSystemTime(Date.now() + 6 * day_ms)
  expect([readDraft('c'), readAttachments('c')]).toEqual(['Hello', [file]])
  vi.setSystemTime(Date.now() + day_ms)
  expect([readDraft('c'), readAttachments('c')]).toEqual(['Hello', []])
  // Opening it again is not typing.
  keepDraft('c', 'Hello')
  vi.setSystemTime(Date.now() + 24 * day_ms)
  expect(readDraft('c')).toBe('')
})

test('an old draft is deleted when another one is written', () => {
  keepDraft('old', 'Hello')
  vi.setSystemTime(Date.now() + 31 * day_ms)
  keepDraft('next', 'Again')
  expect(Object.keys(kept)).toEqual(['tandem.draft.next'])
})

test('the oldest drafts make room for long ones', () => {
  for (const [at, name] of ['one', 'two', 'three'].entries()) {
    vi.setSystemTime(1_700_000_000_000 + at)
    keepDraft(name, name.repeat(200_000))
  }
  expect(['one', 'two', 'three'].map((name) => readDraft(name).length)).toEqual([0, 600_000, 1_000_000])
})
