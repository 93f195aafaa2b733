// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of other clients look like this.
// The configuration files of other clients, as their documentation describes them.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readImport } from './import.ts'
import { plainJson } from './jsonc.ts'
import { resolveReferences } from './references.ts'

const home = mkdtempSync(join(tmpdir(), 'tandem-import-'))
const workspace = join(home, 'project')
mkdirSync(workspace)
writeFileSync(join(workspace, '.env'), '# keys\nAPI_KEY=from-file\nOTHER="two words"\nLITERAL=${API_KEY}\nPATH=/evil\n')
const around = { environment: { HOME: home, TOKEN: 'token-value', GREETING: 'hello' }, home, workspace }

async function read(text: string) {
  const result = await readImport(text, around)
  if (!result.ok) throw new Error(result.failure.message)
  const { servers, problems, notes } = result.value
  return {
    servers: servers.map(({ preview: { server } }) => {
      const { name: _name, auto_reconnect: _auto, default_approval_mode: _mode, ...rest } = server
      return rest
    }),
    secrets: servers.flatMap(({ preview, secrets }) =>
      secrets.map(({ kind, name, value }) => `${preview.server.server_id} ${kind} ${name}=${value}`),
    ),
    problems: problems.map(({ name, message }) => `${name}: ${message}`),
    notes: notes.map(({ name, message }) => `${name}: ${message}`),
  }
}

const stdio = (server_id: string, command: string, args: string[] = [], change = {}) => ({
  server_id,
  enabled: true,
  transport: 'stdio',
  command,
  args,
  env_names: [],
  working_directory: null,
  ...change,
})
const http = (server_id: string, url: string, change = {}) => ({
  server_id,
  enabled: true,
  transport: 'http',
  url,
  header_names: [],
  query_names: [],
  ...change,
})

