// Definitions from elsewhere: nothing starts before the user of this device has approved exactly that definition.
import { once } from 'node:events'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { useMcpEnvironments } from '../../test/support/mcp/test-environments.ts'
import { hostileServer, httpServer, type McpTestEnvironment, stdioServer } from '../../test/support/mcp/test-mcp.ts'
import { definitionSha256 } from './definition.ts'

const ground = useMcpEnvironments()

function touching(made: McpTestEnvironment, name: string) {
  const file = join(made.workspace, name)
  return { file, server: stdioServer('synced', ['-e', `require('node:fs').writeFileSync(${JSON.stringify(file)}, '')`]) }
}

test('a definition that arrives by sync never starts anything', async () => {
  const made = ground()
  const { file, server } = touching(made, 'ran')
  made.ports.records.put('mcp_servers', 'synced', server)
  await made.service.definitionsChanged(['synced'])
  made.service.start()
  for (const attempt of [made.service.connectServer, made.service.testServer]) {
    expect(await attempt('synced')).toMatchObject({ ok: false, failure: { reason_code: 'consent_needed' } })
  }
  expect(await made.service.refreshTools('synced')).toMatchObject({ ok: false })
  const [listed] = made.service.listServers()
  expect([listed?.status.state, listed?.consent_problem?.reason_code, existsSync(file)]).toEqual(['created', 'consent_needed', false])
  expect(made.changes).toEqual([])
})

