import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openBundledEmbedder } from '../recall/embed/bundled.ts'
import { type Embedder, embedderName } from '../recall/embed/embedder.ts'
import { openStore, type Store } from '../store/store.ts'
import { openMeanings } from './meanings.ts'
import { comparedBy, leastSame, sameness } from './rule/same-demand.ts'

let home: string
let store: Store
const lines: string[] = []
const { signal } = new AbortController()

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'meanings-'))
  store = openStore({ home, clock: systemClock })
  lines.length = 0
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true, force: true })
})

/** Numbers made from the letters: what is asked of it is counted. */
function lettersEmbedder(model: string): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    ...{
      kind: 'model',
      asked,
      name: () => embedderName('test', model, 3),
      isWarm: () => true,
      warm: () => undefined,
      stop: async () => undefined,
    },
    async embed(texts) {
      asked.push(...texts)
      return texts.map((text) => Float32Array.from([text.length, text.split('e').length, text.split(' ').length]))
    },
  }
}
const openWith = (embedder: () => Embedder | null) => openMeanings({ store, embedder, log: (line) => void lines.push(line) })

test('the bundled embedder finds the same demand in other words, in both languages, and keeps others apart', {
  timeout: 120_000,
}, async () => {
  const embedder = openBundledEmbedder(systemClock)
  try {
    const meanings = openWith(() => embedder)
    const texts = ['No claim without a source.', 'Cite what you used.', 'Keine Behauptung ohne Nachweis.', 'Never mail at night.']
    await meanings.prepare(texts, signal)
    const [claim, cited, german, mail] = texts.map((text) => comparedBy(text, true, meanings.of(text)))
    if (!claim || !cited || !german || !mail) throw new Error('four are compared')
    const same = [cited, german, mail].map((one) => sameness(claim, one, () => 1) >= leastSame)
    expect(same).toEqual([true, true, false])
  } finally {
    await embedder.stop()
  }
})

test('a text is computed once, also for a later start; another model computes its own', async () => {
  const first = lettersEmbedder('one')
  await openWith(() => first).prepare(['Keep it short.', 'Keep it short.'], signal)
  expect(first.asked.filter((text) => text === 'Keep it short.')).toHaveLength(1)
  const again = lettersEmbedder('one')
  const later = openWith(() => again)
  await later.prepare(['Keep it short.'], signal)
  expect(again.asked).toEqual([])
  expect(later.of('Keep it short.')).toMatchObject({ model: 'test one 3' })
  const other = lettersEmbedder('two')
  const changed = openWith(() => other)
  expect(changed.of('Keep it short.')).toBeNull()
  await changed.prepare(['Keep it short.'], signal)
  expect(changed.of('Keep it short.')).toMatchObject({ model: 'test two 3' })
})

test('without an embedder, or one that fails or does not answer in time, there is no meaning', async () => {
  const none = openWith(() => null)
  await none.prepare(['Keep it short.'], signal)
  expect(none.of('Keep it short.')).toBeNull()
  const failing = openWith(() => ({ ...lettersEmbedder('one'), embed: async () => Promise.reject(new Error('no model is configured')) }))
  await failing.prepare(['Keep it short.'], signal)
  expect(failing.of('Keep it short.')).toBeNull()
  expect(lines).toEqual(['skill evolution: texts are compared by their words: no model is configured'])
  const silent = openWith(() => ({ ...lettersEmbedder('one'), embed: () => new Promise(() => undefined) }))
  await silent.prepare(['Keep it short.'], signal, 20)
  expect(silent.of('Keep it short.')).toBeNull()
})
