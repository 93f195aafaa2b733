import { expect, test } from 'vitest'
import { newId } from '../http/id.ts'
import { blobKey, ownerOf, startedAt } from './blob-key.ts'

test('a key contains its user and when its upload started', () => {
  const now = 1_758_440_412_345
  const [user_id, file_id] = [newId(now - 1), newId(now)]
  expect(ownerOf(blobKey(user_id, file_id))).toEqual({ user_id, file_id })
  expect(startedAt(file_id)).toBe(now)
  expect(['x/y', `${user_id}/../${file_id}`, `${user_id}/${file_id}/z`, `${user_id}`, ''].map(ownerOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
