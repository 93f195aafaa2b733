import fc from 'fast-check'
import { expect, test } from 'vitest'
import { added, asOneMessage, emptyQueue, lastTaken } from './message-queue.ts'

test('messages are sent as one, in the order in which they were written', () => {
  expect(asOneMessage(emptyQueue)).toBeNull()
  expect(asOneMessage(added(added(emptyQueue, 'one'), 'two'))).toBe('one\n\ntwo')
  expect(lastTaken(emptyQueue)).toBeNull()
})

test('nothing is lost or sent twice', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const queue = texts.reduce(added, emptyQueue)
      expect(asOneMessage(queue)).toBe(texts.length === 0 ? null : texts.join('\n\n'))
      const taken = lastTaken(queue)
      if (taken) expect([...taken.rest.texts, taken.text]).toEqual(texts)
    }),
  )
})
