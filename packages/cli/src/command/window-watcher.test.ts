import { expect, test } from 'vitest'
import { lastWindow } from './window-watcher.ts'

function open(wish: 'keep_going' | 'stop') {
  const timers = new Set<() => void>()
  let ended = false
  const windows = lastWindow(
    async () => wish,
    (_, call) => {
      timers.add(call)
      return () => void timers.delete(call)
    },
  )
  void windows.closed.then(() => {
    ended = true
  })
  return {
    windows,
    async passes() {
      for (const call of [...timers]) call()
      timers.clear()
      await new Promise(setImmediate)
      return ended
    },
  }
}

test('it continues unless the setting is to end', async () => {
  const { windows, passes } = open('keep_going')
  windows.opened(1)
  windows.opened(0)
  expect(await passes()).toBe(false)
})

test('it ends when the last window stays closed, not while one is reloaded', async () => {
  const { windows, passes } = open('stop')
  windows.opened(1)
  windows.opened(0)
  windows.opened(1)
  expect(await passes()).toBe(false)
  windows.opened(2)
  windows.opened(1)
  expect(await passes()).toBe(false)
  windows.opened(0)
  expect(await passes()).toBe(true)
})
