import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { StallDetector } from './stall.ts'

test('a slow source is not a stall', async () => {
  const stall = new StallDetector(40)
  for await (const _ of stall.watch(slowly(3, 80)));
  stall.end()
  await sleep(60)
  expect(stall.signal.aborted).toBe(false)
})

test('a consumer that stops reading is a stall', async () => {
  const stall = new StallDetector(40)
  const chunks = stall.watch(slowly(3, 0))
  await chunks.next()
  await sleep(80)
  expect(stall.signal.reason).toEqual(new Error('no progress within 40 ms'))
})

test('a missing response at the end is a stall', async () => {
  const stall = new StallDetector(40)
  for await (const _ of stall.watch(slowly(1, 0)));
  await sleep(80)
  expect(stall.signal.aborted).toBe(true)
})

async function* slowly(count: number, ms: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) {
    await sleep(ms)
    yield Buffer.alloc(1)
  }
}
