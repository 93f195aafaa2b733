import { expect, test } from 'vitest'
import { idBatches } from './id-batches.ts'

test('any number of ids is named by commands that name 500 each', () => {
  const ids = Array.from({ length: 1_200 }, (_, at) => `c${at}`)
  const batches = idBatches(ids)
  expect([batches.map(({ length }) => length), batches.flat(), idBatches([])]).toEqual([[500, 500, 200], ids, []])
})
