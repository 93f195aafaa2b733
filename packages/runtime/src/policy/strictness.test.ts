import { approvalModes, callPolicyFields, defaultToolPolicy, sandboxModes } from '@tandem/contract/tool'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallPolicy } from '../call/call-policy.ts'
import { accessRule } from '../sandbox/files/access-rule.ts'
import { allowsAddress, allowsHost } from '../sandbox/network/host-scope.ts'
import { changedFields, looser, stricter } from './strictness.ts'

const usual: CallPolicy = { ...defaultToolPolicy('web.fetch'), sandbox_mode: 'workspace' }
const hosts = (...list: string[]) => ({ network_scope: { hosts: list } })
const files = (roots: string[], globs: string[] = ['**']) => ({ fs_scope: { roots, globs } })
const rate = (calls: number, per_seconds: number) => ({ rate_limit: { calls, per_seconds } })
const none = files([], [])

/** One value, another, and their combination. */
test.each<[string, Partial<CallPolicy>, Partial<CallPolicy>, Partial<CallPolicy>]>([
  ['disabled is stricter', { enabled: true }, { enabled: false }, { enabled: false }],
  ['asking is stricter than not asking', { approval_mode: 'auto' }, { approval_mode: 'required' }, { approval_mode: 'required' }],
  [
    'asking every time is stricter',
    { approval_mode: 'manual_each_call' },
    { approval_mode: 'required' },
    { approval_mode: 'manual_each_call' },
  ],
  ['denying is the strictest', { approval_mode: 'deny' }, { approval_mode: 'manual_each_call' }, { approval_mode: 'deny' }],
  ['fewer calls', rate(10, 60), rate(20, 60), rate(10, 60)],
  ['a longer period', rate(10, 60), rate(10, 600), rate(10, 600)],
  ['the stricter number of each limit', rate(10, 60), rate(100, 3_600), rate(10, 3_600)],
  ['less time', { time_limit: { seconds: 5 } }, { time_limit: { seconds: 9 } }, { time_limit: { seconds: 5 } }],
  ['strict is stricter than workspace', { sandbox_mode: 'strict' }, { sandbox_mode: 'workspace' }, { sandbox_mode: 'strict' }],
  ['workspace is stricter than trusted', { sandbox_mode: 'trusted' }, { sandbox_mode: 'workspace' }, { sandbox_mode: 'workspace' }],
  ['every host and some hosts', hosts('*'), hosts('a.example', 'b.example'), hosts('a.example', 'b.example')],
  ['no host', hosts('*'), hosts(), hosts()],
  ['a name below a pattern', hosts('*.example.org'), hosts('api.example.org', 'example.org', 'evil-example.org'), hosts('api.example.org')],
  ['a pattern below a pattern', hosts('*.example.org'), hosts('*.a.example.org'), hosts('*.a.example.org')],
  ['a port of one and a name of the other', hosts('*:443'), hosts('a.example'), hosts('a.example:443')],
  ['two ports', hosts('a.example:80'), hosts('a.example:443'), hosts()],
  ['one host in two spellings', hosts('A.Example.'), hosts('a.example', 'b.example'), hosts('A.Example.')],
  ['a wildcard allows no private address', hosts('*'), hosts('127.0.0.1', '0x7f.1', '10.0.0.1:80', 'localhost', '::1'), hosts()],
  ['an address by its exact name', hosts('[::1]:3001', '2130706433'), hosts('::1', '127.0.0.1'), hosts('[::1]:3001', '2130706433')],
  ['invalid patterns', hosts('*'), hosts('a b', 'a:99999', '*.*'), hosts('a b', 'a:99999', '*.*')],
  ['a folder inside the other', files(['.']), files(['src', 'docs']), files(['src', 'docs'])],
  ['separate folders', files(['src']), files(['docs']), none],
  ['a name with the same prefix', files(['src']), files(['src2']), none],
  ['folders that overlap in part', files(['src', 'docs/a']), files(['src/b', 'docs']), files(['src/b', 'docs/a'])],
  ['above the workspace', files(['../..']), files(['..', '../other']), files(['..', '../other'])],
  ['the whole disk', files(['/']), files(['src', '/data']), files(['src', '/data'])],
  ['an absolute and a relative folder', files(['/data']), files(['.']), none],
  ['a path with ..', files(['src']), files(['src/../docs', 'src/a/..']), files(['src'])],
  ['more exclusions', files(['.'], ['**', '!a']), files(['.'], ['**', '!b']), files(['.'], ['**', '!a', '!b'])],
  ['fewer patterns', files(['.'], ['*.ts', '*.md']), files(['.'], ['*.md', '*.js']), files(['.'], ['*.md'])],
  ['different patterns', files(['.'], ['*.ts']), files(['.'], ['*.md']), none],
  ['all files and some files', files(['.']), files(['.'], ['*.md']), files(['.'], ['*.md'])],
  ['some files of a folder inside', files(['.']), files(['src'], ['*.md']), files(['src'], ['*.md'])],
  ['patterns with another meaning in a subfolder', files(['.'], ['src/*.md']), files(['src']), none],
  [
    'exclusions with the same meaning in a subfolder',
    files(['.'], ['**', '!**/.env', '!**/*.pem']),
    files(['src']),
    files(['src'], ['**', '!**/.env', '!**/*.pem']),
  ],
  [
    'an exclusion that matches a folder on the path',
    files(['.'], ['**', '!**/keys/**']),
    files(['keys/old', 'src']),
    files(['src'], ['**', '!**/keys/**']),
  ],
  ['an exclusion of a path', files(['.'], ['**', '!src/keys/**']), files(['src']), none],
  ['an exclusion and folders without known names', files(['..'], ['**', '!**/.env']), files(['src']), none],
])('%s', (_, one, other, both) => {
  const [left, right] = [
    { ...usual, ...one },
    { ...usual, ...other },
  ]
  const [first, second] = [stricter(left, right), stricter(right, left)]
  expect(first).toEqual({ ...usual, ...both })
  expect(changedFields(first, second)).toEqual([])
})

