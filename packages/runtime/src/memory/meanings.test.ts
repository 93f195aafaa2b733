import { expect, test } from 'vitest'
import type { Embedder } from '../recall/embed/embedder.ts'
import { openMeanings } from './meanings.ts'

const never = new AbortController().signal
const texts = new Set(['My day rate is 340.', 'New day rate is 365.', 'Zero.'])
/** Each text has the direction of its length. */
const embed = async (list: readonly string[]) => list.map((text) => Float32Array.from(text === 'Zero.' ? [0, 0] : [1, text.length / 20]))
const embedder = (rest: Partial<Embedder>): Embedder => ({
  ...{ kind: 'bundled', name: () => 'bundled test 2', isWarm: () => true, warm: () => undefined, embed, stop: async () => undefined },
  ...rest,
})

function opened(using: Embedder | null, after: (ms: number, done: () => void) => () => void = () => () => undefined) {
  const logged: string[] = []
  return { ...openMeanings({ clock: { after }, embedder: () => using, log: (line) => logged.push(line) }), logged }
}

test('likeness is the cosine of two texts, and unknown for others', async () => {
  const likeness = await opened(embedder({})).likenessOf(texts, never)
  expect(likeness?.('My day rate is 340.', 'My day rate is 340.')).toBeCloseTo(1)
  expect(likeness?.('My day rate is 340.', 'New day rate is 365.')).toBeGreaterThan(0.9)
  expect(likeness?.('My day rate is 340.', 'Zero.')).toBeNull()
  expect(likeness?.('My day rate is 340.', 'never asked')).toBeNull()
})

test.each([
  ['no embedder', null, []],
  ['an embedder with another scale', embedder({ kind: 'model' }), []],
  [
    'one that fails',
    embedder({ embed: () => Promise.reject(new Error('no memory left')) }),
    ['memory: statements are compared by their words: no memory left'],
  ],
])('words alone count with %s', async (_, using, lines) => {
  const { likenessOf, logged } = opened(using)
  expect(await likenessOf(texts, never)).toBeUndefined()
  expect(logged).toEqual(lines)
})

test('an embedder that does not answer in time is not waited for, nor is one whose flush has ended', async () => {
  const silent = embedder({ embed: () => new Promise(() => undefined) })
  const late = opened(silent, (_, done) => {
    done()
    return () => undefined
  })
  expect(await late.likenessOf(texts, never)).toBeUndefined()
  const ended = new AbortController()
  const waiting = opened(silent).likenessOf(texts, ended.signal)
  ended.abort()
  expect(await waiting).toBeUndefined()
})
