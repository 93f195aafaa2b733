import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { countOpenRequests, type OpenKind } from './open-requests.ts'

test('a user has so many open, and each that ends makes room', () => {
  const requests = countOpenRequests({ requests: 2, model_calls: 3 })
  const open = (user: string, kind: OpenKind = 'requests') => {
    const response = new EventEmitter<{ close: [] }>()
    requests.open(user, response, kind)
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

test('calls of models have a limit of their own', () => {
  const requests = countOpenRequests({ requests: 1, model_calls: 3 })
  const open = (kind: OpenKind) => requests.open('a', new EventEmitter<{ close: [] }>(), kind)
  open('requests')
  for (let n = 0; n < 3; n += 1) open('model_calls')
  expect(() => open('model_calls')).toThrow('3 calls of models of this account are open')
})
