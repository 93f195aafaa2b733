import { expect, expectTypeOf, test } from 'vitest'
import type { RetainedCheckpoint } from '../checkpoint/index.ts'
import { type StoreRecord, storeNames } from './index.ts'
import { stores } from './schema.ts'

test('twenty stores, each with its record', () => {
  expect(Object.keys(stores)).toEqual([...storeNames])
  expect(new Set(storeNames).size).toBe(20)
})

test('a stored checkpoint is what retention decides about', () => {
  expectTypeOf<StoreRecord<'runtime_run_checkpoints'>>().toExtend<RetainedCheckpoint>()
})