describe('formats', () => {
  test('VS Code mcp.json: comments, trailing commas, inputs, folders and an env file', async () => {
    const text = `{
      // Servers of this project
      "inputs": [
        { "type": "promptString", "id": "key", "description": "The key /* of */ the service", "password": true, },
        { "type": "promptString", "id": "region", "description": "Region", "default": "eu" },
      ],
      "servers": {
        "files": {
          "type": "stdio", "command": "npx", /* pinned */
          "args": ["-y", "files@1", "\${workspaceFolder}/src", "https://not-a-comment.example"],
          "env": { "KEY": "\${input:key}", "REGION": "\${input:region}" },
          "envFile": "\${workspaceFolder}/.env",
          "cwd": "\${workspaceFolder}",
          "dev": { "watch": "src" },
        },
        "web": { "type": "http", "url": "https://mcp.example/mcp", "headers": { "Authorization": "Bearer \${env:TOKEN}" } },
        "old": { "type": "sse", "url": "https://mcp.example/sse" },
      },
    }`
    expect(await read(text)).toEqual({
      servers: [
        stdio('files', 'npx', ['-y', 'files@1', `${workspace}/src`, 'https://not-a-comment.example'], {
          env_names: ['KEY', 'REGION', 'API_KEY', 'LITERAL', 'OTHER'],
        }),
        http('web', 'https://mcp.example/mcp', { header_names: ['Authorization'] }),
        http('old', 'https://mcp.example/sse'),
      ],
      secrets: [
        'files env REGION=eu',
        'files env API_KEY=from-file',
        'files env LITERAL=${API_KEY}',
        'files env OTHER=two words',
        'web header Authorization=Bearer token-value',
      ],
      problems: [],
      notes: [
        `files: argument 3 now names the folder ${workspace}, whatever folder a run works in`,
        'files: KEY has no value yet (input:key (The key /* of */ the service)): set it with tandem mcp secret files env KEY',
        'files: the variable PATH is left out: it would run code that the command does not show',
        `files: the values of API_KEY, LITERAL, OTHER are copied from ${workspace}/.env; later changes of the file have no effect`,
        'files: not taken over: dev',
      ],
    })
  })

  test('VS Code settings.json, among other settings', async () => {
    const text = `{ "editor.fontSize": 12, "mcp": { "inputs": [], "servers": { "a": { "command": "a" } } }, "files.exclude": {}, }`
    expect(await read(text)).toEqual({ servers: [stdio('a', 'a')], secrets: [], problems: [], notes: [] })
  })

  test('opencode: commands as lists, environment, {env:…}, disabled servers and OAuth', async () => {
    const text = `{ "$schema": "https://opencode.ai/config.json", "mcp": {
      "local": { "type": "local", "command": ["bun", "x", "my-server"], "environment": { "TOKEN": "{env:TOKEN}" }, "enabled": false, "timeout": 5000 },
      "remote": { "type": "remote", "url": "https://mcp.example/mcp?team={env:GREETING}", "oauth": { "clientId": "mine", "scope": "read" } },
    } }`
    expect(await read(text)).toEqual({
      servers: [
        stdio('local', 'bun', ['x', 'my-server'], { enabled: false, env_names: ['TOKEN'] }),
        http('remote', 'https://mcp.example/mcp', { query_names: ['team'] }),
      ],
      secrets: ['local env TOKEN=token-value', 'remote query team=hello'],
      problems: [],
      notes: [
        'local: timeout is not taken over: every server has 60 s to start',
        'remote: sign in with tandem mcp login remote --client-id mine',
        'remote: not taken over of oauth: scope',
      ],
    })
    const nested = '{ "mcp": { "servers": { "a": { "type": "local", "command": ["a", "b"], "disabled": true } } } }'
    expect((await read(nested)).servers).toEqual([stdio('a', 'a', ['b'], { enabled: false })])
  })

  test('.mcp.json with and without mcpServers; defaults of variables', async () => {
    const a = { command: '${HOME}/bin/a', env: { MODE: '${MODE:-fast}', WORD: '${GREETING:-bye}', BARE: '$TOKEN' }, cwd: '~/work' }
    const expected = {
      servers: [stdio('a', `${home}/bin/a`, [], { env_names: ['MODE', 'WORD', 'BARE'], working_directory: join(home, 'work') })],
      secrets: ['a env MODE=fast', 'a env WORD=hello', 'a env BARE=token-value'],
      problems: [],
      notes: [],
    }
    expect(await read(JSON.stringify({ mcpServers: { a } }))).toEqual(expected)
    expect(await read(JSON.stringify({ a }))).toEqual(expected)
  })

  test('Codex TOML', async () => {
    const text = `
      model = "gpt-5" # not a server
      [mcp_servers.files]
      command = "npx"
      args = ["-y", "files@1"]
      env_vars = ["TOKEN", "PATH", "LD_PRELOAD"]
      startup_timeout_sec = 20
      enabled_tools = ["read"]
      tool_timeout_sec = 30
      [mcp_servers.files.env]
      MODE = "fast"
      [mcp_servers.web]
      url = "https://mcp.example/mcp"
      bearer_token_env_var = "TOKEN"
      env_http_headers = { X-Team = "TEAM" }
      enabled = false
    `
    expect(await read(text)).toEqual({
      servers: [
        stdio('files', 'npx', ['-y', 'files@1'], { env_names: ['MODE', 'TOKEN'], include_tools: ['read'], timeout_seconds: 30 }),
        http('web', 'https://mcp.example/mcp', { enabled: false, header_names: ['X-Team', 'Authorization'] }),
      ],
      secrets: ['files env MODE=fast', 'web header Authorization=Bearer token-value'],
      problems: [],
      notes: [
        'files: the variable LD_PRELOAD is left out: it cannot be passed on',
        'files: startup_timeout_sec is not taken over: every server has 60 s to start',
        'web: X-Team has no value yet (TEAM): set it with tandem mcp secret web header X-Team',
      ],
    })
  })

  test('Gemini settings: includeTools, excludeTools and timeout are taken over, trust is listed', async () => {
    const g = { httpUrl: 'https://g.example/mcp', includeTools: ['a', 'b(x)', 3], excludeTools: ['b'], trust: true, timeout: 30_000 }
    const { servers, notes } = await read(JSON.stringify({ mcpServers: { g } }))
    const use = { include_tools: ['a', 'b'], exclude_tools: ['b'], timeout_seconds: 30 }
    expect(servers).toEqual([http('g', 'https://g.example/mcp', use)])
    expect(notes.map((note) => note.split(':')[1]?.trim())).toEqual([
      'includeTools has parts that are not names of tools; they are left out',
      'trust is not taken over',
    ])
  })

  test.each<[unknown, number | undefined]>([
    [60, 60],
    [1, 1],
    [600_000, 600],
    [0.2, 1],
    [1e12, 86_400],
    [0, undefined],
    ['soon', undefined],
  ])('timeout %j is %s seconds', async (timeout, seconds) => {
    const { servers } = await read(JSON.stringify({ mcpServers: { a: { command: 'a', timeout } } }))
    expect(servers).toEqual([stdio('a', 'a', [], seconds === undefined ? {} : { timeout_seconds: seconds })])
  })

  test('servers of single folders in the file of Claude are listed', async () => {
    const text = JSON.stringify({
      mcpServers: { a: { command: 'a' } },
      projects: { '/work': { mcpServers: { b: { command: 'b' } } }, '/other': {} },
    })
    expect(await read(text)).toMatchObject({
      servers: [stdio('a', 'a')],
      problems: ['/work: these servers belong to this folder only; import them from a file of their own: b'],
    })
  })
})

