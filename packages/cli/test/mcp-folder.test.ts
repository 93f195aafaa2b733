// The servers of a folder in the terminal: one line until they are decided about, and `tandem mcp folder`. Also `tandem mcp sampling`.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import type { ProcessResult } from './support/test-tandem.ts'
import { inTerminal } from './support/test-terminal.ts'
import { useTerminals } from './support/test-tmux.ts'

const runtime = createRequire(new URL('../../runtime/package.json', import.meta.url))
const everything = join(runtime.resolve('@modelcontextprotocol/server-everything/package.json'), '..', 'dist', 'index.js')
const timeout = 300_000

const { model, here, environment: variables } = await useScriptedTandem()
const openTerminal = useTerminals()
const mcp = (...args: string[]) => here.command('mcp', ...args)
const started = () => join(here.folder, 'started')
const file = () => join(here.workspace, '.mcp.json')

/** Both servers leave a file behind if they are started. */
function writeServers(extra: object = {}): void {
  const mark = { command: process.execPath, args: ['-e', `require('node:fs').writeFileSync(${JSON.stringify(started())}, '')`] }
  writeFileSync(
    file(),
    JSON.stringify({ mcpServers: { first: mark, second: { ...mark, env: { TOKEN: 'canary-of-a-folder' } }, ...extra } }),
  )
}

const shaOf = async () => JSON.parse((await mcp('folder', '--revoke', '--json')).stdout).file_sha256 as string
const idsOf = async () =>
  (await mcp('--json')).stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).preview.server.server_id)

async function hello(...args: string[]): Promise<ProcessResult> {
  model.script({ text: 'Hello.' })
  return here.tandem('run', ...args, 'hello')
}

test('a run and a session print one line about undecided servers, start none, and are quiet after the decision', { timeout }, async () => {
  const quiet = { status: 0, stdout: expect.stringContaining('Hello.'), stderr: expect.not.stringContaining('.mcp.json') }
  expect(await hello()).toMatchObject(quiet)
  writeServers()
  const first = await hello()
  const line = `${file()} has 2 MCP servers, not used until you approve. Review: tandem mcp folder\n`
  expect([first.status, first.stderr.split(line).length]).toEqual([0, 2])
  const other = join(here.folder, 'other')
  mkdirSync(other)
  expect(await hello('--workspace', other)).toMatchObject(quiet)
  writeFileSync(join(other, '.mcp.json'), JSON.stringify({ mcpServers: { one: { command: 'one' } } }))
  expect((await hello('--workspace', other)).stderr).toContain(
    `has 1 MCP server, not used until you approve. Review: tandem mcp folder ${other}\n`,
  )

  const terminal = openTerminal([], { cwd: here.workspace, env: { ...variables(), TANDEM_HOME: join(here.folder, 'home') } })
  await terminal.sees('has 2 MCP servers')
  terminal.press('C-c')
  terminal.press('C-c')
  expect(existsSync(started())).toBe(false)

  // Declined: the same file is not announced again, a changed one is.
  const answered = await inTerminal(['mcp', 'folder', other], here.workspace, join(here.folder, 'home'), 'Allow it to run', 'n')
  expect([answered.status, answered.text]).toEqual([0, expect.stringContaining('You are asked again when the file changes.')])
  expect(await hello('--workspace', other)).toMatchObject(quiet)
  writeFileSync(join(other, '.mcp.json'), JSON.stringify({ mcpServers: { one: { command: 'changed' } } }))
  expect((await hello('--workspace', other)).stderr).toContain('has 1 MCP server')
})

test('an approved file is not announced, a changed one is, and its servers are not used', { timeout }, async () => {
  writeFileSync(file(), JSON.stringify({ mcpServers: { all: { command: process.execPath, args: [everything] } } }))
  const asked = await mcp('folder')
  const [, command = '', sha256 = ''] = /Approve them with tandem (mcp folder .*) --consent ([0-9a-f]{64})\n/.exec(asked.stderr) ?? []
  expect([asked.status, asked.stdout, command]).toEqual([3, '', `mcp folder ${here.workspace}`])
  const approved = await mcp('folder', '--host', 'registry.example', '--consent', sha256)
  const [id = ''] = await idsOf()
  expect(approved).toMatchObject({
    status: 0,
    stdout: `Approved for runs in ${here.workspace}, until ${file()} changes: ${id}.\n`,
    stderr: expect.stringContaining('can reach registry.example'),
  })
  expect(await mcp('folder')).toMatchObject({ status: 0, stdout: approved.stdout, stderr: '' })
  expect(JSON.parse((await mcp('--json')).stdout)).toMatchObject({ network_hosts: ['registry.example'], folder: here.workspace })
  expect((await hello()).stderr).not.toContain('.mcp.json')
  writeServers()
  expect((await hello()).stderr).toContain(`${file()} has changed: its MCP servers are not used. Review: tandem mcp folder\n`)
  expect(existsSync(started())).toBe(false)
})

