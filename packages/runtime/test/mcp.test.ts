// The official servers in the whole loop: consent, approval of each call, results that reach the model.
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { everythingAt, freePort, officialServer } from './support/mcp/test-mcp.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { address, addServer, approve, callOutcomes, hostileServer, program, trusted } from './support/test-mcp-run.ts'

let agent: TestAgent
const children: ChildProcess[] = []
const path = process.env.PATH
afterEach(async () => {
  process.env.PATH = path
  await agent.stop()
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const calls = (...made: [string, object][]) => [
  ...made.map(([name, given]) => ({ calls: [{ name, arguments: given }] })),
  { text: 'Done.' },
]

/** The results of the model's last calls. */
const heard = () => JSON.stringify(agent.model.requests.at(-1)?.messages)

async function everythingOverHttp(): Promise<number> {
  const port = await freePort()
  children.push(await everythingAt(port))
  return port
}

test('filesystem: a call needs approval with the description of its server, runs, and its result reaches the model', async () => {
  const target = { path: 'made.txt', content: 'by a server' }
  agent = await startTestAgent((index) =>
    index === 0
      ? { calls: [{ name: 'mcp.files.write_file', arguments: { ...target, path: join(agent.workspace, 'made.txt') } }] }
      : index === 1
        ? { calls: [{ name: 'mcp.files.list_directory', arguments: { path: agent.workspace } }] }
        : { text: 'Done.' },
  )
  await addServer(agent, program('files', [officialServer('filesystem'), agent.workspace]))
  const { run_id } = await agent.ask(await agent.agent(), 'Write')
  const approval = await approve(agent, run_id)
  expect(approval).toMatchObject({ tool: 'mcp.files.write_file', choices: expect.arrayContaining(['once', 'no']) })
  expect(approval.warnings.join('\n')).toContain('was never approved on this device')
  expect(approval.warnings.join('\n')).toContain('Create a new file or completely overwrite an existing file')
  await approve(agent, run_id)
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['succeeded', 'succeeded'] })
  expect(readFileSync(join(agent.workspace, 'made.txt'), 'utf8')).toBe('by a server')
  expect(heard()).toContain('made.txt')
})

test('memory: what one run stores, the next one can read', async () => {
  agent = await startTestAgent(
    [
      ...calls(['mcp.memory.create_entities', { entities: [{ name: 'Mara', entityType: 'person', observations: ['drinks tea'] }] }]),
      ...calls(['mcp.memory.search_nodes', { query: 'Mara' }]),
    ],
    { environment: { MEMORY_FILE_PATH: '/placeholder' } },
  )
  const server = program('memory', [officialServer('memory')], ['MEMORY_FILE_PATH'])
  await addServer(agent, server)
  const file = join(agent.workspace, 'memory.jsonl')
  await agent.call('mcp_server_set_secret', { server_id: 'memory', kind: 'env', name: 'MEMORY_FILE_PATH', value: file })
  await agent.call('mcp_server_connect', { server_id: 'memory' })
  const agent_id = await agent.agent()
  for (const said of ['Remember', 'Recall']) {
    const { run_id } = await agent.ask(agent_id, said)
    await approve(agent, run_id)
    expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['succeeded'] })
  }
  expect(heard()).toContain('drinks tea')
  expect(existsSync(file)).toBe(true)
})

