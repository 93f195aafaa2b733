import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceOf, findSequence, isCore, likeness, repeatedWithin, type ShapeSet, signatureOf, type Window } from './sequence.ts'

const set = (shapes: string) => new Set(shapes.split(' '))
const runsOf = (...runs: string[]): readonly ShapeSet[] => runs.map((shapes, at) => ({ run: at + 1, shapes: set(shapes) }))

/** Shapes in lower case only look. */
const windowOf = (runs: readonly ShapeSet[]): Window => ({
  runs: runs.length,
  countOf: (shape) => runs.filter(({ shapes }) => shapes.has(shape)).length,
  isEffectful: (shape) => shape === shape.toUpperCase(),
})
const found = (shapes: string, runs: readonly ShapeSet[]) => findSequence(set(shapes), runs, windowOf(runs))

describe('a sequence', () => {
  test('is what several runs have in common, whatever else they do', () => {
    expect(found('A B C x D', runsOf('A B C y', 'C z A B Q', 'P'))).toEqual({ shapes: ['A', 'B', 'C'], runs: [1, 2] })
  })

  test('is closed: it has every shape that all of its runs have', () => {
    expect(found('A B C D x', runsOf('A B C D', 'A B C D', 'A B C D'))).toEqual({ shapes: ['A', 'B', 'C', 'D'], runs: [1, 2, 3] })
  })

  test('has two effects only if it reads much', () => {
    const runs = runsOf('A B c d e', 'A B c d e', 'A B c d e')
    expect(found('A B c d e', runs)?.shapes).toEqual(['A', 'B', 'c', 'd', 'e'])
  })

  test.each([
    ['two runs are too few', 'A B C', runsOf('A B C')],
    ['two steps are too few', 'A B', runsOf('A B', 'A B', 'A B')],
    ['looking around is no step', 'A B c d', runsOf('A B c d', 'A B c d', 'A B c d')],
  ])('%s', (_name, shapes, runs) => {
    expect(found(shapes, runs)).toBe(null)
  })

  test('calls that are in every run meet by chance', () => {
    const daily = Array.from({ length: 40 }, (_, at) => ['A B', 'B C', 'A C', 'A B C'][at % 4] ?? '')
    expect(found('A B C', runsOf(...daily))).toBe(null)
  })

  test('is less likely by chance the more runs and the more shapes it has', () => {
    const window = windowOf(runsOf(...Array.from({ length: 50 }, (_, at) => `X${at}`)))
    expect(chanceOf(set('A B C'), 4, window)).toBeLessThan(chanceOf(set('A B C'), 3, window))
    expect(chanceOf(set('A B C D'), 3, window)).toBeLessThan(chanceOf(set('A B C'), 3, window))
  })
})

test('the order of steps does not change the signature; another step does', () => {
  const shapes = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      shapes.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([list, shuffled]) => {
        expect(signatureOf('sequence', shuffled)).toBe(signatureOf('sequence', list))
        expect(signatureOf('sequence', [...list, 'one more of them'])).not.toBe(signatureOf('sequence', list))
      },
    ),
  )
})

test('the order of the earlier runs does not change what is found', () => {
  const anyRun = fc.uniqueArray(fc.constantFrom(...'ABCDEFgh'), { minLength: 1 })
  fc.assert(
    fc.property(anyRun, fc.array(anyRun, { maxLength: 8 }), (shapes, others) => {
      const runs = runsOf(...others.map((one) => one.join(' ')))
      const [forward, backward] = [runs, runs.toReversed()].map((list) => findSequence(new Set(shapes), list, windowOf(runs)))
      expect(backward?.shapes).toEqual(forward?.shapes)
      expect(backward?.runs.toSorted()).toEqual(forward?.runs.toSorted())
    }),
  )
})

test('a run that lacks an optional step is the same routine; one that shares only common steps is not', () => {
  const core = ['A', 'B', 'C', 'D'].map((shape) => ({ shape, share: 1, elsewhere: shape === 'D' ? 0.5 : 0.01, effectful: true }))
  expect(likeness(set('A B C x'), core)).toBeGreaterThan(0.9)
  expect(likeness(set('A D x y'), core)).toBe(0)
  expect(likeness(set('x y z'), core)).toBe(0)
})

test.each([
  [1, 0.1, true],
  [0.5, 0.25, true],
  [0.4, 0, false],
  [1, 0.6, false],
])('a shape in %d of its runs and %d of others belongs to a sequence: %s', (share, elsewhere, expected) => {
  expect(isCore(share, elsewhere)).toBe(expected)
})

test('three steps that one run repeats three times', () => {
  const isEffectful = (shape: string) => shape === shape.toUpperCase()
  expect(repeatedWithin('A B C r A B C A C B A'.split(' '), isEffectful)).toEqual({ shapes: ['A', 'B', 'C'], times: 3 })
  expect(repeatedWithin('A B C A B C'.split(' '), isEffectful)).toBe(null)
  expect(repeatedWithin('A B r A B r A B r'.split(' '), isEffectful)).toBe(null)
})
