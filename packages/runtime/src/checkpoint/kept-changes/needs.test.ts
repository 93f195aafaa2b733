import { expect, test } from 'vitest'
import { type HistoryPoint, neededPoints } from './needs.ts'

/** `a+ 1-2`: a point of run `a` with contents, from scan 1 to scan 2; `-` is one without contents, `?` a run that was erased. */
function point(text: string): HistoryPoint {
  const [run = '', contents = '', from = '', to = ''] = /^(.)(.) (\d+)-(\d*)$/.exec(text)?.slice(1) ?? []
  const run_id = run === '?' ? null : run
  return { checkpoint_id: text, run_id, from: Number(from), to: to === '' ? Number.POSITIVE_INFINITY : Number(to), whole: contents === '+' }
}

test.each([
  ['after an older point of its run', ['a+ 1-2', 'a- 3-4'], ['a- 3-4']],
  ['not before the oldest point of its run', ['a- 1-2', 'a+ 3-4'], []],
  ['before the oldest point, if its background command was still running', ['a- 1-4', 'a+ 3-5'], ['a- 1-4']],
  ['not if no point of its run has contents', ['a- 1-2', 'a- 3-4'], []],
  ['at the same time as a point of another run', ['a+ 1-4', 'b- 2-3'], ['b- 2-3']],
  ['not before or after a point of another run', ['b- 1-2', 'a+ 3-4', 'b- 5-6'], []],
  ['after its conversation was erased, like another run', ['a+ 1-4', '?- 2-3', '?- 5-6'], ['?- 2-3']],
  ['at the same time as a point that a restore passes', ['a+ 1-2', 'a- 3-6', 'b- 4-5'], ['a- 3-6', 'b- 4-5']],
  ['not two at the same time that no restore passes', ['a- 3-6', 'b- 4-5'], []],
  ['one that has not ended overlaps with everything later', ['b- 1-', 'a+ 5-6'], ['b- 1-']],
])('%s', (_name, points, needed) => {
  expect([...neededPoints(points.map(point))]).toEqual(needed)
})
