import { limits } from '@tandem/contract/limits'
import { expect, test } from 'vitest'
import { newId } from '../http/id.ts'
import { firstIdOf, idInBatch } from './batch-id.ts'

test('the ids of a batch have the order of the batch', () => {
  const ids = Array.from({ length: limits.log_batch }, (_, at) => idInBatch(1_758_440_412_345, at))
  expect(ids.toSorted()).toEqual(ids)
  expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(limits.log_batch)
})

test('the first id of a time separates earlier ids from later ones', () => {
  const now = 1_758_440_412_345
  const parted = firstIdOf(now)
  expect([newId(now - 1) < parted, newId(now) >= parted, idInBatch(now, 0) >= parted, idInBatch(now - 1, 999) < parted]).toEqual([
    true,
    true,
    true,
    true,
  ])
})