test.each(['stdio', 'http'] as const)(
  'everything over %s: text, image, structured content, resources, an error, progress, one run',
  async (over) => {
    const name = (tool: string) => `mcp.all.${tool}`
    agent = await startTestAgent(
      calls(
        [name('echo'), { message: 'hello' }],
        [name('get-tiny-image'), {}],
        [name('get-structured-content'), { location: 'New York' }],
        [name('get-resource-reference'), { resourceType: 'Text', resourceId: 1 }],
        [name('get-resource-links'), { count: 2 }],
        [name('get-sum'), { a: 2, b: 3 }],
        [name('trigger-long-running-operation'), { duration: 0.2, steps: 2 }],
        [name('get-resource-reference'), { resourceType: 'Text', resourceId: -1 }],
      ),
    )
    const server =
      over === 'stdio'
        ? program('all', [officialServer('everything')])
        : address('all', `http://127.0.0.1:${await everythingOverHttp()}/mcp`)
    const told: string[] = []
    agent.runtime.bus.subscribe('delta', ({ kind, text }) => void (kind === 'progress' && told.push(text)))
    await addServer(agent, server)
    const { run_id } = await agent.ask(await agent.agent(), 'Try everything')
    const asked: string[] = []
    while (callOutcomes(agent, run_id).state === 'paused') asked.push((await approve(agent, run_id)).tool)
    expect(asked.length).toBe(8)
    expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: [...Array(7).fill('succeeded'), 'tool_error'] })
    for (const words of ['Echo: hello', 'image/png', 'humidity', 'The sum of 2 and 3 is 5', 'link to resource'])
      expect(heard()).toContain(words)
    expect(told.join('\n')).toContain('1 of 2')
  },
  180_000,
)

test('a definition without consent on this device starts nothing, and offers nothing', async () => {
  agent = await startTestAgent([{ text: 'Nothing to do.' }])
  const started = join(agent.workspace, 'started')
  const added = await agent.call('mcp_server_add', {
    server: program('late', ['-e', `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`]),
    consent: null,
  })
  expect(added.server.consent_problem?.reason_code).toBe('consent_needed')
  await agent.ask(await agent.agent(), 'Hello')
  const { items } = await agent.call('mcp_server_list', {})
  expect([items.map(({ status }) => status.state), existsSync(started)]).toEqual([['created'], false])
  expect(JSON.stringify(agent.model.requests[0]?.tools)).not.toContain('mcp__late')
})

test('a run in another folder has its server there', async () => {
  agent = await startTestAgent(() =>
    agent.model.requests.length === 0
      ? { calls: [{ name: 'mcp.writer.write', arguments: { path: join(agent.folder, 'other', 'x.txt') } }] }
      : { text: 'Done.' },
  )
  const other = join(agent.folder, 'other')
  mkdirSync(other)
  const agent_id = await agent.agent()
  await trusted(agent, agent_id, program('writer', [hostileServer, 'writer']))
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: other })
  const { run } = await agent.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Write' })
  await agent.runtime.settled(run.run_id)
  expect(callOutcomes(agent, run.run_id)).toEqual({ state: 'completed', calls: ['succeeded'] })
  expect(heard()).toContain(`wrote in ${other}`)
  expect(readFileSync(join(other, 'x.txt'), 'utf8')).toBe('written')
})

test('strict: restricted if the host supports it, otherwise refused with a code', async () => {
  agent = await startTestAgent([...calls(['mcp.all.echo', { message: 'a' }]), ...calls(['mcp.all.echo', { message: 'b' }])])
  const agent_id = await agent.agent()
  await trusted(agent, agent_id, program('all', [officialServer('everything')]))
  expect(callOutcomes(agent, (await agent.ask(agent_id, 'Go', 'strict')).run_id)).toEqual({ state: 'completed', calls: ['succeeded'] })
  await agent.stop()

  agent = await startTestAgent(calls(['mcp.all.echo', { message: 'b' }]))
  const bare = join(agent.folder, 'bin')
  mkdirSync(bare)
  for (const tool of ['bash', 'sh']) symlinkSync(join('/usr/bin', tool), join(bare, tool))
  process.env.PATH = bare
  const other_id = await agent.agent()
  await trusted(agent, other_id, program('all', [officialServer('everything')]))
  const { results, state } = await agent.ask(other_id, 'Go', 'strict')
  expect([
    state,
    results.map(({ outcome, failure_contract }) => [outcome, failure_contract?.taxonomy, failure_contract?.reason_code]),
  ]).toEqual(['completed', [['denied', 'sandbox_failure', 'sandbox_unavailable']]])
})
