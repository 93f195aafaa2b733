import { expect, test } from 'vitest'
import { clientAddress, trustedProxies } from './address.ts'

const asked = (trust: false | number | string[], remoteAddress: string, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return clientAddress({ socket: { remoteAddress }, headers }, trustedProxies(trust))
}

test.each<[string, false | number | string[], string, string | undefined, string]>([
  ['no proxy is trusted', false, '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['no header', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['a header with only commas', 1, '10.0.0.1', ' , ,', '10.0.0.1'],
  ['one proxy that names its client', 1, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['one proxy after an address forged by the caller', 1, '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
  ['two proxies', 2, '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['a hop count above the number of proxies', 9, '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['a trusted network', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.7.0.2', '203.0.113.9'],
  ['a proxy in another network', ['10.0.0.0/8'], '11.0.0.1', '203.0.113.9', '11.0.0.1'],
  ['IPv4 written as IPv6', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['by name', ['loopback'], '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['by name, in IPv6', ['loopback', 'linklocal'], '::1', '203.0.113.9, fe80::1%eth0', '203.0.113.9'],
  ['a single address', ['2001:db8::7'], '2001:db8::7', '2001:db8::8', '2001:db8::8'],
  ['an invalid address is not trusted', ['loopback'], '127.0.0.1', '203.0.113.9, unknown', 'unknown'],
])('%s', (_name, trust, from, forwarded, address) => {
  expect(asked(trust, from, forwarded)).toBe(address)
})
