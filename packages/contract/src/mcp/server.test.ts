import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { McpServer, McpServerId } from './schema.ts'

const definition = { server_id: 'files', name: 'Files', enabled: true, auto_reconnect: true, default_approval_mode: 'required' }
const http = { ...definition, transport: 'http', header_names: ['Authorization'], query_names: [] }

describe('a definition cannot contain a secret', () => {
  test.each([
    ['https://mcp.example/v1', true],
    ['http://127.0.0.1:4000', true],
    ['https://user:secret@mcp.example/v1', false],
    ['https://mcp.example/v1?key=secret', false],
    ['https://mcp.example/v1#secret', false],
    ['file:///etc/passwd', false],
  ])('%s: %s', (url, allowed) => {
    expect(Check(McpServer, { ...http, url })).toBe(allowed)
  })

  test('names of variables and headers, never their values', () => {
    const stdio = { ...definition, transport: 'stdio', command: 'server', args: [], working_directory: null }
    expect(Check(McpServer, { ...stdio, env_names: ['API_KEY'] })).toBe(true)
    expect(Check(McpServer, { ...stdio, env_names: ['API_KEY=secret'] })).toBe(false)
    expect(Check(McpServer, { ...http, url: 'https://a.example', header_names: ['Authorization: Bearer secret'] })).toBe(false)
  })
})

test('a server id has no dot, so that mcp.<server_id>.<tool> is unambiguous', () => {
  expect(Check(McpServerId, 'my-files_2')).toBe(true)
  expect(Check(McpServerId, 'my.files')).toBe(false)
})
