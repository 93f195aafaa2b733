import { expect, expectTypeOf, test } from 'vitest'
import type { RetainedCheckpoint } from '../checkpoint/index.ts'
import { type StoreRecord, storeNames } from './index.ts'
import { stores } from './schema.ts'

test('there are twenty stores, each with a record schema', () => {
  expect(Object.keys(stores)).toEqual([...storeNames])
  expect(new Set(storeNames).size).toBe(20)
})

test('a stored checkpoint has the fields that retention needs', () => {
  expectTypeOf<StoreRecord<'runtime_run_checkpoints'>>().toExtend<RetainedCheckpoint>()
})
