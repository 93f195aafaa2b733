// Servers that misbehave in every way we know. A run gets a clear result, the state table is respected, nothing is left behind.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { McpOutput } from '@tandem/contract/tool/output'
import { expect, test, vi } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { useMcpEnvironments } from '../../test/support/mcp/test-environments.ts'
import { hostileServer, type McpTestEnvironment } from '../../test/support/mcp/test-mcp.ts'
import { Waiting } from '../call/wait.ts'
import { definitionSha256 } from './definition.ts'
import { mcpLimits } from './limits.ts'
import { presentOutput } from './tool/result.ts'

const ground = useMcpEnvironments()

const words = (output: unknown) => (output as McpOutput).content.map((part) => ('text' in part ? part.text : part.type)).join('')

/** Adds an approved server and waits for the result of the first connection. */
async function firstConnect(made: McpTestEnvironment, server: ReturnType<typeof hostileServer>) {
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  return made.service.connectServer('hostile')
}

test('finds and shows poisoned descriptions, and hides them from the model until they are approved', async () => {
  const made = ground()
  await firstConnect(made, hostileServer('poison'))
  const listed = made.service.listTools('hostile')
  if (!listed.ok) throw new Error(listed.failure.message)
  expect(
    listed.value.tools.map(({ tool, withheld, suspicions }) => [tool.remote_name, withheld, suspicions.map(({ code }) => code)]),
  ).toEqual([
    ['innocent', false, []],
    ['add', true, ['false_markup', 'asks_for_secrecy', 'names_secrets']],
    ['unseen', true, ['invisible_letters']],
    ['shadow', true, ['speaks_of_other_tools']],
    ['params', true, ['overrides_instructions']],
  ])
  expect(made.service.tools().map(({ name }) => name)).toEqual(['mcp.hostile.innocent'])
  const [, add] = listed.value.tools
  expect(made.service.approveTool('mcp.hostile.add', '0'.repeat(64))).toMatchObject({
    ok: false,
    failure: { reason_code: 'stale_approval' },
  })
  expect(made.service.approveTool('mcp.hostile.add', add?.tool.fingerprint ?? '')).toMatchObject({
    ok: true,
    value: { withheld: false, standing: 'approved' },
  })
  expect(made.service.tools().map(({ name }) => name)).toEqual(['mcp.hostile.innocent', 'mcp.hostile.add'])
})

test('a tool that was never approved does not run, whatever the caller assumes', async () => {
  const made = ground()
  await firstConnect(made, hostileServer('good'))
  await expect(made.run('mcp.hostile.work')).rejects.toMatchObject({ reason_code: 'tool_not_approved', facts: { blocked_by: 'policy' } })
})

test('leaves out broken, duplicate, deep and oversized tools by name; the rest works', async () => {
  const made = ground()
  await made.add(hostileServer('broken-tools'))
  const listed = made.service.listTools('hostile')
  if (!listed.ok) throw new Error(listed.failure.message)
  expect(listed.value.tools.map(({ tool }) => tool.tool)).toEqual(['mcp.hostile.good', 'mcp.hostile.sp~20~ace~200b~'])
  expect(listed.value.problems.map(({ code, remote_name }) => [code, remote_name])).toEqual([
    ['duplicate_tool', 'good'],
    ['malformed_tool', '(without a name)'],
    ['malformed_tool', 'no-schema'],
    ['schema_too_deep', 'deep'],
    ['tool_too_large', 'large'],
  ])
  expect(words(await made.run('mcp.hostile.good'))).toBe('worked')
  const log = made.service.readLog('hostile')
  expect(log.ok && log.value.lines.filter(({ text }) => text.includes('is left out')).map(({ text }) => text)).toEqual([
    'the tool good is left out: The server offers this name twice; the first one is used',
    'the tool (without a name) is left out: Its description does not match the protocol',
    'the tool no-schema is left out: Its description does not match the protocol',
    'the tool deep is left out: Its schema is nested too deeply',
    'the tool large is left out: Its description or schema is too large',
  ])
})

test('a tool that changes after its approval needs approval again', async () => {
  const made = ground()
  await made.add(hostileServer('changing'))
  const approved = made.tool('mcp.hostile.work')
  expect(words(await made.run('mcp.hostile.work'))).toBe('worked')
  await vi.waitFor(() => expect(made.service.standing('mcp.hostile.work')?.standing).toBe('changed'), 60_000)
  const context = {
    signal: new AbortController().signal,
    progress: () => undefined,
    workspace: made.workspace,
    sandbox_mode: 'workspace',
    policy: defaultToolPolicy('mcp.hostile.work'),
  }
  await expect(approved.run({} as never, context as never)).rejects.toMatchObject({ reason_code: 'tool_changed' })
  await expect(made.run('mcp.hostile.work')).rejects.toMatchObject({ reason_code: 'tool_not_approved' })
  const standing = made.service.standing('mcp.hostile.work')
  made.service.approveTool('mcp.hostile.work', standing?.tool.fingerprint ?? '')
  expect(words(await made.run('mcp.hostile.work'))).toBe('worked')
})

