import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RangeResult, resolveRange } from './range-request.ts'

const etag = '"abc"'
const whole: RangeResult = { kind: 'whole' }
const none: RangeResult = { kind: 'unsatisfiable' }
const part = (start: number, end: number): RangeResult => ({ kind: 'part', start, end })

test.each<[string, number, RangeResult]>([
  ['bytes=0-0', 10, part(0, 0)],
  ['bytes=2-5', 10, part(2, 5)],
  ['bytes=2-', 10, part(2, 9)],
  ['bytes=0-', 10, part(0, 9)],
  ['bytes=9-9', 10, part(9, 9)],
  ['bytes=5-999', 10, part(5, 9)],
  ['bytes=-3', 10, part(7, 9)],
  ['bytes=-10', 10, part(0, 9)],
  ['bytes=-99', 10, part(0, 9)],
  ['BYTES=1-2', 10, part(1, 2)],
  [' bytes= 1 - 2 ', 10, part(1, 2)],
  ['bytes=0-99999999999999999999999999', 10, part(0, 9)],
  ['bytes=10-', 10, none],
  ['bytes=10-20', 10, none],
  ['bytes=99999999999999999999999999-', 10, none],
  ['bytes=-0', 10, none],
  ['bytes=0-', 0, none],
  ['bytes=0-0', 0, none],
  ['bytes=-5', 0, whole],
  ['bytes=5-2', 10, whole],
  ['bytes=-', 10, whole],
  ['bytes=', 10, whole],
  ['bytes=0-1,4-5', 10, whole],
  ['bytes=a-b', 10, whole],
  ['bytes=0x1-2', 10, whole],
  ['bytes=1.5-2', 10, whole],
  ['bytes=--5', 10, whole],
  ['items=0-1', 10, whole],
  ['', 10, whole],
])('%s of %i bytes', (range, size, expected) => {
  expect(resolveRange(size, etag, { range })).toEqual(expected)
})

test('If-Range returns a part only of the same bytes', () => {
  const tags = [etag, ` ${etag} `, `W/${etag}`, '"abd"', 'Sun, 15 Nov 2026 02:14:10 GMT', '*']
  expect(tags.map((tag) => resolveRange(10, etag, { range: 'bytes=0-1', 'if-range': tag }).kind)).toEqual([
    'part',
    'part',
    'whole',
    'whole',
    'whole',
    'whole',
  ])
})

test('If-None-Match takes precedence over ranges and compares weakly', () => {
  const headers = [etag, `W/${etag}`, `"x", ${etag}`, '*', '"x"', 'abc', '']
  expect(headers.map((tag) => resolveRange(10, etag, { range: 'bytes=0-1', 'if-none-match': tag }).kind)).toEqual([
    'unchanged',
    'unchanged',
    'unchanged',
    'unchanged',
    'part',
    'part',
    'part',
  ])
})

test('for any request, a part is within the file', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12, unit: fc.constantFrom(...'0123456789-, ') }), fc.nat(30), (text, size) => {
      const reading = resolveRange(size, etag, { range: `bytes=${text}` })
      if (reading.kind === 'part')
        expect([reading.start >= 0, reading.start <= reading.end, reading.end < size]).toEqual([true, true, true])
    }),
  )
})
