import { afterEach, expect, test, vi } from 'vitest'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { stopOnInterrupt } from './reading-interrupt.ts'

afterEach(() => vi.restoreAllMocks())

function runtime(kind: RuntimeClient['kind']) {
  const calls: unknown[][] = []
  const call = async (...said: unknown[]) => calls.push(said)
  return { client: { kind, call } as unknown as Pick<RuntimeClient, 'kind' | 'call'>, calls }
}

test('a runtime of its own stops reading all sources, once', () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { client, calls } = runtime('own')
  const interrupt = stopOnInterrupt(client, ['a', 'b'])
  process.emit('SIGINT')
  process.emit('SIGINT')
  expect([interrupt.canceled.aborted, interrupt.left.aborted]).toEqual([true, false])
  expect(calls).toEqual([
    ['kb_cancel', { source_id: 'a' }],
    ['kb_cancel', { source_id: 'b' }],
  ])
  expect(said.mock.calls).toEqual([['\nStopping. Press Ctrl-C again to exit immediately.']])
  process.emit('SIGTERM')
  expect(interrupt.left.aborted).toBe(true)
  interrupt.release()
  expect(process.listenerCount('SIGINT')).toBe(0)
})

test('a runtime that is running continues', () => {
  const { client, calls } = runtime('attached')
  const interrupt = stopOnInterrupt(client, ['a'])
  process.emit('SIGINT')
  interrupt.release()
  expect([interrupt.left.aborted, interrupt.canceled.aborted, calls]).toEqual([true, false, []])
})