test('a server that restarts as a different one is not called', async () => {
  const made = ground()
  const flag = join(made.workspace, 'swapped')
  await made.add(hostileServer('changing', flag))
  writeFileSync(flag, '')
  const pid = await pidOf(made)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(made.service.listServers()[0]?.status.state).not.toBe('connected'), 60_000)
  await expect(made.run('mcp.hostile.work')).rejects.toMatchObject({ reason_code: 'tool_changed' })
})

test('patterns and recursive schemas of a server do not run here', async () => {
  const made = ground()
  await made.add(hostileServer('regex'))
  expect(made.tool('mcp.hostile.match').input).toEqual({
    type: 'object',
    properties: { word: { type: 'string', description: 'Must match the pattern ^(a+)+$' }, loop: {} },
  })
})

test('crash, hang, cancel, progress, sampling, elicitation, huge results in one session', async () => {
  const made = ground()
  await made.add(hostileServer('good'))
  await expect(made.run('mcp.hostile.die')).rejects.toMatchObject({
    reason_code: 'server_exited',
    message: expect.stringContaining('about to die'),
    facts: { recoverability: 'retryable' },
  })
  expect(words(await made.run('mcp.hostile.work'))).toBe('worked')

  const stop = new AbortController()
  const hanging = made.run('mcp.hostile.hang', {}, { signal: stop.signal })
  setImmediate(() => stop.abort(new Error('the user said stop')))
  await expect(hanging).rejects.toThrow('the user said stop')
  await vi.waitFor(async () => expect(words(await made.run('mcp.hostile.canceled'))).toMatch(/^\[\d+\]$/), 60_000)

  const told: string[] = []
  const progress = (text: string) => {
    told.push(text)
    void made.run('mcp.hostile.work')
  }
  expect(words(await made.run('mcp.hostile.slow', {}, { progress }))).toBe('slow')
  expect(told).toEqual(['1 of 2: half\n'])

  expect(words(await made.run('mcp.hostile.ask'))).toBe(
    'MCP error -32601: sampling/createMessage is refused: the user has not allowed this server to use the model',
  )

  // A question waits for the user; here it is withdrawn.
  const asked = await made.run('mcp.hostile.elicit')
  if (!(asked instanceof Waiting)) throw new Error('the user was not asked')
  made.tool('mcp.hostile.elicit').abandoned?.(asked.wait)

  const huge = (await made.run('mcp.hostile.huge')) as McpOutput
  expect(huge.content).toEqual([
    {
      type: 'text',
      text: 'x'.repeat(32 * 1024),
      whole: { tail: 'x'.repeat(32 * 1024), bytes: 5 * 1024 * 1024, file: expect.stringContaining('spool') },
    },
  ])
  expect(presentOutput(huge)).toMatch(/^\[a text of 5242880 bytes, stored in \S*spool\S*; its beginning and end follow\]\nxxx/)

  expect(await made.run('mcp.hostile.abyss')).toEqual({
    content: [{ type: 'text', text: 'deep' }],
    structured: { text: 'It is nested too deeply to be stored.' },
  })

  await expect(made.run('mcp.hostile.frame')).rejects.toMatchObject({ reason_code: 'message_too_large' })
  expect(words(await made.run('mcp.hostile.work'))).toBe('worked')
})

test('logs broken frames and otherwise ignores them', async () => {
  const made = ground()
  await made.add(hostileServer('garbage'))
  expect(words(await made.run('mcp.hostile.work'))).toBe('worked')
  const log = made.service.readLog('hostile')
  if (!log.ok) throw new Error(log.failure.message)
  expect(log.value.lines.some(({ source, text }) => source === 'stdout' && text === 'red')).toBe(true)
})