test.each<[string, Partial<CallPolicy>, Partial<CallPolicy>, readonly string[]]>([
  ['nothing changed', {}, {}, []],
  [
    'stricter in every field',
    {},
    { enabled: false, approval_mode: 'deny', ...rate(1, 60), ...hosts(), ...none, sandbox_mode: 'strict' },
    [],
  ],
  ['fewer calls in a shorter period', rate(60, 60), rate(1, 1), ['rate_limit']],
  [
    'wider in every field',
    { enabled: false, approval_mode: 'deny', ...rate(1, 60), time_limit: { seconds: 1 }, ...hosts(), ...none, sandbox_mode: 'strict' },
    { ...usual, sandbox_mode: 'trusted' },
    ['enabled', 'approval_mode', 'rate_limit', 'time_limit', 'network_scope', 'fs_scope', 'sandbox_mode'],
  ],
  ['another host', hosts('a.example'), hosts('b.example'), ['network_scope']],
  ['an address in addition to every host', hosts('*'), hosts('*', '127.0.0.1'), ['network_scope']],
  ['one exclusion less', files(['.'], ['**', '!a']), files(['.']), ['fs_scope']],
  ['another folder', files(['a']), files(['b']), ['fs_scope']],
])('looser: %s', (_, one, other, found) => {
  expect(looser({ ...usual, ...one }, { ...usual, ...other })).toEqual(found)
})

test('the order has a row for every field', () => {
  expect(Object.keys(stricter(usual, usual))).toEqual([...callPolicyFields])
})

const someOf = <Value>(values: readonly Value[], maxLength: number) => fc.array(fc.constantFrom(...values), { maxLength })
const hostPatterns = [
  '*',
  '*:80',
  '*.b.c',
  '*.c:80',
  'a.b.c',
  'A.B.C.',
  'b.c:80',
  'c',
  '127.0.0.1',
  '0x7f.1:80',
  'localhost',
  '8.8.8.8',
  '[::1]',
  'a b',
]
const roots = ['.', 'a', 'a/b', './a/', 'a/c/..', 'c', '..', '../..', '../x', '/', '/d', '/d/e']
const globs = ['**', 'a/**', '*', '*.ts', 'b/*', '**/b', '!**/b', '!**/b/**', '!a/**', '!*.ts', '!**/*.ts', '!**']
const policies: fc.Arbitrary<CallPolicy> = fc.record({
  enabled: fc.boolean(),
  approval_mode: fc.constantFrom(...approvalModes),
  rate_limit: fc.record({ calls: fc.integer({ min: 1, max: 4 }), per_seconds: fc.integer({ min: 1, max: 4 }) }),
  time_limit: fc.record({ seconds: fc.integer({ min: 1, max: 4 }) }),
  network_scope: fc.record({ hosts: someOf(hostPatterns, 5) }),
  fs_scope: fc.record({
    roots: someOf(roots, 4),
    globs: fc.oneof(
      someOf(globs, 4),
      someOf(globs.slice(6), 2).map((unwanted) => ['**', ...unwanted]),
    ),
  }),
  sandbox_mode: fc.constantFrom(...sandboxModes),
})

