import { PassThrough } from 'node:stream'
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { expect, test } from 'vitest'
import { testSource } from '../../test/support/test-source.ts'
import { progressText, showReadingProgress } from './progress.ts'

const folder = { kind: 'folder', path: '/docs' } as const

test.each<[Pick<KnowledgeSource, 'state' | 'progress' | 'origin'>, string]>([
  [{ state: 'waiting', progress: null, origin: folder }, 'waiting to be read'],
  [{ state: 'reading', progress: null, origin: folder }, 'looking for changes'],
  [{ state: 'reading', progress: { done: 0, total: null, bytes: 0 }, origin: { kind: 'url', url: 'https://a' } }, 'loading the page'],
  [{ state: 'reading', progress: { done: 0, total: 1, bytes: 0 }, origin: folder }, '0 of 1 file checked, 0 B read'],
  [
    { state: 'reading', progress: { done: 1_200, total: 10_000, bytes: 2 ** 20 }, origin: folder },
    '1,200 of 10,000 files checked, 1.0 MiB read',
  ],
])('the progress of %o', (source, text) => {
  expect(progressText(source)).toBe(text)
})

function stream(isTTY: boolean, columns?: number) {
  const pieces: string[] = []
  const out = Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream
  out.on('data', (piece: Buffer) => pieces.push(piece.toString()))
  return { out, text: () => pieces.join('') }
}

const reading = (done: number, name = 'docs') => testSource({ name, state: 'reading', progress: { done, total: 9, bytes: 0 } })

test('a terminal shows one line, never longer than it is wide, which is erased at the end', () => {
  const { out, text } = stream(true, 40)
  const progress = showReadingProgress(out)
  progress.show(reading(1))
  progress.show(reading(2, 'a\u001b[2J name that is too long for a narrow terminal'))
  progress.end()
  expect(text().split('\r\x1b[2K')).toEqual(['', 'docs: 1 of 9 files checked, 0 B read', 'a\\u{1b}[2J name that is too long for a…', ''])
})

test('elsewhere, a line is written every five seconds if something has changed', () => {
  const { out, text } = stream(false)
  let now = 0
  const progress = showReadingProgress(out, () => now)
  for (const [at, done] of [
    [0, 1],
    [4_999, 2],
    [5_000, 3],
    [9_000, 4],
    [10_000, 3],
    [11_000, 5],
    [12_000, 6],
  ] as const) {
    now = at
    progress.show(reading(done))
  }
  progress.end()
  expect(text()).toBe('docs: 3 of 9 files checked, 0 B read\ndocs: 5 of 9 files checked, 0 B read\n')
})
