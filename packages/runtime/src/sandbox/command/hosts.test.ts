import { expect, test } from 'vitest'
import { hostList, noProxyHosts } from './hosts.ts'

test.each([
  [[], { named: [], open: 'none', refused: [] }],
  [['Example.org', '*.example.org:443'], { named: ['example.org', '*.example.org:443'], open: 'none', refused: [] }],
  [
    ['localhost:3000', '127.0.0.1:8080', '10.0.0.5'],
    { named: ['localhost:3000', '127.0.0.1:8080', '10.0.0.5'], open: 'none', refused: [] },
  ],
  [['::1', '[::1]:443'], { named: ['[::1]', '[::1]:443'], open: 'none', refused: [] }],
  [['*'], { named: [], open: 'all', refused: [] }],
  [['*:443', '*'], { named: [], open: 'all', refused: ['*:443'] }],
  [
    ['*.com', 'intranet', 'http://x.org', 'a.org/b', 'x.*', ''],
    { named: [], open: 'none', refused: ['*.com', 'intranet', 'http://x.org', 'a.org/b', 'x.*', ''] },
  ],
] as const)('%j', (hosts, list) => {
  expect(hostList(hosts)).toEqual(list)
})

test('loopback bypasses the proxy unless the policy lists the loopback of the host', () => {
  expect(noProxyHosts(hostList(['example.org']))).toBe('localhost,127.0.0.1,::1')
  expect(noProxyHosts(hostList(['127.0.0.1:8080', '[::1]:1']))).toBe('localhost')
})
