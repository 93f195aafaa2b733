import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { countOpenRequests } from './open-requests.ts'

test('a user has so many open, and each that ends makes room', () => {
  const requests = countOpenRequests(2)
  const open = (user: string) => {
    const response = new EventEmitter<{ close: [] }>()
    requests.open(user, response)
    return response
  }
  const first = open('a')
  open('a')
  expect(() => open('a')).toThrow(expect.objectContaining({ code: 'rate_limited', extra: { retry_after_seconds: 1 } }))
  open('b')
  first.emit('close')
  open('a')
  expect(() => open('a')).toThrow('2 requests of this account are open')
})
