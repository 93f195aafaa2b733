import { expect, test } from 'vitest'
import { queuedMessages } from './queued-messages.ts'

function openQueue() {
  const shown: (readonly string[])[] = []
  const queue = queuedMessages(({ texts }) => shown.push(texts))
  return { queue, shown }
}

test('a message is sent once, also if several turns are taken before it has arrived', async () => {
  const { queue } = openQueue()
  const sent: string[] = []
  const arrival = Promise.withResolvers<boolean>()
  const write = (text: string) => {
    sent.push(text)
    return arrival.promise
  }
  queue.add('one')
  queue.add('two')
  const turns = [queue.deliver(write), queue.deliver(write), queue.deliver(write)]
  // It is on its way: it cannot be taken back.
  expect(queue.takeBack()).toBeNull()
  queue.add('three')
  arrival.resolve(true)
  expect(await Promise.all(turns)).toEqual([true, false, false])
  expect(sent).toEqual(['one\n\ntwo'])
  expect(queue.takeAll()).toBe('three')
})

test.each(['refused', 'fails'])(
  'a message whose delivery is %s is kept before those that were written meanwhile, with its key',
  async (how) => {
    const { queue, shown } = openQueue()
    const keys: string[] = []
    let arrives = false
    const write = async (_text: string, key: string) => {
      keys.push(key)
      if (keys.length === 1) queue.add('later')
      if (how === 'fails' && !arrives) throw new Error('the connection was lost')
      return arrives
    }
    queue.add('first')
    expect(await queue.deliver(write)).toBe(false)
    expect(shown.at(-1)).toEqual(['first', 'later'])
    expect(queue.takeBack()).toBe('later')
    arrives = true
    expect(await queue.deliver(write)).toBe(true)
    expect(keys[1]).toBe(keys[0])
    queue.add('first')
    await queue.deliver(write)
    expect(keys[2]).not.toBe(keys[0])
    expect(queue.isEmpty()).toBe(true)
  },
)
