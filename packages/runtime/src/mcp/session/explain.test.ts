// What users are told when a server does not work: the reason, and a command that helps.
import { describe, expect, test } from 'vitest'
import { useMcpEnvironments } from '../../../test/support/mcp/test-environments.ts'
import { httpServer, stdioServer } from '../../../test/support/mcp/test-mcp.ts'
import { definitionSha256 } from '../definition.ts'
import { lastWords } from './last-words.ts'
import { grantRemedy, patternsOf } from './refused-hosts.ts'

const ground = useMcpEnvironments()

/** A server in one line, whose start and tool do `work` first. It uses the proxy of the sandbox, as most programs do. */
function program(start: string, work = ''): readonly string[] {
  const source = `
    ${start}
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
    require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
      const { id, method } = JSON.parse(line)
      if (method === 'initialize') send(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'small', version: '1' } })
      else if (method === 'tools/list') send(id, { tools: [{ name: 'work', inputSchema: { type: 'object' } }] })
      else if (method === 'tools/call') { ${work}; send(id, { content: [] }) }
      else if (id !== undefined) send(id, {})
    })`
  return ['--use-env-proxy', '-e', source]
}

test.each([
  ["console.error('Error: API_KEY is required'); process.exit(1)", 'small exited: exit code 1: Error: API_KEY is required'],
  ["throw new Error('cannot read the configuration')", 'small exited: exit code 1: Error: cannot read the configuration'],
  ["console.error('bye'); process.exit(3)", 'small exited: exit code 3: bye'],
  ['process.exit(4)', 'small exited: exit code 4'],
])('a server that exits at its start: %s', async (start, message) => {
  const made = ground()
  const server = stdioServer('small', program(start))
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  expect(await made.service.connectServer('small')).toMatchObject({
    ok: false,
    failure: {
      reason_code: 'server_exited',
      message,
      remedy: 'Check its message and its log: it may need an argument, a variable or a host.',
    },
  })
})

describe('a host that is not allowed', () => {
  const reach = "await fetch('http://api.refused.example/').then((answer) => { if (!answer.ok) throw new Error('fetch failed') })"
  const command = 'tandem mcp consent small --host files.example --host api.refused.example'

  test('is named when the server does not start, with the command that allows it', async () => {
    const made = ground({ sandbox_mode: 'workspace' })
    const source = `(async () => { ${reach} })().catch(() => { console.error('fetch failed'); process.exit(1) })`
    const server = stdioServer('small', ['--use-env-proxy', '-e', source])
    await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: ['files.example'] })
    const remedy = `If that is intended, allow it with: ${command}`
    expect(await made.service.connectServer('small')).toMatchObject({
      ok: false,
      failure: {
        reason_code: 'server_exited',
        message: 'small exited: exit code 1: fetch failed. small tried to reach api.refused.example, which is not allowed',
        remedy,
      },
    })
    const text = `small tried to reach api.refused.example, which is not allowed. ${remedy}`
    expect(made.service.readLog('small')).toMatchObject({ value: { lines: expect.arrayContaining([expect.objectContaining({ text })]) } })
  })

  test('is named when a tool fails, with the message of the tool', async () => {
    const made = ground({ sandbox_mode: 'workspace' })
    const failed = "send(id, { content: [{ type: 'text', text: 'it went wrong' }], isError: true })"
    const server = stdioServer('small', program('', `try { ${reach} } catch { ${failed}; return }`))
    await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: ['files.example'] })
    expect(await made.service.connectServer('small')).toMatchObject({ ok: true })
    const listed = made.service.listTools('small')
    if (listed.ok) for (const { tool } of listed.value.tools) made.service.approveTool(tool.tool, tool.fingerprint)
    await expect(made.run('mcp.small.work')).rejects.toMatchObject({
      reason_code: 'host_refused',
      message: 'small tried to reach api.refused.example, which is not allowed. Its message: it went wrong',
      facts: { remedy: `If that is intended, allow it with: ${command}`, recoverability: 'user_action' },
    })
  })

  test.each([
    ['api.example:443', ['api.example']],
    ['api.example:80', ['api.example']],
    ['api.example:8443', ['api.example:8443']],
    ['intranet.example:443 (10.0.0.5)', ['intranet.example', '10.0.0.5:443']],
    ['intranet.example:8080 (fd00::1)', ['intranet.example:8080', '[fd00::1]:8080']],
    ['[::1]:80', ['[::1]']],
    ['evil; rm -rf:443', []],
    ['$(x):443', []],
    ['', []],
  ])('%j is allowed as %j', (resource, patterns) => {
    expect(patternsOf(resource)).toEqual(patterns)
  })

  test('that the user allowed, but the policy of a tool does not, is fixed in the policy', () => {
    expect(grantRemedy({ server_id: 's', network_hosts: ['*.example'] }, ['a.example'])).toBe(
      "Add a.example to the network scope of the tool in the agent's policy.",
    )
  })
})

test('missing values are named with the command that sets each', async () => {
  const made = ground()
  const server = stdioServer('small', program(''), { env_names: ['API_KEY', 'OTHER'] })
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  expect(await made.service.connectServer('small')).toMatchObject({
    ok: false,
    failure: {
      reason_code: 'missing_secret',
      message: 'small needs a value for API_KEY, OTHER',
      remedy:
        'Set the value on this device; it is not synchronized: tandem mcp secret small env API_KEY; tandem mcp secret small env OTHER',
    },
  })
  const remote = httpServer('web', 'https://web.example/mcp', { query_names: ['key'] })
  await made.service.addServer(remote, { definition_sha256: definitionSha256(remote), network_hosts: [] })
  expect(await made.service.connectServer('web')).toMatchObject({
    ok: false,
    failure: { remedy: expect.stringContaining('tandem mcp secret web query key') },
  })
})

test.each([
  [[], null],
  [['', '  '], null],
  [['Starting…', 'Listening'], 'Listening'],
  [
    ['Traceback (most recent call last):', '  File "x.py", line 1', "ModuleNotFoundError: No module named 'mcp'"],
    "ModuleNotFoundError: No module named 'mcp'",
  ],
  [
    [
      '/srv/x.js:1',
      '    throw new Error("no key")',
      '    ^',
      '',
      'Error: no key',
      '    at Object.<anonymous> (/srv/x.js:1:7)',
      '',
      'Node.js v26.10.0',
    ],
    'Error: no key',
  ],
  [
    [
      "Error: Cannot find module '/srv/y'",
      '    at a (b:1)',
      "  code: 'MODULE_NOT_FOUND',",
      '  requireStack: []',
      '}',
      '',
      'Node.js v26.10.0',
    ],
    "Error: Cannot find module '/srv/y'",
  ],
  [
    [
      'npm error code E404',
      "npm error 404  'x@1' is not in this registry, or was not found.",
      'npm error A complete log of this run can be found in: /x',
    ],
    "npm error 404  'x@1' is not in this registry, or was not found.",
  ],
  [['error: missing argument', 'See the manual.'], 'error: missing argument'],
])('the last words of %j', (lines, words) => {
  expect(lastWords(lines)).toBe(words)
})
