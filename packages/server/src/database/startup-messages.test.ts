import { expect, test } from 'vitest'
import { startupOutcome } from './startup-messages.ts'

const authentication = message('R', Buffer.from([0, 0, 0, 0]))
const parameter = message('S', Buffer.from('server_version\0C53300\0'))
const ready = message('Z', Buffer.from('I'))
const failure = (state: string) => message('E', Buffer.from(`SFATAL\0VFATAL\0C${state}\0Msorry, too many clients already\0\0`))

test.each([
  ['nothing yet', [], 'pending'],
  ['authenticated', [authentication, parameter], 'pending'],
  ['ready', [authentication, parameter, ready], 'ready'],
  ['out of connections before authentication', [failure('53300')], 'out_of_connections'],
  ['out of the connections of this role, after authentication', [authentication, failure('53300')], 'out_of_connections'],
  ['a wrong password', [failure('28P01')], 'failed'],
  ['an error after it was ready', [authentication, ready, failure('53300')], 'ready'],
] as const)('%s', (_what, messages, outcome) => {
  expect(startupOutcome(Buffer.concat(messages))).toBe(outcome)
})

test('messages that arrive in pieces have the same outcome', () => {
  for (const [last, outcome] of [
    [ready, 'ready'],
    [failure('53300'), 'out_of_connections'],
  ] as const) {
    const all = Buffer.concat([authentication, parameter, last])
    const outcomes = Array.from({ length: all.length + 1 }, (_, length) => startupOutcome(all.subarray(0, length)))
    expect(new Set(outcomes)).toEqual(new Set(['pending', outcome]))
    expect(outcomes.at(-1)).toBe(outcome)
  }
})

function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(letter), length, content])
}
