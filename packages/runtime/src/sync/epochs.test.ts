import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeEpoch, classifyEpoch, type KnownEpochs, previousEpochTime_ms } from './epochs.ts'

const now = Date.parse('2026-03-01T09:00:00.000Z')
const left = (epoch: string, ago_ms: number) => ({ epoch, left_at: now - ago_ms })

test.each<[what: string, known: KnownEpochs, epoch: string, meaning: string]>([
  ['the first epoch of a device', { epoch: null, left_epochs: [] }, 'a', 'same'],
  ['the current epoch', { epoch: 'a', left_epochs: [] }, 'a', 'same'],
  ['another one', { epoch: 'a', left_epochs: [] }, 'b', 'new'],
  ['one it left a moment ago', { epoch: 'b', left_epochs: [left('a', 1)] }, 'a', 'left'],
  ['one it left almost ten minutes ago', { epoch: 'b', left_epochs: [left('a', previousEpochTime_ms - 1)] }, 'a', 'left'],
  ['one it left ten minutes ago', { epoch: 'b', left_epochs: [left('a', previousEpochTime_ms)] }, 'a', 'new'],
  ['one it left before the clock jumped back', { epoch: 'b', left_epochs: [left('a', -1_000)] }, 'a', 'left'],
  ['one it left while it follows none', { epoch: null, left_epochs: [left('a', 1)] }, 'a', 'left'],
])('%s', (_what, known, epoch, meaning) => {
  expect(classifyEpoch(known, epoch, now)).toBe(meaning)
})

test('keeps the epochs that were left within ten minutes, each once, and never the current one', () => {
  expect(changeEpoch({ epoch: 'b', left_epochs: [left('a', 1), left('old', previousEpochTime_ms)] }, 'c', now)).toEqual([
    left('a', 1),
    left('b', 0),
  ])
  expect(changeEpoch({ epoch: 'b', left_epochs: [left('a', 1)] }, 'a', now)).toEqual([left('b', 0)])
  expect(changeEpoch({ epoch: 'b', left_epochs: [left('a', 1)] }, 'b', now)).toEqual([left('a', 1)])
})

test('whatever responds in whatever order, an epoch is entered at most once in ten minutes', () => {
  const answers = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: previousEpochTime_ms / 4 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(answers, (heard) => {
      let known: KnownEpochs = { epoch: null, left_epochs: [] }
      let at = now
      const lastLeft = new Map<string, number>()
      for (const [epoch, passed] of heard) {
        at += passed
        const meaning = classifyEpoch(known, epoch, at)
        if (meaning === 'new') {
          const before = lastLeft.get(epoch)
          expect(before === undefined || at - before >= previousEpochTime_ms).toBe(true)
          if (known.epoch !== null) lastLeft.set(known.epoch, at)
          known = { epoch, left_epochs: changeEpoch(known, epoch, at) }
        } else if (meaning === 'same') known = { ...known, epoch }
      }
    }),
  )
})
