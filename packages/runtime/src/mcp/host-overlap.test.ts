import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowedByBoth } from './host-overlap.ts'

test.each([
  [['a.example'], ['*'], ['a.example']],
  [['a.example'], [], []],
  [[], ['*'], []],
  [['a.example', 'b.example'], ['b.example', 'c.example'], ['b.example']],
  [['api.example.org'], ['*.example.org'], ['api.example.org']],
  [['*.example.org'], ['api.example.org'], ['api.example.org']],
  [['*.example.org'], ['example.org'], []],
  [['*.a.example.org'], ['*.example.org'], ['*.a.example.org']],
  [['*'], ['*.example.org'], ['*.example.org']],
  [['a.example'], ['a.example:443'], ['a.example:443']],
  [['a.example:443'], ['a.example'], ['a.example:443']],
  [['a.example:443'], ['a.example:80'], []],
  [['[::1]:3001'], ['[::1]:3001'], ['[::1]:3001']],
  [['A.Example'], ['a.example'], ['A.Example', 'a.example']],
  [['evil-example.org'], ['*.example.org'], []],
])('%j and %j: %j', (named, left, both) => {
  expect(allowedByBoth(named, left)).toEqual(both)
})

const host = fc
  .tuple(fc.constantFrom('', '*.'), fc.constantFrom('a.b.c', 'b.c', 'x.c', 'c'), fc.constantFrom('', ':80', ':443'))
  .map((parts) => parts.join(''))
const hosts = fc.array(fc.oneof(host, fc.constant('*')), { maxLength: 5 })

test('the order of the lists does not matter, nothing is allowed that only one of them allows, and "every host" does not restrict the other list', () => {
  fc.assert(
    fc.property(hosts, hosts, (one, other) => {
      const both = allowedByBoth(one, other)
      expect(new Set(both)).toEqual(new Set(allowedByBoth(other, one)))
      for (const list of [one, other]) expect(new Set(allowedByBoth(both, list))).toEqual(new Set(both))
      expect(new Set(allowedByBoth(one, one))).toEqual(new Set(one))
      expect(new Set(allowedByBoth(one, ['*']))).toEqual(new Set([...one]))
    }),
  )
})
