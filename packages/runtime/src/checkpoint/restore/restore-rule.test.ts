import { expect, test } from 'vitest'
import type { FileImage } from '../content/image.ts'
import type { ChangedPath } from './changed-paths.ts'
import { decideRestore } from './restore-rule.ts'

function file(letter: string): FileImage {
  const times = { mtime: 1, ctime: 1, ino: 1, links: 1, born: 1 }
  return { type: 'file', mode: 0o644, size: 1, ...times, sha256: letter.repeat(64), content: { clone: letter }, racy: false }
}

const [before, left, later] = [file('a'), file('b'), file('c')]
const known: ChangedPath = {
  ...{ target: before, last: left, taken_at: 0, changed_between: false, contested: null, background: false, running: [] },
  ...{ overlooked: false, late: false },
}
const inBackground = { background: true, running: ['checkpoint'] }
const around = { isKept: () => true, wasMoved: () => false }
const hindranceOf = (touched: Partial<ChangedPath>, now: Parameters<typeof decideRestore>[2]) =>
  decideRestore('/f', { ...known, ...touched }, now, around)?.hindrance?.reason ?? null

test.each([
  ['as the run left it', {}, left, null],
  ['changed since', {}, later, 'it was changed outside this run since then'],
  ['removed since', {}, 'absent', 'it was removed outside this run since then'],
  ['changed since by a background command that has ended', { background: true }, later, 'it was changed outside this run since then'],
  ['left by a background command that is running', inBackground, left, null],
  ['changed again by a background command that is running, after the last look', inBackground, later, null],
  ['removed by a background command that is running, after the last look', inBackground, 'absent', null],
  [
    'changed by another run too, while a background command is running',
    { ...inBackground, contested: 'other_run' },
    later,
    'another run may have changed it at the same time',
  ],
  ['changed between two calls', { changed_between: true }, left, 'it was changed outside this run, between two of its calls'],
] as const)('%s', (_what, touched, now, reason) => {
  expect(hindranceOf(touched, now)).toBe(reason)
})