describe('what does not fit', () => {
  test('one bad variable, header or field does not reject its server', async () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'a', env: { 'BAD NAME': 'x', LD_PRELOAD: 'x', LIST: [], NONE: null, COUNT: 3, GOOD: 'g' }, envFile: '/no/such/file' },
        b: { url: 'https://b.example/', headers: { 'Bad Name': 'x', Good: 'g' } },
        c: { command: 'c', env: 'KEY=value' },
      },
    })
    expect(await read(text)).toEqual({
      servers: [
        stdio('a', 'a', [], { env_names: ['COUNT', 'GOOD'] }),
        http('b', 'https://b.example/', { header_names: ['Good'] }),
        stdio('c', 'c'),
      ],
      secrets: ['a env COUNT=3', 'a env GOOD=g', 'b header Good=g'],
      problems: [],
      notes: [
        'a: the variable BAD NAME is left out: it is not a valid name',
        'a: the variable LD_PRELOAD is left out: it would run code that the command does not show',
        'a: LIST is left out: its value is not a text',
        'a: NONE is left out: its value is not a text',
        'a: COUNT is passed on as text: its value is a number',
        'a: the variables of /no/such/file are left out: it does not exist',
        'b: the header Bad Name is left out: it is not a valid name',
        'c: env is left out: it is not an object',
      ],
    })
  })

  test('a reference to a secret in an argument is not filled in, because arguments are synchronized', async () => {
    const result = await read(JSON.stringify({ mcpServers: { a: { command: 'a', args: ['--key', '${TOKEN}', '${input:x}', '${HOME}'] } } }))
    expect(JSON.stringify(result)).not.toContain('token-value')
    expect(result.servers).toEqual([stdio('a', 'a', ['--key', '${TOKEN}', '${input:x}', home])])
    expect(result.notes).toEqual([
      'a: argument 2 refers to TOKEN, which is not filled in, because it would be synchronized: change it with tandem mcp update a',
      'a: argument 3 refers to input:x, which is not filled in, because it would be synchronized: change it with tandem mcp update a',
    ])
  })

  test('every server of a file is imported or listed', async () => {
    const server = fc.oneof(
      fc.record({ command: fc.oneof(fc.string(), fc.constant(1)), args: fc.array(fc.anything(), { maxLength: 2 }) }, { requiredKeys: [] }),
      fc.record({ url: fc.oneof(fc.webUrl(), fc.string()), headers: fc.dictionary(fc.string(), fc.anything(), { maxKeys: 2 }) }),
      fc.anything(),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ minLength: 1 }), server, { maxKeys: 6 }), async (mcpServers) => {
        const text = JSON.stringify({ mcpServers })
        const { servers, problems } = await read(text)
        expect(servers.length + problems.length).toBe(Object.keys(JSON.parse(text).mcpServers).length)
        expect(new Set(servers.map(({ server_id }) => server_id)).size).toBe(servers.length)
      }),
    )
  })

  test('more servers than a file may have are listed', async () => {
    const mcpServers = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`s${index}`, { command: 'a' }]))
    expect((await read(JSON.stringify({ mcpServers }))).problems).toEqual(['s200: a file may have 200 servers'])
  })
})

describe('JSON with comments', () => {
  test('plain JSON is not changed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(plainJson(JSON.stringify(value))).toBe(JSON.stringify(value))
      }),
    )
  })

  test.each([
    ['{"a": 1, // x\n}', { a: 1 }],
    ['{"a": [1, 2, /* , */ ],}', { a: [1, 2] }],
    ['/* a */ {"a": "// no /* comment */"} // end', { a: '// no /* comment */' }],
    ['{"a": "\\", }"}', { a: '", }' }],
    ['\uFEFF{"a": 1}', { a: 1 }],
    ['/**/{"😀": "😀",}', { '😀': '😀' }],
  ])('%j', (text, value) => {
    expect(JSON.parse(plainJson(text))).toEqual(value)
  })

  test('a long line of slashes or an open comment ends', () => {
    expect(plainJson(`/*${'*'.repeat(100_000)}`).trim()).toBe('')
    expect(plainJson(`//${'/'.repeat(100_000)}`).trim()).toBe('')
  })
})

test.each([
  ['${workspaceFolder}/a', `${workspace}/a`],
  ['${userHome}${/}a', `${home}/a`],
  ['${workspaceFolderBasename}', 'project'],
  ['$GREETING and more', '$GREETING and more'],
  ['${A:-${B}}', '${A:-${B}}'],
  ['100%{env:GREETING}', '100%hello'],
  ['${env:GREETING}${GREETING}', 'hellohello'],
  ['{file:./key}', '{file:./key}'],
])('%s is %s', (text, value) => {
  expect(resolveReferences(text, { ...around, inputs: new Map(), has_bare_references: false }).text).toBe(value)
})
