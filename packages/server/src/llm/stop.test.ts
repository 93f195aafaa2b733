import { expect, test } from 'vitest'
import { CallAbort, pause, throwIfStopped } from './stop.ts'

test('listeners are called once, with the first reason; removed ones are not', () => {
  const stop = new CallAbort()
  const told: string[] = []
  const left = () => void told.push('left')
  stop.addEventListener('abort', () => told.push('first'))
  stop.addEventListener('abort', left)
  stop.removeEventListener('abort', left)
  stop.removeEventListener('abort', left)
  expect(() => throwIfStopped(stop)).not.toThrow()
  stop.abort(new Error('the client disconnected'))
  stop.abort(new Error('late'))
  expect([told, stop.aborted, stop.reason]).toEqual([['first'], true, new Error('the client disconnected')])
  expect(() => throwIfStopped(stop)).toThrow('the client disconnected')
})

test('a pause ends in time, or immediately with the reason', async () => {
  const stop = new CallAbort()
  expect(await pause(1, stop)).toBeUndefined()
  const long = pause(60_000, stop)
  stop.abort(new Error('the client disconnected'))
  await expect(long).rejects.toThrow('the client disconnected')
  await expect(pause(60_000, stop)).rejects.toThrow('the client disconnected')
})
