import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AddressKind, addressKind, canonicalHost } from './address.ts'

const kinds: readonly [string, AddressKind][] = [
  ['8.8.8.8', 'public'],
  ['1.1.1.1', 'public'],
  ['2606:4700::1111', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['::', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['fc00::1', 'private'],
  ['fdff::1', 'private'],
  ['fec0::1', 'private'],
  ['64:ff9b:1::7f00:1', 'private'],
  ['100.64.0.1', 'shared'],
  ['100.127.255.255', 'shared'],
  ['100.128.0.1', 'public'],
  ['169.254.1.1', 'link_local'],
  ['fe80::1', 'link_local'],
  ['febf::1', 'link_local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['192.0.0.1', 'reserved'],
  ['100::1', 'reserved'],
  ['2001:10::1', 'reserved'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['2001:db8::1', 'documentation'],
  ['3fff::1', 'documentation'],
  ['198.18.0.1', 'benchmarking'],
  ['2001:2::1', 'benchmarking'],
  ['2002:7f00:1::1', 'tunnel'],
  ['2002:808:808::1', 'tunnel'],
  ['2001:0:53aa:64c::1', 'tunnel'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['::ffff:8.8.8.8', 'public'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['64:ff9b::808:808', 'public'],
  ['::127.0.0.1', 'reserved'],
  ['4000::1', 'reserved'],
  ['fe80::1%eth0', 'reserved'],
  ['not an address', 'reserved'],
]

test.each(kinds)('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
})

const spellings: readonly [string, string | null][] = [
  ['EXAMPLE.org', 'example.org'],
  ['example.org.', 'example.org'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['0', '0.0.0.0'],
  ['0x7f.1', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['①②⑦.0.0.1', '127.0.0.1'],
  ['2852039166', '169.254.169.254'],
  ['::ffff:127.0.0.1', '::ffff:7f00:1'],
  ['[::FFFF:127.0.0.1]', '::ffff:7f00:1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['1.2.3.4.5', null],
  ['999.1.1.1', null],
  ['a..b', null],
  ['', null],
  ['.', null],
  ['example.org:80', null],
  ['example.org/x', null],
  ['a@b', null],
  ['a b', null],
  ['fe80::1%eth0', null],
  ['[::1', null],
]

test.each(spellings)('the host %s is spelled %s', (host, canonical) => {
  expect(canonicalHost(host)).toBe(canonical)
})

test('every spelling of an IPv4 address is of one kind, also inside IPv6', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
      const parts = [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]
      const dotted = parts.join('.')
      const hex = number.toString(16).padStart(8, '0')
      const forms = [
        dotted,
        String(number),
        `0x${hex}`,
        `0${number.toString(8)}`,
        parts.map((part) => `0x${part.toString(16)}`).join('.'),
        parts.map((part) => `0${part.toString(8)}`).join('.'),
        `${parts[0]}.${number & 0xffffff}`,
      ]
      expect(forms.map(canonicalHost)).toEqual(forms.map(() => dotted))
      const inside = [`::ffff:${dotted}`, `64:ff9b::${dotted}`, `::ffff:${hex.slice(0, 4)}:${hex.slice(4)}`]
      expect(inside.map(addressKind)).toEqual(inside.map(() => addressKind(dotted)))
    }),
  )
})

test('only addresses in 2000::/3 can be public IPv6, except those that represent public IPv4', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const canonical = canonicalHost(address)
      if (canonical === null || addressKind(canonical) !== 'public') return
      expect(canonical).toMatch(/^[23]|^::ffff:|^64:ff9b::/)
    }),
  )
})

test('canonicalizing a host twice changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4Extended(), fc.ipV6(), fc.string()), (host) => {
      const once = canonicalHost(host)
      if (once !== null) expect(canonicalHost(once)).toBe(once)
    }),
  )
})
