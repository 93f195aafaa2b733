import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditions } from './condition.ts'
import { factIn, factRows } from './kind-of-fact.ts'

/** Messages of many programs, in words that are in no table of texts. */
const messages: Readonly<Record<string, readonly string[]>> = {
  merge_conflict: ['Applied patch to a.c with conflicts.', 'Hunk #1 NOT MERGED at 3-7.', "svn: Aborting commit: 'a.c' remains in conflict"],
  port_in_use: [
    'Connection in use: (h, 80)',
    'Os { kind: AddrInUse }',
    'Ports are not available: listen tcp :5432',
    'Der Port ist schon belegt.',
  ],
  damaged_archive: [
    "Wheel 'a' located at a.whl is invalid.",
    'gzip: invalid header',
    'a.rpm: not an rpm package',
    'Das Archiv ist unvollständig.',
  ],
  connection_refused: [
    'Error when performing the request to http://r.test/a',
    'The mirror is unreachable',
    'Die Gegenstelle am Host ist nicht erreichbar',
  ],
  timed_out: ['execution expired (Timeout::Error)', 'Net::ReadTimeout with a socket', 'query took longer than the time limit allows'],
  permission_denied: ['unable to create temporary object directory', 'UnauthorizedAccess: Access to the path is denied.', 'EROFS: write'],
  missing_dependency: [
    'Unable to load dynamic library pdo',
    'The export needs an extra package: a',
    'ClassNotFound: Driver',
    'Paket a fehlt',
  ],
  failed_test: ['CHECK constraint failed: amount = 3', 'lua: assertion failed!', 'test total: 12 != 15'],
}

test.each(factRows)('$condition', ({ condition }) => {
  for (const message of messages[condition] ?? []) expect([message, factIn([message])]).toEqual([message, condition])
  expect(messages[condition]?.length).toBeGreaterThan(2)
  expect(conditions.some(({ name }) => name === condition)).toBe(true)
})

test.each([
  "TypeError: Cannot read properties of undefined (reading 'a')",
  "ENOTDIR: not a directory, scandir '/home/a/archivbox/README.md'",
  'ReferenceError: require is not defined in ES module scope, you can use import instead',
  'IndexError: list index out of range',
  'received invalid response to SSL negotiation',
  'No stash entries found.',
  'hello',
  '',
])('%j states no fact that is known', (line) => {
  expect(factIn([line])).toBe(null)
})

test('every text is read in time, and the order of lines does not matter', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ maxLength: 500 }), fc.constantFrom(...Object.values(messages).flat())), { maxLength: 6 }),
      (lines) => {
        const names = [null, ...factRows.map(({ condition }) => condition), 'disk_full']
        expect(names).toContain(factIn(lines))
        if (!lines.some((line) => /\b(?:E[A-Z]{3,}|SIG[A-Z]{3,})\b/.test(line))) expect(factIn(lines.toReversed())).toBe(factIn(lines))
      },
    ),
  )
  for (const text of ['port ', 'merge ', 'zip ', 'time out ', 'cannot ', 'a', 'aB', '_', ' ']) {
    expect(() => factIn([text.repeat(2_000).slice(0, 2_000)])).not.toThrow()
  }
})
