import { expect, test } from 'vitest'
import { inSlices, othersFirst, type SlicedWork } from './slices.ts'

test('features that work in slices at the same time take turns', async () => {
  const happened: string[] = []
  let isOver = false
  const other = () => {
    happened.push('user')
    if (!isOver) setImmediate(other)
  }
  function* work(name: string): SlicedWork<void> {
    for (let piece = 0; piece < 5; piece += 1) {
      happened.push(name)
      yield
    }
  }
  let now = 0
  // Each look at the clock is a whole slice later, so each piece is a slice.
  const elapsed = () => (now += 10)
  await othersFirst()
  setImmediate(other)
  await Promise.all(['a', 'b', 'c'].map((name) => inSlices(work(name), elapsed)))
  isOver = true
  const [, ...turns] = happened.join(' ').split('user')
  // Each begins at once; from then on, a turn has one slice of one of them.
  expect(turns.map((turn) => turn.trim().split(' ').filter(Boolean).length).every((count) => count <= 1)).toBe(true)
  expect(happened.filter((one) => one !== 'user')).toHaveLength(15)
})
