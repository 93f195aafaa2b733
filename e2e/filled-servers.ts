// The MCP servers of a filled desktop: one with suspicious texts, one that needs consent, one that does not start, one with every feature of
// the protocol, one that requires a sign-in, and those that a folder brings.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { definitionSha256 } from '../packages/runtime/src/mcp/definition.ts'
import type { Runtime } from '../packages/runtime/src/runtime.ts'
import { httpServer, officialServer, stdioServer } from '../packages/runtime/test/support/mcp/test-mcp.ts'

type Call = <Name extends CommandName>(name: Name, params: CommandParams<Name>) => Promise<CommandResult<Name>>

/** Returns the one that requires a sign-in, to be closed. */
export async function addServers(call: Call, { commands }: Pick<Runtime, 'commands'>): Promise<Server> {
  const club = await clubServer()
  const named = (server_id: string, name: string, ...args: string[]) => stdioServer(server_id, args, { name, command: 'node' })
  const servers = [
    named('words', 'Words of strangers', 'stranger.ts', 'poison'),
    named('new', 'A new one', 'stranger.ts', 'good'),
    named('broken', 'Broken', 'stranger.ts', 'exits'),
    stdioServer('everything', [officialServer('everything')], { name: 'Everything, the server with all features of the protocol' }),
    httpServer('club', `${originOf(club)}/mcp`, { name: 'Club' }),
  ]
  for (const server of servers) {
    const consent = { definition_sha256: definitionSha256(server), network_hosts: [] }
    await call('mcp_server_add', { server, consent: server.server_id === 'new' ? null : consent })
  }
  for (const server_id of ['broken', 'club']) await commands.call('mcp_server_connect', { server_id })
  for (const server_id of ['words', 'everything']) await call('mcp_server_connect', { server_id })
  return club
}

/** They are announced in the conversations of the folder until the user decides about them. */
export function writeFolderServers(workspace: string): void {
  const mcpServers = {
    tracker: { command: 'node', args: ['tracker.js'], env: { TRACKER_TOKEN: 'secret' } },
    remote: { url: 'https://mcp.example.com/a/long/path/that/does/not/end/soon' },
  }
  writeFileSync(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers }))
}

/** Refuses everything until the user has signed in, and offers what a sign-in needs. */
async function clubServer(): Promise<Server> {
  const club = createServer((request, response) => {
    const origin = originOf(club)
    const json = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const { pathname } = new URL(request.url ?? '/', origin)
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] })
    }
    if (pathname.startsWith('/.well-known/oauth-authorization-server')) {
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    }
    if (pathname === '/register') return json(201, { client_id: 'tandem', redirect_uris: ['http://127.0.0.1/callback'] })
    const metadata = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    return json(401, { error: 'invalid_token' }, { 'www-authenticate': metadata })
  }).listen(0, '127.0.0.1')
  await once(club, 'listening')
  return club
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
