import type { ListedMcpServer } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { serverRow, statusText } from './server.ts'

const status = { server_id: 'club', state: 'failed', tool_count: 0, heartbeat_at: null, server_name: null, protocol_version: null }

function listed(reason_code: string, message: string): ListedMcpServer {
  const preview = { server: { server_id: 'club', enabled: true }, runs: 'https://club.example/mcp' }
  const failed = { ...status, failure_contract: { reason_code, details: { message } } }
  return { preview, status: failed, consent_problem: null, tool_tokens: 0, folder: null } as unknown as ListedMcpServer
}

test.each(['needs_sign_in', 'sign_in_expired'])('%s: a server has not failed, it needs a sign-in, and the list says how', (reason) => {
  const server = listed(reason, 'club requires a sign-in')
  const how = 'sign in with tandem mcp login club'
  expect(serverRow(server)).toEqual(['club', 'needs sign-in', '0', '–', '–', 'https://club.example/mcp', how])
  expect(statusText(server.status)).toBe('club: needs sign-in, 0 tools')
})

test('any other failure is one', () => {
  const server = listed('unreachable', 'club does not respond')
  expect(serverRow(server)).toEqual(['club', 'failed', '0', '–', '–', 'https://club.example/mcp', 'club does not respond'])
  expect(statusText(server.status)).toBe('club: failed, 0 tools')
})