test('the servers of a folder: some, none, all of them stopped, and every wrong input', { timeout }, async () => {
  expect(await mcp('folder')).toEqual({ status: 0, stdout: `There is no ${file()}.\n`, stderr: '' })
  expect(JSON.parse((await mcp('folder', '--json')).stdout)).toMatchObject({ state: 'no_file', servers: [] })
  writeServers({ broken: { type: 'stdio' } })
  const sha256 = await shaOf()
  const [, wanted = ''] = /^(first-[0-9a-f]{8}) would run/m.exec((await mcp('folder')).stderr) ?? []
  expect(wanted).not.toBe('')
  expect(await mcp('folder', '--consent', '0'.repeat(64))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`${file()} does not match the sha256 given with --consent`),
  })
  const some = await mcp('folder', '--only', wanted, '--consent', sha256, '--json')
  expect([some.status, some.stderr.includes('broken: '), some.stderr.includes('second-')]).toEqual([0, true, false])
  expect(JSON.parse(some.stdout)).toMatchObject({ state: 'approved', servers: [{ approved: true }, { approved: false }] })
  expect(JSON.stringify(some)).not.toContain('canary-of-a-folder')
  expect(await idsOf()).toEqual([wanted])
  expect(await mcp('folder', '--revoke')).toEqual({
    status: 0,
    stdout: `No server of ${file()} is used. You are asked again when the file changes.\n`,
    stderr: '',
  })
  expect(await idsOf()).toEqual([])

  const wrong = async (args: readonly string[], status: number, why: string) => {
    const ended = await mcp('folder', ...args)
    expect([args, ended.status, ended.stdout, ended.stderr.includes(why)]).toEqual([args, status, '', true])
  }
  await wrong(['one', 'two'], 2, 'specify one folder')
  await wrong(['--frob'], 2, '--frob')
  await wrong(['--only', 'nobody'], 2, `${file()} has no server nobody`)
  await wrong([join(here.folder, 'nowhere')], 2, 'nowhere')
  await wrong(['--host', 'x'.repeat(600), '--consent', sha256], 2, 'network_hosts')
  writeFileSync(file(), '{ "mcpServers": ')
  await wrong([], 2, `${file()} `)
  await wrong(['--revoke'], 2, `${file()} `)
})

test('requests to the model: a number for one server, and every wrong input', { timeout }, async () => {
  const added = await mcp('add', 'all', '--', process.execPath, everything)
  const refused = await mcp('sampling', 'all', '3')
  expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('all was never approved on this device') })
  await mcp('consent', 'all', '--consent', /sha256 ([0-9a-f]{64})/.exec(added.stderr)?.[1] ?? '')
  expect(await mcp('sampling', 'all', '3')).toEqual({ status: 0, stdout: 'all may make 3 requests to your model in a run.\n', stderr: '' })
  expect((await mcp('sampling', 'all', '1')).stdout).toBe('all may make 1 request to your model in a run.\n')
  expect(JSON.parse((await mcp('sampling', 'all', '100', '--json')).stdout)).toMatchObject({ sampling_limit: 100 })
  expect((await mcp('sampling', 'all', '0')).stdout).toBe('all may not use your model.\n')
  for (const [args, status, why] of [
    [[], 2, 'specify a server and a number'],
    [['all'], 2, 'specify a server and a number'],
    [['all', '1', '2'], 2, 'specify a server and a number'],
    [['all', '101'], 2, 'the number must be 0 to 100'],
    [['all', '-1'], 2, ''],
    [['all', '1.5'], 2, 'the number must be 0 to 100'],
    [['all', 'many'], 2, 'the number must be 0 to 100'],
    [['nobody', '1'], 1, 'there is no server nobody\n'],
  ] as const) {
    const ended = await mcp('sampling', ...args)
    expect([args, ended.status, ended.stdout, ended.stderr.includes(why)]).toEqual([args, status, '', true])
  }
})
