import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressKind } from './address.ts'
import { allowsAddress, allowsHost, type HostVerdict, parsePattern } from './host-scope.ts'

const verdicts: readonly [readonly string[], string, number, HostVerdict][] = [
  [[], 'example.org', 443, 'no'],
  [['example.org'], 'example.org', 443, 'public_only'],
  [['example.org'], 'EXAMPLE.org.', 8443, 'public_only'],
  [['example.org'], 'www.example.org', 443, 'no'],
  [['example.org'], 'example.org.evil.test', 443, 'no'],
  [['example.org'], 'notexample.org', 443, 'no'],
  [['*.example.org'], 'www.example.org', 443, 'public_only'],
  [['*.example.org'], 'a.b.example.org', 443, 'public_only'],
  [['*.example.org'], 'example.org', 443, 'no'],
  [['*.example.org'], 'evilexample.org', 443, 'no'],
  [['example.org:443'], 'example.org', 443, 'public_only'],
  [['example.org:443'], 'example.org', 80, 'no'],
  [['*'], 'anything.test', 1, 'public_only'],
  [['*:443'], 'anything.test', 80, 'no'],
  [['*'], '127.0.0.1', 80, 'public_only'],
  [['*'], 'localhost', 80, 'public_only'],
  [['127.0.0.1'], '127.0.0.1', 80, 'named'],
  [['127.0.0.1:8080'], '127.0.0.1', 8080, 'named'],
  [['127.0.0.1:8080'], '127.0.0.1', 8081, 'no'],
  [['127.0.0.1:8080'], '0x7f.1', 8080, 'named'],
  [['127.0.0.1:8080'], '::ffff:127.0.0.1', 8080, 'no'],
  [['127.0.0.1', '*'], '::ffff:127.0.0.1', 8080, 'public_only'],
  [['[::1]:8080'], '[::1]', 8080, 'named'],
  [['::1'], '::1', 8080, 'named'],
  [['localhost:3000'], 'localhost', 3000, 'named'],
  [['localhost:3000'], 'localhost', 3001, 'no'],
  [['*.0.0.1'], '127.0.0.1', 80, 'no'],
  [['https://example.org'], 'example.org', 443, 'no'],
  [['example.org/path'], 'example.org', 443, 'no'],
  [['ex*mple.org'], 'example.org', 443, 'no'],
  [['example.org:99999'], 'example.org', 99_999, 'no'],
  [['bücher.example'], 'xn--bcher-kva.example', 443, 'public_only'],
]

test.each(verdicts)('%j for %s:%i is %s', (hosts, host, port, verdict) => {
  expect(allowsHost(hosts, host, port)).toBe(verdict)
})

const addresses: readonly [readonly string[], string, string, boolean][] = [
  [['*'], 'example.org', '93.184.216.34', true],
  [['*'], 'example.org', '127.0.0.1', false],
  [['example.org'], 'example.org', '127.0.0.1', false],
  [['example.org', '127.0.0.1'], 'example.org', '127.0.0.1', true],
  [['example.org', '127.0.0.1:81'], 'example.org', '127.0.0.1', false],
  [['localhost'], 'localhost', '127.0.0.1', true],
  [['localhost'], 'localhost', '::1', true],
  [['localhost'], 'localhost', '10.0.0.1', false],
  [['*'], 'localhost', '127.0.0.1', false],
  [['10.0.0.5'], '10.0.0.5', '10.0.0.5', true],
  [['*'], '169.254.169.254', '169.254.169.254', false],
]

test.each(addresses)('%j: %s at %s is allowed: %s', (hosts, host, address, passes) => {
  expect(allowsAddress(hosts, host, 80, address)).toBe(passes)
})

test('an address that is not public is allowed only by a pattern with the address itself', () => {
  const pattern = fc.oneof(
    fc.constant('*'),
    fc.constant('*:80'),
    fc.domain(),
    fc.domain().map((name) => `*.${name}`),
  )
  fc.assert(
    fc.property(fc.array(pattern), fc.domain(), fc.oneof(fc.ipV4(), fc.ipV6()), (hosts, host, address) => {
      expect(allowsAddress([...hosts, host], host, 80, address)).toBe(addressKind(address) === 'public')
    }),
  )
})

test('parsing a pattern never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => parsePattern(text) === null || allowsHost([text], 'example.org', 80) !== 'named'))
})
