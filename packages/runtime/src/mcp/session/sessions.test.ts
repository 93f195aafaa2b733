// Runs that work in other folders than the runtime's own: each has its own session of the server, and cannot access other folders.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { McpOutput } from '@tandem/contract/tool/output'
import { expect, test, vi } from 'vitest'
import { useMcpEnvironments } from '../../../test/support/mcp/test-environments.ts'
import { hostileServer, type McpTestEnvironment, officialServer, stdioServer } from '../../../test/support/mcp/test-mcp.ts'
import { systemClock } from '../../clock/clock.ts'
import { mcpLimits } from '../limits.ts'

const grounds = useMcpEnvironments()

function ground(options: Parameters<typeof grounds>[0] = {}): McpTestEnvironment & { readonly other: string } {
  const made = grounds(options)
  const other = join(dirname(made.workspace), 'other')
  mkdirSync(other)
  return { ...made, other }
}

const words = (output: unknown) => (output as McpOutput).content.map((part) => ('text' in part ? part.text : part.type)).join('')

test('the official filesystem server gets, and works in, the folder of each run', async () => {
  const made = ground({ sandbox_mode: 'workspace' })
  await made.add(stdioServer('files', [officialServer('filesystem')]))
  for (const workspace of [made.workspace, made.other]) {
    const path = join(workspace, 'new.txt')
    // Immediately: a server that has not read its roots yet would refuse it.
    await made.run('mcp.files.write_file', { path, content: `in ${workspace}` }, { workspace })
    expect(readFileSync(path, 'utf8')).toBe(`in ${workspace}`)
    expect(words(await made.run('mcp.files.list_allowed_directories', {}, { workspace }))).toBe(`Allowed directories:\n${workspace}`)
  }
  expect(made.changes.map(({ data }) => data.to_state)).toEqual(['testing', 'connected', 'connected'])
})

test('a server that takes a moment to read its roots is not called before', async () => {
  const made = ground()
  await made.add(hostileServer('rooted', made.other))
  expect(words(await made.run('mcp.hostile.where'))).toBe([made.workspace, made.other].map((path) => pathToFileURL(path).href).join(' '))
  const elsewhere = await made.run('mcp.hostile.where', {}, { workspace: made.other })
  expect(words(elsewhere)).toBe(pathToFileURL(made.other).href)
})

test('folders in its command are also roots, and the sandbox still restricts it', async () => {
  const made = ground({ sandbox_mode: 'workspace' })
  const notes = join(made.other, 'notes')
  mkdirSync(notes)
  writeFileSync(join(notes, 'a.txt'), 'read me')
  await made.add(stdioServer('files', [officialServer('filesystem'), notes]))
  const run = (tool: string, input: object) => made.run(`mcp.files.${tool}`, input)
  expect(words(await run('read_text_file', { path: join(notes, 'a.txt') }))).toBe('read me')
  await run('write_file', { path: join(made.workspace, 'b.txt'), content: 'mine' })
  await expect(run('write_file', { path: join(notes, 'b.txt'), content: 'no' })).rejects.toMatchObject({
    message: expect.stringContaining('EROFS'),
  })
  await expect(run('read_text_file', { path: join(made.other, 'c.txt') })).rejects.toMatchObject({ reason_code: 'tool_error' })
})

test('the sandbox restricts each session to its own folder', async () => {
  const made = ground({ sandbox_mode: 'workspace' })
  await made.add(hostileServer('writer'))
  const write = async (path: string, workspace: string) => words(await made.run('mcp.hostile.write', { path }, { workspace }))
  expect(await write(join(made.workspace, 'a'), made.workspace)).toBe(`wrote in ${made.workspace}`)
  expect(await write(join(made.other, 'b'), made.workspace)).toBe('EROFS')
  expect(await write(join(made.other, 'c'), made.other)).toBe(`wrote in ${made.other}`)
  expect(await write(join(made.workspace, 'd'), made.other)).toBe('EROFS')
})

test('a strict run has a separate session, which cannot even see other folders', async () => {
  const made = ground({ sandbox_mode: 'workspace' })
  await made.add(hostileServer('writer'))
  const write = async (path: string, sandbox_mode: 'workspace' | 'strict') =>
    words(await made.run('mcp.hostile.write', { path }, { workspace: made.workspace, sandbox_mode }))
  expect(await write(join(made.other, 'x'), 'workspace')).toBe('EROFS')
  expect(await write(join(made.other, 'x'), 'strict')).toBe('ENOENT')
  expect(await write(join(made.workspace, 'x'), 'strict')).toBe(`wrote in ${made.workspace}`)
})

test('a server that is different elsewhere is not called there', async () => {
  const made = ground()
  await made.add(hostileServer('writer'))
  writeFileSync(join(made.other, 'other-tools'), '')
  await expect(made.run('mcp.hostile.write', { path: 'x' }, { workspace: made.other })).rejects.toMatchObject({
    reason_code: 'tool_changed',
  })
})

test('disconnecting, revoking or removing a server ends it everywhere', async () => {
  const made = ground()
  await made.add(hostileServer('writer'))
  const pid = async () => Number(words(await made.run('mcp.hostile.pid', {}, { workspace: made.other })))
  const gone = (one: number) => vi.waitFor(() => expect(() => process.kill(one, 0)).toThrow('ESRCH'), 60_000)
  const first = await pid()
  expect(await pid()).toBe(first)
  await made.service.disconnectServer('hostile')
  await gone(first)
  await expect(pid()).rejects.toMatchObject({ reason_code: 'disconnected' })
  await made.service.connectServer('hostile')
  const second = await pid()
  expect(second).not.toBe(first)
  await made.service.revokeServer('hostile')
  await gone(second)
})

test('an unused session ends, and the next call opens another', async () => {
  const idle: (() => void)[] = []
  const clock = {
    ...systemClock,
    after(ms: number, call: () => void) {
      if (ms !== mcpLimits.idle_ms) return systemClock.after(ms, call)
      idle.push(call)
      return () => void idle.splice(idle.indexOf(call), 1)
    },
  }
  const made = ground({ clock })
  await made.add(hostileServer('writer'))
  const pid = async () => Number(words(await made.run('mcp.hostile.pid', {}, { workspace: made.other })))
  const first = await pid()
  await pid()
  expect(idle.length).toBe(1)
  idle[0]?.()
  await vi.waitFor(() => expect(() => process.kill(first, 0)).toThrow('ESRCH'), 60_000)
  expect(await pid()).not.toBe(first)
  // Sessions that open and close with calls are not reported to the runs there.
  expect(made.told.filter(([workspace]) => workspace === made.other)).toEqual([])
})

test('a server killed with -9 elsewhere: a clear result, and the next call works', async () => {
  const made = ground()
  await made.add(hostileServer('good'))
  const run = (tool: string) => made.run(`mcp.hostile.${tool}`, {}, { workspace: made.other })
  await expect(run('die')).rejects.toMatchObject({ reason_code: 'server_exited', message: expect.stringContaining('about to die') })
  expect(words(await run('work'))).toBe('worked')
  expect(made.service.listServers()[0]?.status.state).toBe('connected')
  expect(made.told.filter(([workspace]) => workspace === made.other).map(([, state]) => state)).toEqual([
    'disconnected',
    'testing',
    'connected',
  ])
})