test('a flood on stderr neither fills memory nor hides the server', async () => {
  const made = ground()
  await made.add(hostileServer('flood'))
  await vi.waitFor(() => {
    const log = made.service.readLog('hostile')
    expect(log.ok && log.value.dropped_lines).toBeGreaterThan(1_000)
  }, 60_000)
  expect(words(await made.run('mcp.hostile.work'))).toBe('worked')
  const log = made.service.readLog('hostile')
  if (!log.ok) throw new Error(log.failure.message)
  expect(log.value.lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(mcpLimits.log_bytes + mcpLimits.log_line)
})

test.each([
  ['exits', 'server_exited', 'I can not find my configuration'],
  ['refuses', 'rejected', 'go away'],
  ['old', 'handshake_failed', '1999-01-01'],
])('a server that %s at its start fails by name', async (behaviour, reason_code, said) => {
  const made = ground()
  const connected = await firstConnect(made, hostileServer(behaviour))
  expect(connected).toMatchObject({ ok: false, failure: { reason_code } })
  expect(JSON.stringify(connected)).toContain(said)
  const status = made.service.listServers()[0]?.status
  expect([status?.state, status?.failure_contract?.reason_code]).toEqual(['failed', reason_code])
})

test('a missing program fails by name and is not retried forever', async () => {
  const made = ground()
  const connected = await firstConnect(made, hostileServer('good', '', { command: 'no-such-program-anywhere' }))
  expect(connected).toMatchObject({ ok: false, failure: { reason_code: 'start_failed', recoverability: 'user_action' } })
  expect(made.service.listServers()[0]?.status.next_reconnect_at).toBeNull()
})

test('a server that exceeds its start limit, here by asking for a password, is ended, retried and reported', async () => {
  const clock = testClock()
  const made = ground({ clock })
  const asks = 'printf "Password: "; echo "no terminal" >&2; exec sleep 600'
  const connecting = firstConnect(made, hostileServer('', '', { command: 'sh', args: ['-c', asks] }))
  await vi.waitFor(() => expect(JSON.stringify(made.service.readLog('hostile'))).toContain('no terminal'), 60_000)
  clock.advance(mcpLimits.start_ms)
  expect(await connecting).toMatchObject({
    ok: false,
    failure: { reason_code: 'start_timed_out', facts: [{ name: 'log', value: 'no terminal\nPassword: ' }] },
  })
  const status = made.service.listServers()[0]?.status
  expect([status?.state, status?.reconnect_attempts]).toEqual(['failed', 1])
  expect(status?.next_reconnect_at).toBe(new Date(clock.now() + 1_500).toISOString())
})

test('a disconnect during the start ends it immediately', async () => {
  const made = ground()
  const connecting = firstConnect(
    made,
    hostileServer('', '', { command: 'sh', args: ['-c', 'echo starting >&2; exec sleep 600', made.workspace] }),
  )
  await vi.waitFor(() => expect(JSON.stringify(made.service.readLog('hostile'))).toContain('starting'), 60_000)
  expect(await made.service.disconnectServer('hostile')).toMatchObject({
    ok: true,
    value: { state: 'disconnected', next_reconnect_at: null },
  })
  expect(await connecting).toMatchObject({ ok: false, failure: { reason_code: 'disconnected' } })
  expect(made.changes.map(({ data }) => data.to_state)).toEqual(['testing', 'disconnected'])
  await expect(pidOf(made)).rejects.toThrow('the server is not running')
})

test('a disconnect while the server reads its roots and hangs ends it immediately', async () => {
  // Time does not advance: only the disconnect ends the wait.
  const made = ground({ clock: testClock() })
  const connecting = firstConnect(made, hostileServer('rooted-hangs'))
  await vi.waitFor(() => expect(JSON.stringify(made.service.readLog('hostile'))).toContain('asked whether it lives'), 60_000)
  expect(await made.service.disconnectServer('hostile')).toMatchObject({ ok: true, value: { state: 'disconnected' } })
  expect(await connecting).toMatchObject({ ok: false, failure: { reason_code: 'disconnected' } })
})

test('a server that dies while it reads its roots does not count as connected', async () => {
  const made = ground()
  const server = hostileServer('rooted-dies', '', { auto_reconnect: false })
  expect(await firstConnect(made, server)).toMatchObject({ ok: false, failure: { reason_code: 'server_exited' } })
  expect(await made.service.testServer('hostile')).toMatchObject({ ok: false, failure: { reason_code: 'server_exited' } })
  expect(made.changes.map(({ data }) => data.to_state)).not.toContain('connected')
})

test('a connect request after a disconnect wins', async () => {
  const made = ground()
  const server = hostileServer('good')
  await made.service.addServer(server, { definition_sha256: definitionSha256(server), network_hosts: [] })
  const results = await Promise.all([
    made.service.connectServer('hostile'),
    made.service.disconnectServer('hostile'),
    made.service.connectServer('hostile'),
    made.service.testServer('hostile'),
  ])
  expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true])
  expect(made.service.listServers()[0]?.status.state).toBe('connected')
})

test('an unresponsive server degrades, is given up, and recovers automatically', async () => {
  const clock = testClock()
  const made = ground({ clock })
  const flag = join(made.workspace, 'deaf')
  await made.add(hostileServer('deaf', flag))
  const states = () => made.changes.filter(({ data }) => data.from_state !== data.to_state).map(({ data }) => data.to_state)
  writeFileSync(flag, '')
  const pid = await pidOf(made)
  for (let beat = 0; beat < 40 && states().at(-1) !== 'disconnected'; beat += 1) {
    clock.advance(mcpLimits.ping_ms)
    await new Promise(setImmediate)
  }
  expect(states()).toEqual(['testing', 'connected', 'degraded', 'disconnected'])
  expect(made.changes.at(-1)?.failure_contract?.reason_code).toBe('server_hung')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 60_000)
  clock.advance(mcpLimits.reconnect_longest_ms)
  await vi.waitFor(() => expect(states()).toEqual(['testing', 'connected', 'degraded', 'disconnected', 'testing', 'connected']), 60_000)
})

