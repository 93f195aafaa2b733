import { isDeepStrictEqual } from 'node:util'
import { defaultToolPolicy } from '@tandem/contract/tool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { httpServer, stdioServer } from '../../test/support/mcp/test-mcp.ts'
import type { SessionScope } from './ports.ts'
import { cacheVariables, fullScope, serverFolder, serverScope, sessionKey, sessionScopeFor } from './server-scope.ts'

const consent = { server_id: 'x', definition_sha256: '0'.repeat(64), network_hosts: ['api.example.org'], approved_at: '' }
const place: SessionScope = { workspace: '/work', sandbox_mode: 'workspace', ...fullScope }
const own = { temp: '/tmp/x', home: '/home/x/.tandem', report: () => undefined }

test('a program can access its workspace and the approved hosts, and nothing else', () => {
  const scope = serverScope(stdioServer('files', []), consent, place, own)
  expect(scope).toEqual({
    ...own,
    workspace: '/work',
    sandbox_mode: 'workspace',
    ids: { agent_id: '', conversation_id: '', run_id: serverFolder('files', place), call_id: '' },
    tool: 'mcp.files',
    policy: {
      enabled: true,
      approval_mode: 'required',
      rate_limit: scope.policy.rate_limit,
      time_limit: scope.policy.time_limit,
      network_scope: { hosts: ['api.example.org'] },
      fs_scope: { roots: ['.'], globs: ['**'] },
    },
  })
  expect(serverScope(stdioServer('files', []), { ...consent, network_hosts: [] }, place, own).policy.network_scope).toEqual({ hosts: [] })
})

test.each([
  ['https://example.org/mcp', 'example.org:443'],
  ['http://example.org/mcp', 'example.org:80'],
  ['http://127.0.0.1:3001/mcp', '127.0.0.1:3001'],
  ['http://[::1]:3001/mcp', '[::1]:3001'],
])('an approval of %s covers only %s', (url, host) => {
  const { policy } = serverScope(httpServer('web', url), { ...consent, network_hosts: [] }, place, own)
  expect(policy.network_scope).toEqual({ hosts: [host] })
})

test.each([
  [{ hosts: ['*'] }, 'workspace', ['api.example.org', '*'], ['.']],
  [{ hosts: ['*'] }, 'strict', ['api.example.org'], ['.']],
  [{ hosts: ['*.example.org'] }, 'workspace', ['api.example.org', '*.example.org'], ['.']],
  [{ hosts: [] }, 'workspace', [], ['.']],
  [{ hosts: ['*'], roots: ['docs'] }, 'workspace', ['api.example.org', '*'], ['docs']],
] as const)('what the policy of a tool leaves of the approval: %j in %s', (left, sandbox_mode, hosts, roots) => {
  const named = { ...consent, network_hosts: ['api.example.org', '*'] }
  const { policy } = serverScope(stdioServer('files', []), named, { ...place, sandbox_mode, ...left }, own)
  expect([policy.network_scope.hosts, policy.fs_scope]).toEqual([hosts, { roots, globs: ['**'] }])
})

test('a call goes where its policy allows; a remote server has no files here', () => {
  const policy = {
    ...defaultToolPolicy('mcp.x.y'),
    network_scope: { hosts: ['a.example'] },
    fs_scope: { roots: ['docs'], globs: ['*.md'] },
  }
  const call = { workspace: '/work', sandbox_mode: 'workspace' as const, policy }
  expect(sessionScopeFor(stdioServer('x', []), call)).toEqual({ ...place, roots: ['docs'], hosts: ['a.example'] })
  expect(sessionScopeFor(httpServer('x', 'http://x/'), call)).toEqual({ ...place, hosts: ['a.example'] })
})

test.each([
  ['trusted', 'workspace', 'workspace'],
  ['workspace', 'workspace', 'workspace'],
  ['strict', 'strict', 'workspace'],
] as const)('a %s run: a program is restricted as %s, an address as %s', (sandbox_mode, program, address) => {
  const run = { workspace: '/work', sandbox_mode, policy: defaultToolPolicy('mcp.x.y') }
  expect([sessionScopeFor(stdioServer('x', []), run), sessionScopeFor(httpServer('x', 'http://x/'), run)]).toEqual([
    { workspace: '/work', sandbox_mode: program, ...fullScope },
    { workspace: '/work', sandbox_mode: address, ...fullScope },
  ])
})

test('session folders never overlap, and have plain names', () => {
  const words = fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 })
  const sandbox_mode = fc.constantFrom('workspace', 'strict')
  const anyPlace = fc.record({ workspace: fc.string({ minLength: 1 }), sandbox_mode, roots: words, hosts: words })
  fc.assert(
    fc.property(anyPlace, anyPlace, (left, right) => {
      expect(serverFolder('a-b', left)).toMatch(/^mcp-a-b-[0-9a-f]{12}$/)
      const sorted = ({ roots, hosts, ...rest }: SessionScope) => ({ ...rest, roots: new Set(roots), hosts: new Set(hosts) })
      const isSame = isDeepStrictEqual(sorted(left), sorted(right))
      expect([serverFolder('x', left) === serverFolder('x', right), sessionKey(left) === sessionKey(right)]).toEqual([isSame, isSame])
    }),
  )
})

test('the download cache of a program is in the folder of its session', () => {
  expect(cacheVariables('/tmp/x')).toEqual({ XDG_CACHE_HOME: '/tmp/x/cache', npm_config_cache: '/tmp/x/cache/npm' })
})
