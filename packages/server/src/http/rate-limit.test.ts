import { expect, test } from 'vitest'
import { networkOf } from './rate-limit.ts'
import { trustedProxies } from './transport.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('so many proxies are believed as were named, and not one more', () => {
  const trust = trustedProxies(1)
  expect(typeof trust === 'function' && [0, 1, 2].map((hop) => trust('203.0.113.9', hop))).toEqual([true, false, false])
  expect(trustedProxies(false)).toBe(false)
  expect(trustedProxies(['10.0.0.0/8'])).toEqual(['10.0.0.0/8'])
})
