import { visibleWidth } from '@earendil-works/pi-tui'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderText, shortNumber, statusText } from './status-line.ts'

const facts = { model: 'test/model', folder: '/files/project', sandbox: 'sandbox: workspace', activity: '' }
const none = { cost: '', input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }

test.each([
  [{ ...facts, ...none }, 100, 'test/model · /files/project · sandbox: workspace'],
  [
    { ...facts, ...none, input_tokens: 12_345, output_tokens: 67 },
    100,
    'test/model · /files/project · sandbox: workspace · 12.3k in, 67 out',
  ],
  [
    { ...facts, ...none, input_tokens: 5, estimated: true, activity: 'Working…' },
    100,
    'Working… · test/model · /files/project · sandbox: workspace · ~5 in, 0 out',
  ],
  [
    { ...facts, ...none, input_tokens: 12_345, output_tokens: 67, cost: '$0.0123' },
    100,
    'test/model · /files/project · sandbox: workspace · 12.3k in, 67 out · $0.0123',
  ],
  [{ ...facts, ...none, input_tokens: 12_345, cost: '$0.0123' }, 40, 'test/model · /files/project · $0.0123'],
  [{ ...facts, ...none, input_tokens: 5, cost: 'local' }, 45, 'test/model · /files/project · 5 in, 0 out'],
  [{ ...facts, ...none }, 24, 'test/model · …/project'],
  [{ ...facts, ...none }, 6, 'test/…'],
])('%j in %i columns', (given, width, text) => {
  expect(statusText(given, width)).toBe(text)
})

test('it never needs more columns than there are, and no control character gets through', () => {
  const line = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(line, line, line, fc.integer({ min: 4, max: 200 }), (model, folder, activity, width) => {
      const text = statusText({ ...facts, ...none, model, folder, activity }, width)
      expect(visibleWidth(text)).toBeLessThanOrEqual(width)
      expect(text).not.toMatch(/\p{Cc}/u)
    }),
  )
})

test.each([
  [999, '999'],
  [1_000, '1.0k'],
  [2_500_000, '2.5M'],
])('%i is %s', (count, text) => {
  expect(shortNumber(count)).toBe(text)
})

test.each([
  ['/home/me', '~'],
  ['/home/me/a', '~/a'],
  ['/home/meals', '/home/meals'],
])('%s is %s', (folder, text) => {
  expect(folderText(folder, '/home/me')).toBe(text)
})
