// `tandem mcp` as users and scripts see it: real servers, and a run in a process of its own that calls one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { useAuthorities } from '../../runtime/test/support/mcp/test-authorization-server.ts'
import { useScriptedTandem } from './support/test-scripted.ts'
import type { ProcessResult } from './support/test-tandem.ts'

const runtime = createRequire(new URL('../../runtime/package.json', import.meta.url))
const program = (name: string) => join(runtime.resolve(`@modelcontextprotocol/server-${name}/package.json`), '..', 'dist', 'index.js')

const { model, here } = await useScriptedTandem()

const authorities = useAuthorities()
const mcp = (...args: string[]) => here.command('mcp', ...args)
const hashIn = ({ stderr }: ProcessResult) => /sha256 ([0-9a-f]{64})/.exec(stderr)?.[1] ?? ''

test('without consent nothing starts; with the hash of what was shown it does, and a run may call it', async () => {
  const started = join(here.folder, 'started')
  const source = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`
  const trap = await mcp('add', 'trap', '--', process.execPath, '-e', source)
  expect([trap.status, trap.stderr.includes(JSON.stringify(source)), trap.stderr.includes('tandem: trap needs your approval\n')]).toEqual([
    3,
    true,
    true,
  ])

  const added = await mcp('add', 'files', '--', process.execPath, program('filesystem'))
  expect([added.status, added.stdout]).toEqual([3, ''])
  const refused = await mcp('tools', 'files')
  expect(refused).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'tandem: files was never approved on this device\n' +
      '        Review the exact definition and approve it on this device.\n' +
      '        Review and approve what it runs with tandem mcp consent files.\n',
  })
  expect((await mcp('consent', 'files', '--consent', '0'.repeat(64))).status).toBe(1)
  const agreed = await mcp('consent', 'files', '--consent', hashIn(added))
  expect([agreed.status, agreed.stdout.startsWith('files: connected, 14 tools, ')]).toEqual([0, true])

  const tool = await mcp('tools', 'files', 'write_file', '--json')
  const { tool: described, standing, withheld } = JSON.parse(tool.stdout)
  expect([described.tool, standing, withheld]).toEqual(['mcp.files.write_file', 'unapproved', false])
  expect(await mcp('approve', 'files', 'write_file', '--consent', described.fingerprint)).toMatchObject({ status: 0 })

  const path = join(here.workspace, 'note.txt')
  model.script({ call: 'mcp.files.write_file', arguments: { path, content: 'by a server' } }, { text: 'Done.' })
  expect(await here.tandem('run', '--yes', 'write')).toMatchObject({ status: 0 })
  expect(readFileSync(path, 'utf8')).toBe('by a server')

  const listed = (await mcp('list', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(listed.map(({ preview, consent_problem }) => [preview.server.server_id, consent_problem?.reason_code ?? null])).toEqual([
    ['files', null],
    ['trap', 'consent_needed'],
  ])
  expect(existsSync(started)).toBe(false)
})

test('an import is shown, accepted per server, and its secrets are not shown', async () => {
  const file = join(here.folder, 'other.json')
  const memory = join(here.workspace, 'memory.jsonl')
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: {
        memory: { command: process.execPath, args: [program('memory')], env: { MEMORY_FILE_PATH: memory, TOKEN: 'canary-of-a-secret' } },
        other: { command: 'never-run' },
        old: { type: 'sse', url: 'http://127.0.0.1:9/sse' },
        nothing: { description: 'no command' },
      },
    }),
  )
  const shown = await mcp('import', file)
  expect([shown.status, shown.stdout, hashIn(shown).length]).toEqual([3, 'Nothing was imported.\n', 64])
  expect((await mcp('--json')).stdout).toBe('')

  const taken = await mcp('import', file, '--consent', hashIn(shown))
  expect([taken.status, taken.stdout]).toEqual([1, 'Imported memory.\n'])
  expect(taken.stderr).toContain('nothing cannot be imported: it has neither a command nor a url')
  expect(taken.stderr).toContain('old would be called at:')
  expect(await mcp('test', 'memory')).toMatchObject({ status: 0, stdout: expect.stringContaining('memory: connected, 9 tools') })
  const log = await mcp('logs', 'memory')
  expect(log).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\d{4}-\S+Z stderr Knowledge Graph MCP Server running on stdio$/m),
  })
  const everything = [shown, taken, await mcp('--json'), log]
  expect(JSON.stringify(everything)).not.toContain('canary-of-a-secret')

  expect(await mcp('remove', 'memory')).toMatchObject({ status: 0 })
  expect(await mcp('list')).toMatchObject({ status: 0, stdout: expect.stringContaining('There are no MCP servers yet') })
})

test('resources and prompts are listed and used; a missing secret and an unresponsive server are explained', async () => {
  const shown = await mcp('add', 'all', '--env', 'API_KEY', '--', process.execPath, program('everything'))
  const needs = await mcp('consent', 'all', '--consent', hashIn(shown))
  expect([needs.status, needs.stderr.includes('all needs a value for API_KEY'), needs.stderr.includes('tandem mcp secret all')]).toEqual([
    1,
    true,
    true,
  ])
  expect(await here.start(['mcp', 'secret', 'all', 'env', 'API_KEY'], 'a-value\n').ended).toMatchObject({ status: 0 })
  expect(await here.start(['mcp', 'secret', 'all', 'env', 'OTHER'], 'a-value\n').ended).toMatchObject({ status: 2 })
  expect((await mcp('resources', 'all')).stdout).toContain('demo://resource/static/document/features.md')
  expect((await mcp('resources', 'all', 'demo://resource/dynamic/text/1')).stdout).toContain('Resource 1')
  expect(await mcp('prompts', 'all', 'args-prompt', 'city=Berlin')).toEqual({
    status: 0,
    stdout: "user: What's weather in Berlin?\n",
    stderr: '',
  })

  const missing = await mcp('add', 'missing', '--', 'no-such-program-anywhere')
  const failed = await mcp('consent', 'missing', '--consent', hashIn(missing))
  expect([failed.status, failed.stderr.includes('Check that the program is installed')]).toEqual([1, true])
})

test('a sign-in in the browser: the hosts are shown first; then the server connects, until the user signs out', async () => {
  const authority = await authorities()
  const shown = await mcp('add', 'club', '--url', authority.mcp_url)
  const refused = await mcp('consent', 'club', '--consent', hashIn(shown))
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('club requires a sign-in') })
  expect(refused.stderr).toContain('Sign in with tandem mcp login club.')

  const login = here.start(['mcp', 'login', 'club', '--json'])
  let printed = ''
  login.child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  await login.said('Waiting for the sign-in')
  await vi.waitFor(() => expect(printed).toContain('\n'), 60_000)
  const [line = ''] = printed.split('\n')
  const { authorization_url, hosts } = JSON.parse(line)
  expect(hosts).toEqual([new URL(authority.issuer).host])
  await fetch(await authority.approve(authorization_url))
  const ended = await login.ended
  expect([ended.status, JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')]).toMatchObject([0, { state: 'connected', tool_count: 1 }])
  expect(ended.stderr).toContain(`club asks you to sign in at ${hosts[0]}.`)
  const seen = await Promise.all([mcp('--json'), mcp('logs', 'club')])
  for (const { access_token, refresh_token } of authority.grants)
    for (const secret of [access_token, refresh_token]) expect(JSON.stringify([ended, seen])).not.toContain(secret)

  expect(await mcp('test', 'club')).toMatchObject({ status: 0 })
  expect(await mcp('logout', 'club')).toMatchObject({ status: 0, stdout: 'Signed out of club.\n' })
  expect(await mcp('test', 'club')).toMatchObject({ status: 1, stderr: expect.stringContaining('club requires a sign-in') })
  expect(authority.grants.map(({ isRevoked }) => isRevoked)).toEqual([true])
})

test('a sign-in that is interrupted in the terminal is canceled', async () => {
  const authority = await authorities()
  await mcp('consent', 'club', '--consent', hashIn(await mcp('add', 'club', '--url', authority.mcp_url)))
  const login = here.start(['mcp', 'login', 'club'])
  await login.said('Waiting for the sign-in')
  login.child.kill('SIGINT')
  expect(await login.ended).toMatchObject({ status: 130, stderr: expect.stringContaining('tandem: the sign-in to club was canceled\n') })
  expect(authority.grants).toEqual([])
})

test('a server is changed without removing it: its secrets stay, and a change of what runs needs approval', async () => {
  const shown = await mcp('add', 'all', '--env', 'API_KEY', '--host', 'a.example', '--', process.execPath, program('everything'))
  await here.start(['mcp', 'secret', 'all', 'env', 'API_KEY'], 'a-value\n').ended
  expect(await mcp('consent', 'all', '--host', 'a.example', '--consent', hashIn(shown))).toMatchObject({ status: 0 })
  expect(await mcp('update', 'all', '--name', 'Everything')).toMatchObject({ status: 0, stdout: expect.stringContaining('all: connected') })

  const asked = await mcp('update', 'all', '--', process.execPath, program('everything'), 'stdio')
  const sha256 = hashIn(asked)
  expect([asked.status, sha256 === hashIn(shown), asked.stderr.includes('can reach a.example')]).toEqual([3, false, true])
  const [, command = ''] = /Approve it with tandem mcp (.*) --consent/.exec(asked.stderr) ?? []
  expect(command).toBe(`update all -- ${process.execPath} ${program('everything')} stdio`)
  const one = async () => JSON.parse((await mcp('--json')).stdout)
  expect((await one()).preview.server).toMatchObject({ name: 'Everything', args: [program('everything')] })
  const changed = await mcp('update', 'all', '--consent', sha256, '--', process.execPath, program('everything'), 'stdio')
  expect(changed).toMatchObject({ status: 0, stdout: expect.stringContaining('all: connected') })
  expect(await one()).toMatchObject({
    preview: { server: { name: 'Everything', args: [program('everything'), 'stdio'], env_names: ['API_KEY'] } },
    network_hosts: ['a.example'],
    consent_problem: null,
  })
})

test.each([
  [['frob'], 2, 'unknown action "frob": choose one of list, add, import, folder, update, consent'],
  [['add'], 2, 'specify the server'],
  [['add', 'a b', '--', 'x'], 2, '"a b" is not a valid server name'],
  [['add', 'x', '--url', 'https://user:pass@example.org/'], 2, 'a URL cannot contain a password'],
  [['add', 'x', '--url', 'https://example.org/?key=1'], 2, 'a URL cannot contain a query'],
  [['add', 'x', '--url', 'https://example.org/', '--', 'cat'], 2, 'use either a command or --url, not both'],
  [['login'], 2, 'specify one server'],
  [['login', 'x', '--port', '80'], 2, '--port must be a number from 1024 to 65535'],
  [['login', 'nobody'], 1, 'there is no server nobody\n'],
  [['update', 'x'], 2, 'specify what to change'],
  [['update', 'nobody', '--name', 'x'], 1, 'there is no server nobody\n'],
  [['connect', 'nobody'], 1, 'there is no server nobody\n'],
  [['connect', 'nobody', '--json'], 1, 'there is no server nobody (not_found)\n'],
  [['import', '/no/such/file'], 1, '/no/such/file cannot be read: it does not exist'],
  [['secret', 'x', 'cookie', 'y'], 2, 'specify a server, a kind and a name'],
] as const)('%j is explained', async (args, status, why) => {
  const ended = await mcp(...args)
  expect([ended.status, ended.stderr.includes(why), ended.stdout]).toEqual([status, true, ''])
})
