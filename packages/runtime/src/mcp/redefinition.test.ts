// A definition that is written again while its server is connecting: its own echo from the cloud, a new one, or none.
import { expect, test } from 'vitest'
import { useMcpEnvironments } from '../../test/support/mcp/test-environments.ts'
import { hostileServer, type McpTestEnvironment } from '../../test/support/mcp/test-mcp.ts'
import { definitionSha256 } from './definition.ts'
import type { StdioServer } from './ports.ts'

const ground = useMcpEnvironments()

const approval = (server: StdioServer) => ({ definition_sha256: definitionSha256(server), network_hosts: [] })
const moves = ({ changes }: McpTestEnvironment) =>
  changes.map(({ data }) => `${data.from_state} ${data.to_state}`).filter((move) => move !== 'connected connected')

/** The server is starting; a caller that connects now waits for it. */
async function connecting(made: McpTestEnvironment, server: StdioServer) {
  const added = await made.service.addServer(server, approval(server))
  if (!added.ok) throw new Error(added.failure.message)
  expect(made.service.listServers()[0]?.status.state).toBe('testing')
  return made.service.connectServer(server.server_id)
}

test('the same definition again changes nothing: a caller that connects gets the server that was starting', async () => {
  const made = ground()
  const server = hostileServer('good')
  const connected = connecting(made, server)
  await expect.poll(() => made.service.listServers().length).toBe(1)
  made.ports.records.put('mcp_servers', 'hostile', { ...server, name: 'The same by another name' })
  await Promise.all([made.service.definitionsChanged(['hostile']), made.service.definitionsChanged(['hostile'])])
  expect(await connected).toMatchObject({ ok: true, value: { state: 'connected' } })
  expect(moves(made)).toEqual(['created testing', 'testing connected'])
})

test('another definition restarts the server, and a caller that connects gets the new one', async () => {
  const made = ground()
  const server = hostileServer('good')
  const next = hostileServer('good', 'another')
  const connected = connecting(made, server)
  await expect.poll(() => made.service.listServers().length).toBe(1)
  const updated = await made.service.updateServer(next, approval(next))
  expect(updated.ok).toBe(true)
  expect(await connected).toMatchObject({ ok: true, value: { state: 'connected' } })
  expect(moves(made)).toEqual(['created testing', 'testing disconnected', 'disconnected testing', 'testing connected'])
})

test('a disconnect by the user meanwhile wins', async () => {
  const made = ground()
  const connected = connecting(made, hostileServer('good'))
  await expect.poll(() => made.service.listServers().length).toBe(1)
  await made.service.disconnectServer('hostile')
  expect(await connected).toMatchObject({ ok: false, failure: { reason_code: 'disconnected' } })
  expect(made.service.listServers()[0]?.status.state).toBe('disconnected')
})
