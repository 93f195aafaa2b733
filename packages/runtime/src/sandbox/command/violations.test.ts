import { expect, test } from 'vitest'
import { networkViolation, withoutRepeats, writeViolations } from './violations.ts'

test('a line of the proxy contains the host', () => {
  expect(networkViolation('deny network-outbound example.org:443 (host is not on the allow list)')).toEqual({
    attempted: 'network',
    resource: 'example.org:443',
    blocked: true,
  })
  expect(networkViolation('deny file-write /etc')).toBe(null)
})

test.each([
  ["touch: cannot touch '/etc/a b': Read-only file system", ['/etc/a b']],
  ['bash: line 1: /etc/x: Read-only file system', ['/etc/x']],
  ["OSError: [Errno 30] Read-only file system: '/opt/y'", ['/opt/y']],
  ["Error: EROFS: read-only file system, open '/usr/z'", ['/usr/z']],
  ['all is well', []],
])('%s', (text, paths) => {
  expect(writeViolations(text)).toEqual(paths.map((resource) => ({ attempted: 'write', resource, blocked: true })))
})

test('a repeated violation is reported once', () => {
  const one = { attempted: 'write', resource: '/etc', blocked: true } as const
  expect(withoutRepeats([one, { ...one }, { ...one, blocked: false }])).toEqual([one, { ...one, blocked: false }])
})
