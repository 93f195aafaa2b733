import { expect, test } from 'vitest'
import { startOptions } from './use-run-options.ts'

test('a message that starts a conversation names what was chosen for it', () => {
  expect(startOptions(null, { model: ' test/one ', mode: 'strict' })).toEqual({ model: 'test/one', sandbox_mode: 'strict' })
  expect(startOptions(null, { model: ' ', mode: '' })).toEqual({})
})

test('in a conversation, a run uses what is stored, not what a window shows', () => {
  expect(startOptions('01890a5d-ac96-774b-bcce-b302099a8057', { model: 'test/one', mode: 'trusted' })).toEqual({})
})