test('many arrive at once, some broken, some remote: nothing starts, no approval is requested, and each shows why', async () => {
  let asked = 0
  const listener = createServer((_, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const made = ground()
  const { file, server } = touching(made, 'ran')
  const { port } = listener.address() as AddressInfo
  const arrived = [
    server,
    { ...server, server_id: 'second', default_approval_mode: 'auto' as const },
    httpServer('web', `http://127.0.0.1:${port}/mcp`),
  ]
  for (const one of arrived) made.ports.records.put('mcp_servers', one.server_id, one)
  made.ports.records.put('mcp_servers', 'broken', { server_id: 'broken', command: 'rm -rf /' } as never)
  await made.service.definitionsChanged([...arrived.map(({ server_id }) => server_id), 'broken', 'never-there'])
  await made.service.start()
  await made.service.definitionsChanged(arrived.map(({ server_id }) => server_id))
  listener.close()
  expect(
    made.service
      .listServers()
      .map(({ preview, status, consent_problem }) => [preview.server.server_id, status.state, consent_problem?.reason_code]),
  ).toEqual([
    ['second', 'created', 'consent_needed'],
    ['synced', 'created', 'consent_needed'],
    ['web', 'created', 'consent_needed'],
  ])
  expect([asked, existsSync(file), made.service.tools(), made.changes]).toEqual([0, false, [], []])
})

test('if a definition changes by sync while a run uses it, every session in every folder ends, and none restarts', async () => {
  const made = ground()
  const server = hostileServer('good')
  await made.add(server)
  const other = join(made.workspace, 'other')
  mkdirSync(other)
  const called = made.run('mcp.hostile.hang', {}, { workspace: other }).catch((error: unknown) => error)
  const pids = async (workspace: string) => JSON.stringify(await made.run('mcp.hostile.pid', {}, { workspace })).match(/\d+/)?.[0]
  const running = [await pids(made.workspace), await pids(other)].map(Number)
  const { file, server: changed } = touching(made, 'ran')
  made.ports.records.put('mcp_servers', 'hostile', { ...changed, server_id: 'hostile' })
  await made.service.definitionsChanged(['hostile'])
  expect(await called).toMatchObject({ name: 'ToolFailure' })
  for (const pid of running) await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 60_000)
  expect(made.service.tools()).toEqual([])
  expect(await made.service.connectServer('hostile')).toMatchObject({ ok: false, failure: { reason_code: 'definition_changed' } })
  expect(existsSync(file)).toBe(false)
})

test('an approval covers what was shown, and nothing else', async () => {
  const made = ground()
  const seen = hostileServer('good')
  made.ports.records.put('mcp_servers', 'hostile', { ...seen, args: ['-e', 'process.exit(0)'] })
  expect(await made.service.approveServer('hostile', { definition_sha256: definitionSha256(seen), network_hosts: [] })).toMatchObject({
    ok: false,
    failure: { reason_code: 'stale_approval' },
  })
  expect(made.ports.consents.get('hostile')).toBeUndefined()
})

test('a changed definition stops the server and needs approval again; a new label does not', async () => {
  const made = ground()
  const server = hostileServer('good')
  await made.add(server)
  made.ports.records.put('mcp_servers', 'hostile', { ...server, name: 'Another label' })
  await made.service.definitionsChanged(['hostile'])
  expect(made.service.listServers()[0]?.status.state).toBe('connected')

  for (const change of [
    { args: [...server.args, 'more'] },
    { command: 'other' },
    { env_names: ['TOKEN'] },
    { default_approval_mode: 'auto' as const },
  ]) {
    const changed = { ...server, ...change }
    made.ports.records.put('mcp_servers', 'hostile', changed)
    await made.service.definitionsChanged(['hostile'])
    const [listed] = made.service.listServers()
    expect([listed?.status.state, listed?.status.failure_contract?.reason_code]).toEqual(['disconnected', 'definition_changed'])
    expect(made.service.tools()).toEqual([])
    made.ports.records.put('mcp_servers', 'hostile', server)
    await made.service.definitionsChanged(['hostile'])
    await vi.waitFor(() => expect(made.service.listServers()[0]?.status.state).toBe('connected'), 60_000)
  }
})

test('a server that is removed and added again has no old approval and no old secret', async () => {
  const made = ground()
  const server = hostileServer('good')
  await made.add(server)
  await made.service.removeServer('hostile')
  expect(made.outbox()).toEqual([{ entity_type: 'mcp_servers', entity_id: 'hostile', op: 'delete' }])
  made.ports.records.put('mcp_servers', 'hostile', server)
  await made.service.definitionsChanged(['hostile'])
  expect(await made.service.connectServer('hostile')).toMatchObject({ ok: false, failure: { reason_code: 'consent_needed' } })
  expect(made.ports.consents.toolFingerprint('mcp.hostile.work')).toBeUndefined()
})

test('revoking the approval ends the server and its tools', async () => {
  const made = ground()
  await made.add(hostileServer('good'))
  expect(made.service.tools().length).toBe(12)
  expect(await made.service.revokeServer('hostile')).toMatchObject({ ok: true, value: { status: { state: 'disconnected' } } })
  expect(made.service.tools()).toEqual([])
})

test('two servers with the same tool name stay separate', async () => {
  const made = ground()
  await made.add(hostileServer('good'))
  await made.add({ ...hostileServer('broken-tools'), server_id: 'other' })
  await made.add({ ...hostileServer('changing', '', {}), server_id: 'third' })
  const names = made.service.tools().map(({ name }) => name)
  expect(names.filter((name) => name.endsWith('.work'))).toEqual(['mcp.hostile.work', 'mcp.third.work'])
  expect(new Set(names).size).toBe(names.length)
})

test('invalid records of other programs are not definitions', async () => {
  const made = ground()
  made.ports.records.put('mcp_servers', 'bad', { server_id: 'bad', transport: 'stdio' } as never)
  made.ports.records.put('mcp_servers', 'mask', hostileServer('good'))
  made.ports.records.put('mcp_servers', 'hostile', hostileServer('good', '', { env_names: ['LD_PRELOAD'] }))
  expect(made.service.listServers()).toEqual([])
  made.service.start()
  expect(await made.service.connectServer('hostile')).toMatchObject({ ok: false, failure: { reason_code: 'unknown_server' } })
})

test('without a sandbox, the preview says that nothing would restrict the program', () => {
  const preview = (enforcement: 'os' | 'none', server: object) => {
    const shown = ground({ enforcement }).service.previewServer(server)
    return shown.ok && shown.value.warnings
  }
  expect(preview('none', hostileServer('good'))).toEqual(['No sandbox is available on this machine: nothing would restrict this program.'])
  expect([preview('os', hostileServer('good')), preview('none', httpServer('web', 'https://example.org/mcp'))]).toEqual([[], []])
})

test('an import shows a preview first, imports only what was approved, and keeps secrets on this device', async () => {
  const made = ground()
  const text = JSON.stringify({
    mcpServers: {
      'My Files!': {
        command: 'npx',
        args: ['-y', 'server-files', '--token=abcdef'],
        env: { API_KEY: 'the-key-itself', FROM_HERE: '$' + '{NOT_SET}' },
      },
      web: { url: 'https://example.org/mcp?key=query-secret', headers: { Authorization: 'Bearer header-secret' } },
      preload: { command: 'node', env: { NODE_OPTIONS: '--require ./evil.js' } },
      old: { type: 'sse', url: 'https://example.org/sse' },
      empty: {},
    },
  })
  const preview = await made.service.previewImport(text)
  if (!preview.ok) throw new Error(preview.failure.message)
  expect(preview.value.servers.map(({ server, runs, secret_names }) => [server.server_id, runs, secret_names])).toEqual([
    ['My-Files', 'npx -y server-files --token=abcdef', ['API_KEY', 'FROM_HERE']],
    ['web', 'https://example.org/mcp', ['Authorization', 'key']],
    ['preload', 'node', []],
    ['old', 'https://example.org/sse', []],
  ])
  expect(preview.value.servers[0]?.warnings).toEqual([
    'npx may download and run code that changes over time: specify a version. It downloads only from hosts that you approve.',
    'An argument looks like a secret. Arguments are synchronized to your other devices; the values of environment variables are not.',
  ])
  expect(preview.value.problems).toEqual([{ name: 'empty', message: 'it has neither a command nor a url' }])
  expect(preview.value.notes).toEqual([
    { name: 'My-Files', message: 'FROM_HERE has no value yet (NOT_SET): set it with tandem mcp secret My-Files env FROM_HERE' },
    { name: 'preload', message: 'the variable NODE_OPTIONS is left out: it would run code that the command does not show' },
  ])
  expect(JSON.stringify(preview)).not.toMatch(/the-key-itself|query-secret|header-secret/)
  expect(made.outbox()).toEqual([])

  const [, web] = preview.value.servers
  const approval = { server_id: 'web', definition_sha256: web?.definition_sha256 ?? '', network_hosts: [] }
  expect(await made.service.importServers(text, [{ ...approval, definition_sha256: '0'.repeat(64) }])).toMatchObject({
    ok: false,
    failure: { reason_code: 'stale_approval' },
  })
  expect(made.ports.secrets.get('web', 'header', 'Authorization')).toBeUndefined()
})

test.each([
  ['{"mcpServers":{"a":{"env":{"KEY": the-key-itself}}}}', 'the text is not JSON'],
  ['key = the-key-itself', 'the text is neither JSON nor TOML (line 1 column 7)'],
  ['[]', 'the text is neither JSON nor TOML (line 1 column 2)'],
  ['{"mcpServers":[1]}', 'the text has no MCP servers: neither mcpServers, servers, mcp nor mcp_servers'],
])('%s is no import, and its text is not in what is said', async (text, message) => {
  expect(await ground().service.previewImport(text)).toMatchObject({ ok: false, failure: { reason_code: 'invalid_definition', message } })
})

test.each([
  ['npx', ['-y', '@example/files@1.2.3'], false],
  ['npx', ['-y', '@example/files@1.2'], false],
  ['uvx', ['files==0.9.0'], false],
  ['docker', ['run', `example/files@sha256:${'a'.repeat(64)}`], false],
  ['npx', ['-y', '@example/files'], true],
  ['npx', ['-y', '@example/files@latest'], true],
  ['npx', ['-y', '@example/files@^1.2.3'], true],
  ['docker', ['run', 'example/files:1.2'], true],
] as const)('%s %j: a version is asked for: %s', async (command, args, asks) => {
  const made = ground()
  const preview = await made.service.previewImport(JSON.stringify({ mcpServers: { files: { command, args } } }))
  const warnings = preview.ok ? preview.value.servers[0]?.warnings : []
  expect(warnings).toEqual([
    `${command} may download and run code${asks ? ' that changes over time: specify a version' : ''}. It downloads only from hosts that you approve.`,
  ])
})