/** Compares what the sandbox allows, not our own order: calls by the millisecond, hosts, files. */
function allowed(policy: CallPolicy): ReadonlySet<string> {
  const { network_scope, fs_scope, rate_limit, time_limit } = policy
  const names = ['a.b.c', 'x.b.c', 'b.c', 'c', 'other', '127.0.0.1', 'localhost', '8.8.8.8', '::1', '10.0.0.1']
  const address = (name: string) => (name === 'localhost' ? '127.0.0.1' : /\d|:/.test(name) ? name : '93.184.216.34')
  const reached = names.flatMap((name) =>
    [80, 443]
      .filter(
        (port) => allowsHost(network_scope.hosts, name, port) !== 'no' && allowsAddress(network_scope.hosts, name, port, address(name)),
      )
      .map((port) => `host ${name}:${port}`),
  )
  const absolute = (root: string) => new URL(root.endsWith('/') ? root : `${root}/`, 'file:///v/w/s/').pathname.replace(/(.)\/$/, '$1')
  const walls = { workspace: '/v/w/s', temp: '/t', home: '/h', roots: fs_scope.roots.map(absolute), globs: fs_scope.globs }
  const { judge } = accessRule({ ...walls, sandbox_mode: 'trusted', platform: 'linux' })
  const paths = ['', '/a', '/a/b', '/a/b/b', '/a/b/x.ts', '/a/x.ts', '/x.ts', '/b', '/c/b', '/c/a/b', '/c/x'].map((path) => `/v/w/s${path}`)
  const opened = [...paths, '/v/w/x', '/v/w/b', '/v/b', '/d', '/d/b', '/d/e/x.ts', '/z'].filter(
    (path) => judge(path, 'read', 'file').is !== 'closed',
  )
  // A limit allows a pattern of calls if no period has too many of them.
  const bursts = Array.from({ length: 2 ** 6 }, (_, bits) =>
    Array.from({ length: 6 }, (_, second) => second).filter((second) => bits & (1 << second)),
  )
  const rates = bursts.filter((times) =>
    times.every((start) => times.filter((at) => at >= start && at < start + rate_limit.per_seconds).length <= rate_limit.calls),
  )
  return new Set([
    ...(policy.enabled ? ['call'] : []),
    ...approvalModes.slice(approvalModes.indexOf(policy.approval_mode)).map((mode) => `mode ${mode}`),
    ...sandboxModes.slice(sandboxModes.indexOf(policy.sandbox_mode)).map((mode) => `sandbox ${mode}`),
    ...[1, 2, 3, 4].filter((seconds) => seconds <= time_limit.seconds).map((seconds) => `time ${seconds}`),
    ...rates.map((times) => `calls ${times.join()}`),
    ...reached,
    ...opened.map((path) => `file ${path}`),
  ])
}

describe('for all policies', () => {
  const holds = (law: (one: CallPolicy, other: CallPolicy, third: CallPolicy) => void) =>
    fc.assert(fc.property(policies, policies, policies, law), { numRuns: 500 })

  test('stricter is idempotent, commutative and associative', () => {
    holds((one, other, third) => {
      expect(stricter(one, one)).toEqual(one)
      expect(changedFields(stricter(one, other), stricter(other, one))).toEqual([])
      expect(changedFields(stricter(stricter(one, other), third), stricter(one, stricter(other, third)))).toEqual([])
    })
  })

  test('stricter is never wider than either, by its own order and by what the sandbox allows', () => {
    holds((one, other) => {
      const both = stricter(one, other)
      expect(looser(one, both)).toEqual([])
      expect(looser(other, both)).toEqual([])
      expect(allowed(both).isSubsetOf(allowed(one).intersection(allowed(other)))).toBe(true)
    })
  })

  test('stricter is the widest that is within both', () => {
    holds((one, other, third) => {
      const within = stricter(stricter(one, third), other)
      expect(looser(stricter(one, other), within)).toEqual([])
    })
  })

  test('looser is empty only when nothing more is allowed, and in both directions only for the same meaning', () => {
    holds((one, other) => {
      expect(looser(one, one)).toEqual([])
      if (looser(one, other).length === 0) expect(allowed(other).isSubsetOf(allowed(one))).toBe(true)
      // Policies that are equal by the order allow the same; a policy with its lists reversed is equal by the order.
      const turned = {
        ...one,
        network_scope: { hosts: one.network_scope.hosts.toReversed() },
        fs_scope: { roots: one.fs_scope.roots.toReversed(), globs: one.fs_scope.globs.toReversed() },
      }
      expect(changedFields(one, turned)).toEqual([])
      const simple = ['enabled', 'approval_mode', 'time_limit', 'sandbox_mode'] as const
      const isSame = simple.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
      expect(changedFields(one, other).some((field) => simple.some((name) => name === field))).toBe(!isSame)
      const both = stricter(one, other)
      expect(looser(one, other).length === 0).toBe(changedFields(both, other).length === 0)
    })
  })
})
