import { expect, test } from 'vitest'
import { rangeOf } from './announce-compaction.ts'
import type { Entry } from './transcript.ts'

const user = (run: number, seq: number): Entry => ({ at: { run, seq }, kind: 'user', text: 'x' })
const summary = (run: number, seq: number): Entry => ({ at: { run, seq }, kind: 'summary', text: 'x' })
const place = (run_id: string, seq: number) => ({ run_id, seq })

test.each<[string, readonly Entry[], ReturnType<typeof rangeOf>]>([
  ['nothing', [], null],
  ['a summary alone', [summary(1, 4)], null],
  ['one entry', [user(1, 0)], { from: place('r1', 0), through: place('r1', 0) }],
  ['several runs', [user(1, 0), user(1, 5), user(2, 3)], { from: place('r1', 0), through: place('r2', 3) }],
  ['what an earlier compaction left out', [summary(1, 4), user(1, 5), user(2, 0)], { from: place('r1', 5), through: place('r2', 0) }],
])('the range of a compaction: %s', (_name, old, range) => {
  expect(rangeOf(old, (no) => `r${no}`)).toEqual(range)
})
