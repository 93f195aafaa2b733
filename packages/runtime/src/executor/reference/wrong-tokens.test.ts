import { isIPv4 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf, openWrongTokens, wrongTokenLimits } from './wrong-tokens.ts'

const { tokens, window_ms, block_ms, addresses } = wrongTokenLimits

test('ten wrong tokens block an address for a minute, and no other', () => {
  const wrong = openWrongTokens()
  for (let count = 1; count < tokens; count += 1) wrong.add('10.0.0.1', count)
  expect(wrong.isBlocked('10.0.0.1', tokens)).toBe(false)
  wrong.add('10.0.0.1', tokens)
  expect([wrong.isBlocked('10.0.0.1', tokens), wrong.isBlocked('10.0.0.2', tokens)]).toEqual([true, false])
  expect([wrong.isBlocked('10.0.0.1', tokens + block_ms - 1), wrong.isBlocked('10.0.0.1', tokens + block_ms)]).toEqual([true, false])
})

test('wrong tokens far apart do not add up', () => {
  const wrong = openWrongTokens()
  for (let count = 0; count < 100; count += 1) wrong.add('10.0.0.1', count * window_ms)
  expect(wrong.isBlocked('10.0.0.1', 99 * window_ms)).toBe(false)
})

test('the addresses of one IPv6 network count together, and those of IPv4 in both spellings', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'))
  expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'))
  expect([networkOf('::ffff:10.0.0.1'), networkOf('fe80::1%eth0'), networkOf('::1')]).toEqual([
    '10.0.0.1',
    'fe80:0:0:0::/64',
    '0:0:0:0::/64',
  ])
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
      expect(networkOf(ip)).toBe(isIPv4(ip) ? ip : networkOf(ip.toUpperCase()))
    }),
  )
})

test('very many addresses do not use up the memory, and do not end the block of another', () => {
  const wrong = openWrongTokens()
  for (let token = 0; token < tokens; token += 1) wrong.add('192.0.2.1', 1)
  for (let count = 0; count < 10 * addresses; count += 1)
    wrong.add(`2001:db8:${(count >> 16).toString(16)}:${(count & 0xffff).toString(16)}::1`, 2)
  expect(wrong.isBlocked('192.0.2.1', 3)).toBe(true)
  for (let token = 0; token < tokens; token += 1) wrong.add('192.0.2.2', 3)
  expect(wrong.isBlocked('192.0.2.2', 4)).toBe(true)
})
