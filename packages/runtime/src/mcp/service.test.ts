import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { McpOutput } from '@tandem/contract/tool/output'
import { expect, test, vi } from 'vitest'
import { useMcpEnvironments } from '../../test/support/mcp/test-environments.ts'
import { officialServer, stdioServer } from '../../test/support/mcp/test-mcp.ts'

const ground = useMcpEnvironments()

const everything = stdioServer('everything', [officialServer('everything')])

test('the official everything server: tools, texts, images, resources, structured content, errors', async () => {
  const { add, run, service, changes, outbox } = ground()
  await add(everything)
  expect(changes.map(({ data }) => `${data.from_state} ${data.to_state}`)).toEqual([
    'created testing',
    'testing connected',
    'connected connected',
  ])
  expect(outbox()).toEqual([{ entity_type: 'mcp_servers', entity_id: 'everything', op: 'upsert' }])
  const [server] = service.listServers()
  expect(server?.status).toMatchObject({
    state: 'connected',
    missed_pings: 0,
    reconnect_attempts: 0,
    server_name: 'Everything Reference Server',
  })
  expect(server?.consent_problem).toBeNull()

  expect(await run('mcp.everything.echo', { message: 'hello' })).toEqual({ content: [{ type: 'text', text: 'Echo: hello' }] })
  expect(await run('mcp.everything.get-sum', { a: 2, b: 3 })).toEqual({ content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] })

  const image = (await run('mcp.everything.get-tiny-image')) as McpOutput
  const part = image.content.find(({ type }) => type === 'image')
  if (part?.type !== 'image') throw new Error('no image came')
  const bytes = readFileSync(part.file)
  expect(part).toEqual({
    type: 'image',
    media_type: 'image/png',
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    file: part.file,
  })
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')

  const structured = (await run('mcp.everything.get-structured-content', { location: 'New York' })) as McpOutput
  expect(structured.structured).toEqual({ temperature: 33, conditions: 'Cloudy', humidity: 82 })

  const reference = (await run('mcp.everything.get-resource-reference', { resourceType: 'Text', resourceId: 1 })) as McpOutput
  expect(reference.content.some(({ type }) => type === 'resource')).toBe(true)
  const links = (await run('mcp.everything.get-resource-links', { count: 2 })) as McpOutput
  expect(links.content.filter(({ type }) => type === 'resource_link').length).toBe(2)

  await expect(run('mcp.everything.get-sum', { a: 'two' })).rejects.toMatchObject({
    reason_code: 'tool_error',
    facts: { subject: 'mcp.everything.get-sum' },
  })
})

test('reports progress while a tool runs, and the roots are the workspace', async () => {
  const { add, run, workspace } = ground()
  await add(everything)
  const told: string[] = []
  await run('mcp.everything.trigger-long-running-operation', { duration: 0.3, steps: 3 }, { progress: (text) => told.push(text) })
  expect(told[0]).toBe('1 of 3\n')
  await vi.waitFor(async () => {
    const roots = (await run('mcp.everything.get-roots-list').catch(() => ({ content: [] }))) as McpOutput
    expect(JSON.stringify(roots)).toContain(workspace)
  }, 60_000)
})

test('lists and uses resources and prompts', async () => {
  const { add, service } = ground()
  await add(everything)
  const { signal } = new AbortController()
  const resources = await service.listResources('everything')
  if (!resources.ok) throw new Error(resources.failure.message)
  const [first] = resources.value.resources as { uri: string }[]
  expect(resources.value.templates.length).toBeGreaterThan(0)
  const read = await service.readResource('everything', first?.uri ?? '', signal)
  expect(read.ok && (read.value.contents as unknown[]).length).toBe(1)
  const prompts = await service.listPrompts('everything')
  expect(prompts.ok && (prompts.value as { name: string }[]).map(({ name }) => name)).toContain('simple-prompt')
  const prompt = await service.getPrompt('everything', 'simple-prompt', {}, signal)
  expect(prompt.ok && (prompt.value.messages as unknown[]).length).toBe(1)
  const none = await service.readResource('everything', 'nothing://here', signal)
  expect(none.ok).toBe(false)
})

test('the official filesystem server works in the workspace, in the sandbox of the operating system', async () => {
  const { add, run, workspace } = ground({ sandbox_mode: 'workspace' })
  writeFileSync(join(workspace, 'note.txt'), 'kept here')
  await add(stdioServer('files', [officialServer('filesystem'), workspace]))
  const read = (await run('mcp.files.read_text_file', { path: join(workspace, 'note.txt') })) as McpOutput
  expect(read.content).toEqual([{ type: 'text', text: 'kept here' }])
  await run('mcp.files.write_file', { path: join(workspace, 'new.txt'), content: 'written' })
  expect(readFileSync(join(workspace, 'new.txt'), 'utf8')).toBe('written')
  await expect(run('mcp.files.read_text_file', { path: '/etc/passwd' })).rejects.toMatchObject({ reason_code: 'tool_error' })
})

test('a server killed with -9: the call gets a clear result, the next one works automatically', async () => {
  const { add, run, service, changes } = ground()
  await add(everything)
  const pids = childrenOf(process.pid, 'server-everything')
  expect(pids.length).toBeGreaterThan(0)
  const long = run(
    'mcp.everything.trigger-long-running-operation',
    { duration: 30, steps: 30 },
    {
      progress: () => {
        for (const pid of pids) process.kill(pid, 'SIGKILL')
      },
    },
  )
  await expect(long).rejects.toMatchObject({
    reason_code: 'server_exited',
    message: expect.stringContaining('everything exited: signal SIGKILL'),
  })
  expect(await run('mcp.everything.echo', { message: 'again' })).toEqual({ content: [{ type: 'text', text: 'Echo: again' }] })
  expect(service.listServers()[0]?.status.state).toBe('connected')
  expect(changes.map(({ data }) => data.to_state)).toEqual(['testing', 'connected', 'connected', 'disconnected', 'testing', 'connected'])
})

test('a manual disconnect persists, a test changes nothing, and nothing is left running', async () => {
  const { add, run, service } = ground()
  await add(everything)
  expect(await service.disconnectServer('everything')).toMatchObject({
    ok: true,
    value: { state: 'disconnected', next_reconnect_at: null },
  })
  expect(childrenOf(process.pid, 'server-everything')).toEqual([])
  await expect(run('mcp.everything.echo', { message: 'x' })).rejects.toMatchObject({
    reason_code: 'disconnected',
    facts: { remedy: 'Connect the server again.' },
  })
  expect(await service.testServer('everything')).toMatchObject({ ok: true, value: { state: 'connected' } })
  expect(service.listServers()[0]?.status.state).toBe('disconnected')
  expect(childrenOf(process.pid, 'server-everything')).toEqual([])
  expect(await service.connectServer('everything')).toMatchObject({ ok: true, value: { state: 'connected' } })
})

/** Child processes of `pid` whose command contains `what`. */
function childrenOf(pid: number, what: string): number[] {
  const found: number[] = []
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)) {
    try {
      if (readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(what)) found.push(child)
      found.push(...childrenOf(child, what))
    } catch {
      // It ended meanwhile.
    }
  }
  return found
}