test('a server that does not respond during a call may continue; the limit of the call applies', async () => {
  const clock = testClock()
  const made = ground({ clock })
  const flag = join(made.workspace, 'deaf')
  await made.add(hostileServer('deaf', flag))
  writeFileSync(flag, '')
  const stop = new AbortController()
  const working = made.run('mcp.hostile.hang', {}, { signal: stop.signal })
  const beats = async (until: string) => {
    for (let beat = 0; beat < 40 && made.service.listServers()[0]?.status.state !== until; beat += 1) {
      clock.advance(mcpLimits.ping_ms)
      await new Promise(setImmediate)
    }
    return made.service.listServers()[0]?.status.state
  }
  expect(await beats('disconnected')).toBe('degraded')
  stop.abort(new Error('its time is over'))
  await expect(working).rejects.toThrow('its time is over')
  expect(await beats('disconnected')).toBe('disconnected')
})

test('reports structured content that does not match its schema', async () => {
  const made = ground()
  await made.add(hostileServer('liar'))
  expect(await made.run('mcp.hostile.lie')).toEqual({
    content: [{ type: 'text', text: 'lied' }],
    structured: { count: 'many' },
    structured_fault: 'it does not match the output schema of the tool',
  })
})

test('connecting and disconnecting leaves nothing behind', async () => {
  const made = ground()
  await made.add(hostileServer('good', made.workspace))
  const before = handles()
  for (let round = 0; round < 5; round += 1) {
    await made.service.disconnectServer('hostile')
    await made.service.connectServer('hostile')
    await expect(made.run('mcp.hostile.die')).rejects.toMatchObject({ reason_code: 'server_exited' })
    expect(words(await made.run('mcp.hostile.work'))).toBe('worked')
  }
  await vi.waitFor(() => expect(handles()).toEqual(before), 60_000)
  await made.service.disconnectServer('hostile')
  await expect(pidOf(made)).rejects.toThrow('the server is not running')
})

test('endless pages end', async () => {
  const made = ground()
  await made.add(hostileServer('endless-pages'))
  const listed = made.service.listTools('hostile')
  expect(listed.ok && listed.value.tools.length).toBe(12)
})

test('environment: only what was named; secrets are redacted in the log', async () => {
  const made = ground({ environment: { SEEN: 'a-value-of-the-device', UNSEEN: 'never' } })
  const server = hostileServer('good', '', { env_names: ['SEEN', 'API_KEY'] })
  const connected = await firstConnect(made, server)
  expect(connected).toMatchObject({ ok: false, failure: { reason_code: 'missing_secret', subject: 'API_KEY' } })
  expect(await made.service.setSecret('hostile', 'env', 'OTHER', 'x')).toMatchObject({ ok: false })
  await made.service.setSecret('hostile', 'env', 'API_KEY', 'a-secret-value')
  expect(await made.service.connectServer('hostile')).toMatchObject({ ok: true })
  for (const { tool } of made.service.listTools('hostile').ok ? toolsOf(made) : []) made.service.approveTool(tool.tool, tool.fingerprint)
  const env = JSON.parse(words(await made.run('mcp.hostile.env')))
  expect([env.SEEN, env.API_KEY, env.UNSEEN]).toEqual(['a-value-of-the-device', 'a-secret-value', undefined])
  expect(JSON.stringify([made.service.listServers(), made.changes, made.outbox()])).not.toContain('a-secret-value')
})

/** What keeps the process busy, counted by kind. */
function handles(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo())
    if (kind !== 'Timeout' && kind !== 'Immediate') counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function toolsOf(made: McpTestEnvironment) {
  const listed = made.service.listTools('hostile')
  return listed.ok ? listed.value.tools : []
}

async function pidOf(made: McpTestEnvironment): Promise<number> {
  const { readFileSync } = await import('node:fs')
  const told = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // It ended meanwhile.
      return ''
    }
  }
  const below = (pid: number): number[] =>
    told(`/proc/${pid}/task/${pid}/children`)
      .split(' ')
      .filter(Boolean)
      .map(Number)
      .flatMap((child) => [child, ...below(child)])
  const found = below(process.pid).find((pid) => told(`/proc/${pid}/cmdline`).includes(made.workspace))
  if (found === undefined) throw new Error('the server is not running')
  return found
}
