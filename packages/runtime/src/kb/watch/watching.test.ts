import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import type { WatchedFolder, WatchReport } from './watch-main.ts'
import { openWatching, type WatchThread } from './watching.ts'

class FakeThread extends EventEmitter implements WatchThread {
  readonly sent: (readonly WatchedFolder[])[] = []

  postMessage(folders: readonly WatchedFolder[]): void {
    this.sent.push(folders)
  }

  terminate(): Promise<void> {
    return Promise.resolve()
  }

  says(is: WatchReport['is'], source_id = 'one'): void {
    this.emit('message', { source_id, is })
  }
}

const source = (source_id: string, watch = true) => ({ source_id, watch, origin: { kind: 'folder' as const, path: `/docs/${source_id}` } })

function opened(files = 0) {
  const clock = testClock()
  const threads: FakeThread[] = []
  const read: string[] = []
  const watching = openWatching({
    clock,
    changed: (source_id) => void read.push(source_id),
    files: () => files,
    start() {
      const thread = new FakeThread()
      threads.push(thread)
      return thread
    },
  })
  const thread = () => threads.at(-1) ?? new FakeThread()
  return { clock, threads, thread, read, watching }
}

test('nothing to watch starts no thread', () => {
  const { watching, threads } = opened()
  watching.set([source('one', false)])
  expect(threads).toEqual([])
})

test('a burst of changes is read once, and a folder that never rests is read all the same', () => {
  const { clock, thread, read, watching } = opened()
  watching.set([source('one')])
  thread().says('changed')
  clock.advance(1_000)
  thread().says('changed')
  clock.advance(1_000)
  expect(read).toEqual([])
  clock.advance(500)
  expect(read).toEqual(['one'])
  for (let second = 0; second < 20; second += 1) {
    thread().says('changed')
    clock.advance(1_000)
  }
  expect(read).toEqual(['one', 'one'])
})

test('a folder that cannot be watched is checked now and then, until it can be', () => {
  const { clock, thread, read, watching } = opened()
  watching.set([source('one')])
  thread().says('unwatched')
  expect(watching.unwatched()).toBe(1)
  clock.advance(30_000)
  expect(read).toEqual(['one'])
  // Tried again with each check.
  expect(thread().sent).toHaveLength(2)
  thread().says('unwatched')
  clock.advance(30_000)
  expect(read).toEqual(['one', 'one'])
  thread().says('watched')
  expect(watching.unwatched()).toBe(0)
  // What happened before it was watched is read.
  clock.advance(1_500)
  expect(read).toHaveLength(3)
  clock.advance(3_600_000)
  expect(read).toHaveLength(3)
})

test('a large folder that cannot be watched is checked more rarely', () => {
  const { clock, thread, read, watching } = opened(60_000)
  watching.set([source('one')])
  thread().says('unwatched')
  clock.advance(599_999)
  expect(read).toEqual([])
  clock.advance(1)
  expect(read).toEqual(['one'])
})

test('a thread that ends is started again, and meanwhile its folders are checked', () => {
  const { clock, threads, thread, read, watching } = opened()
  watching.set([source('one'), source('two')])
  thread().emit('error', new Error('out of memory'))
  thread().emit('exit', 1)
  expect(watching.unwatched()).toBe(2)
  clock.advance(30_000)
  expect(read).toEqual(['one', 'two'])
  expect(threads).toHaveLength(2)
  expect(thread().sent.at(-1)).toEqual([
    ['one', '/docs/one'],
    ['two', '/docs/two'],
  ])
})

test('a source that is removed or no longer watched is forgotten', () => {
  const { clock, thread, read, watching } = opened()
  watching.set([source('one')])
  thread().says('unwatched')
  watching.set([source('one', false)])
  expect(thread().sent.at(-1)).toEqual([])
  thread().says('changed')
  clock.advance(3_600_000)
  expect(read).toEqual([])
})
