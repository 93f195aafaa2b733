import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderState } from './folder-state.ts'

test.each([
  [null, null, null, 'no_file'],
  [null, null, 'one', 'no_file'],
  [null, 'one', 'one', 'changed'],
  ['one', null, null, 'new'],
  ['one', null, 'other', 'new'],
  ['one', null, 'one', 'declined'],
  ['one', 'one', 'one', 'approved'],
  ['one', 'other', 'other', 'changed'],
  // Approved before decisions were stored.
  ['one', 'one', null, 'approved'],
] as const)('the file %s, approved %s, decided %s: %s', (file_sha256, approved, decided, state) => {
  expect(folderState({ file_sha256, approved, decided })).toBe(state)
})

test('servers are only in use while the file is the approved one', () => {
  const hash = fc.constantFrom(null, 'one', 'two', 'three')
  fc.assert(
    fc.property(hash, hash, hash, (file_sha256, approved, decided) => {
      const isInUse = folderState({ file_sha256, approved, decided }) === 'approved'
      expect(isInUse).toBe(file_sha256 !== null && file_sha256 === approved)
    }),
  )
})
