import { expect, test } from 'vitest'
import { late, withinTime } from './time-limit.ts'

/** A timer that ends when it is told to. */
function timer() {
  const state: { ms: number; isCanceled: boolean; end(): void } = { ms: -1, isCanceled: false, end: () => undefined }
  const after = (ms: number, call: () => void) => {
    state.ms = ms
    state.end = call
    return () => {
      state.isCanceled = true
    }
  }
  return { state, after }
}

test('work that ends in time is answered, and its timer is canceled', async () => {
  const { state, after } = timer()
  expect(await withinTime(after, 70, Promise.resolve('done'))).toBe('done')
  expect([state.ms, state.isCanceled]).toEqual([70, true])
  expect(await withinTime(after, 70, 'a value')).toBe('a value')
})

test('work that takes longer is late', async () => {
  const { state, after } = timer()
  const answer = withinTime(after, 70, new Promise(() => undefined))
  state.end()
  expect([await answer, state.isCanceled]).toEqual([late, true])
})

test('work that fails in time fails, and its timer is canceled', async () => {
  const { state, after } = timer()
  await expect(withinTime(after, 70, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(state.isCanceled).toBe(true)
})
