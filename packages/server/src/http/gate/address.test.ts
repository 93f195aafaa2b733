import { expect, test } from 'vitest'
import { addressOf, trustedProxies } from './address.ts'

const asked = (trust: false | number | string[], remoteAddress: string, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return addressOf({ socket: { remoteAddress }, headers }, trustedProxies(trust))
}

test.each<[string, false | number | string[], string, string | undefined, string]>([
  ['nobody is believed', false, '10.0.0.1', '203.0.113.9', '10.0.0.1'],
  ['nothing was said', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['nothing but commas was said', 1, '10.0.0.1', ' , ,', '10.0.0.1'],
  ['one proxy, who says for whom it asks', 1, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['one proxy, and what the caller made up before it', 1, '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
  ['two proxies', 2, '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['more proxies than there are', 9, '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['a network of them', ['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 203.0.113.9, 10.7.0.2', '203.0.113.9'],
  ['one of another network', ['10.0.0.0/8'], '11.0.0.1', '203.0.113.9', '11.0.0.1'],
  ['IPv4 written as IPv6', ['10.0.0.0/8'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['by name', ['loopback'], '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['by name, in IPv6', ['loopback', 'linklocal'], '::1', '203.0.113.9, fe80::1%eth0', '203.0.113.9'],
  ['one address alone', ['2001:db8::7'], '2001:db8::7', '2001:db8::8', '2001:db8::8'],
  ['what is no address is nobody', ['loopback'], '127.0.0.1', '203.0.113.9, unknown', 'unknown'],
])('%s', (_name, trust, from, forwarded, address) => {
  expect(asked(trust, from, forwarded)).toBe(address)
})
