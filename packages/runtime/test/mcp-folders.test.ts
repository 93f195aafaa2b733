// Servers for certain agents, servers of a folder, and which of their tools are used.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { addServer, approve, callOutcomes, hostileServer, program } from './support/test-mcp-run.ts'

const script = fileURLToPath(new URL('./support/mcp/test-large-server.ts', import.meta.url))

let agent: TestAgent
afterEach(() => agent.stop())

const listed = (at: number) => (agent.model.requests[at]?.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name)
const ofServers = (at: number) => listed(at).filter((name) => name.startsWith('mcp__'))
const heard = (at: number) => JSON.stringify(agent.model.requests[at]?.messages)

async function ask(agent_id: string, workspace: string) {
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace })
  const { run } = await agent.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Go' })
  await agent.runtime.settled(run.run_id)
  return run.run_id
}

test('a server of certain agents is neither offered to others nor called by them', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'mcp.git.create_git_record', arguments: { record_id: '1' } }] },
    { text: 'Done.' },
    { calls: [{ name: 'mcp.git.create_git_record', arguments: { record_id: '1' } }] },
    { text: 'Done.' },
  ])
  const [mine, other] = [await agent.agent(), (await agent.call('agent_create', { name: 'Other' })).agent.agent_id]
  await addServer(agent, { ...program('git', [script, 'git', '3']), agent_ids: [mine] })
  const refused = await ask(other, agent.workspace)
  expect(callOutcomes(agent, refused)).toEqual({ state: 'completed', calls: ['not_assigned'] })
  expect([ofServers(0), heard(1).includes('tandem mcp update git --agent NAME')]).toEqual([[], true])
  const allowed = await ask(mine, agent.workspace)
  await approve(agent, allowed)
  expect(callOutcomes(agent, allowed)).toEqual({ state: 'completed', calls: ['succeeded'] })
  // Changing who uses it needs no new approval of what it runs.
  const { items } = await agent.call('mcp_server_list', {})
  const server = items[0]?.preview.server
  if (!server) throw new Error('there is no server')
  const { agent_ids: _ids, ...everyone } = server
  const updated = await agent.call('mcp_server_update', { server: everyone, consent: null })
  expect(updated.server.consent_problem).toBe(null)
  expect(items[0]?.tool_tokens).toBeGreaterThan(300)
})

test('only included tools are used, excluded ones are not, and calls have the time limit of the server', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'mcp.git.list_git_record', arguments: { record_id: '1' } }] },
    { calls: [{ name: 'mcp.slow.freeze', arguments: {} }] },
    { text: 'Done.' },
  ])
  const agent_id = await agent.agent()
  const use = { include_tools: ['create_git_record', 'get_git_record'], exclude_tools: ['get_git_record'] }
  await addServer(agent, { ...program('git', [script, 'git', '5']), ...use })
  await addServer(agent, { ...program('slow', [hostileServer, 'writer']), timeout_seconds: 1 })
  const { items } = await agent.call('mcp_tool_list', { server_id: 'git' })
  expect(items.map(({ tool, left_out }) => [tool.remote_name, left_out])).toEqual([
    ['create_git_record', false],
    ['list_git_record', true],
    ['get_git_record', true],
    ['update_git_record', true],
    ['delete_git_record', true],
  ])
  const run_id = await ask(agent_id, agent.workspace)
  expect(ofServers(0).filter((name) => name.includes('git'))).toEqual(['mcp__git__create_git_record'])
  await approve(agent, run_id)
  expect(callOutcomes(agent, run_id).calls).toEqual(['unknown_tool', 'time_limit_exceeded'])
})

/** Writes the `.mcp.json` of the workspace; its server leaves a file behind when it starts. */
function folderWith(extra: object = {}) {
  const started = join(agent.workspace, 'started')
  const start = `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`
  const command = { command: process.execPath, args: ['-e', start], env: { TOKEN: 'folder-canary' } }
  const git = { command: process.execPath, args: [script, 'git', '2'] }
  writeFileSync(join(agent.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { git, marker: command, ...extra } }))
  return started
}

async function consent(...names: string[]) {
  const { folder } = await agent.call('mcp_folder_get', { workspace: agent.workspace })
  const chosen = folder.servers.filter(({ preview }) => names.includes(preview.server.name))
  return agent.call('mcp_folder_consent', {
    workspace: agent.workspace,
    file_sha256: folder.file_sha256 ?? '',
    consents: chosen.map(({ preview: { server, definition_sha256 } }) => ({
      server_id: server.server_id,
      definition_sha256,
      network_hosts: [],
    })),
  })
}

test('the servers of a folder start only with consent, work only there, and a changed file asks again', async () => {
  agent = await startTestAgent((index) =>
    index === 2 ? { calls: [{ name: `mcp.${id}.create_git_record`, arguments: { record_id: '1' } }] } : { text: 'Done.' },
  )
  let id = ''
  const agent_id = await agent.agent()
  const started = folderWith()
  await ask(agent_id, agent.workspace)
  const { folder } = await agent.call('mcp_folder_get', { workspace: agent.workspace })
  expect([folder.state, folder.servers.map(({ approved }) => approved), existsSync(started), ofServers(0)]).toEqual([
    'new',
    [false, false],
    false,
    [],
  ])
  const marker = folder.servers.find(({ preview }) => preview.server.name === 'marker')?.preview
  expect([marker?.secret_names, JSON.stringify(folder).includes('folder-canary')]).toEqual([['TOKEN'], false])

  const approved = await consent('git')
  expect([approved.folder.state, approved.folder.servers.map(({ preview, approved: yes }) => [preview.server.name, yes])]).toEqual([
    'approved',
    [
      ['git', true],
      ['marker', false],
    ],
  ])
  id = approved.folder.servers[0]?.preview.server.server_id ?? ''
  expect(id).toMatch(/^git-[0-9a-f]{8}$/)
  await agent.call('mcp_server_connect', { server_id: id })
  // It is stored on this device only.
  expect(JSON.stringify(agent.runtime.events.list({ after: 0, limit: -1 }))).not.toContain('folder-canary')
  await agent.restart()
  await ask(agent_id, agent.workspace)
  expect(ofServers(1)).toEqual([`mcp__${id}__create_git_record`, `mcp__${id}__list_git_record`])
  const other = join(agent.folder, 'other')
  mkdirSync(other)
  const elsewhere = await ask(agent_id, other)
  expect([ofServers(2), callOutcomes(agent, elsewhere).calls]).toEqual([[], ['other_folder']])
  expect(existsSync(started)).toBe(false)

  folderWith({ more: { command: 'more' } })
  const before = agent.model.requests.length
  await ask(agent_id, agent.workspace)
  expect(ofServers(before)).toEqual([])
  const changed = await agent.call('mcp_folder_get', { workspace: agent.workspace })
  expect([changed.folder.state, changed.folder.servers.map(({ approved: yes }) => yes)]).toEqual(['changed', [false, false, false]])
  const { items } = await agent.call('mcp_server_list', {})
  expect(items.map(({ consent_problem, folder: place }) => [consent_problem?.reason_code, place])).toEqual([
    ['definition_changed', agent.workspace],
  ])
  await agent.call('mcp_server_disconnect', { server_id: id })
  expect(await agent.runtime.commands.call('mcp_server_connect', { server_id: id })).toMatchObject({
    ok: false,
    error: { code: 'consent_needed' },
  })
})

test('an approval of another file, an unknown server, a link and nonsense are refused', async () => {
  agent = await startTestAgent([])
  folderWith()
  const { folder } = await agent.call('mcp_folder_get', { workspace: agent.workspace })
  const [first] = folder.servers
  if (!first) throw new Error('there is no server')
  const given = { server_id: first.preview.server.server_id, definition_sha256: first.preview.definition_sha256, network_hosts: [] }
  const asked = (file_sha256: string, consents: (typeof given)[]) =>
    agent.runtime.commands.call('mcp_folder_consent', { workspace: agent.workspace, file_sha256, consents })
  expect(await asked('0'.repeat(64), [given])).toMatchObject({ ok: false, error: { code: 'version_conflict' } })
  expect(await asked(folder.file_sha256 ?? '', [{ ...given, server_id: 'strange' }])).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  })
  expect(await asked(folder.file_sha256 ?? '', [{ ...given, definition_sha256: '0'.repeat(64) }])).toMatchObject({
    ok: false,
    error: { code: 'version_conflict' },
  })
  expect((await agent.call('mcp_server_list', {})).items).toEqual([])
  const linked = join(agent.folder, 'linked')
  mkdirSync(linked)
  symlinkSync(join(agent.workspace, '.mcp.json'), join(linked, '.mcp.json'))
  expect(await agent.runtime.commands.call('mcp_folder_get', { workspace: linked })).toMatchObject({
    ok: false,
    error: { code: 'invalid_params', message: expect.stringContaining('is a link, which is not followed') },
  })
  const empty = join(agent.folder, 'empty')
  mkdirSync(empty)
  expect((await agent.call('mcp_folder_get', { workspace: empty })).folder.state).toBe('no_file')
  writeFileSync(join(empty, '.mcp.json'), 'nonsense')
  expect(await agent.runtime.commands.call('mcp_folder_get', { workspace: empty })).toMatchObject({ ok: false })
})

test('a declined file is a decision until it changes, and ends what was approved before', async () => {
  agent = await startTestAgent([])
  folderWith()
  const stateOf = async () => (await agent.call('mcp_folder_get', { workspace: agent.workspace })).folder.state
  expect([await stateOf(), (await consent()).folder.state]).toEqual(['new', 'declined'])
  await agent.restart()
  expect(await stateOf()).toBe('declined')
  folderWith({ more: { command: 'more' } })
  expect([await stateOf(), (await consent('git')).folder.state]).toEqual(['new', 'approved'])
  folderWith()
  expect([await stateOf(), (await consent()).folder.state, (await agent.call('mcp_server_list', {})).items]).toEqual([
    'changed',
    'declined',
    [],
  ])
})

test('a revoked folder keeps nothing, and a server that works is not replaced by an update', async () => {
  agent = await startTestAgent([])
  folderWith()
  const { folder } = await consent('git')
  const server = folder.servers[0]?.preview.server
  if (!server) throw new Error('there is no server')
  expect(await agent.runtime.commands.call('mcp_server_update', { server, consent: null })).toMatchObject({
    ok: false,
    error: { code: 'invalid_params' },
  })
  const revoked = await agent.call('mcp_folder_revoke', { workspace: agent.workspace })
  // The user has decided about this file: nothing announces it again.
  expect([revoked.folder.state, (await agent.call('mcp_server_list', {})).items]).toEqual(['declined', []])
})

test('a member in a copy of the folder uses its servers in the copy, until the file of the copy changes', async () => {
  const ids = new Map<string, string>()
  const tool = (name: string, remote: string, args: object): ScriptedTurn => ({
    calls: [{ name: `mcp.${ids.get(name)}.${remote}`, arguments: args }],
  })
  /** What a command of the member could do. */
  const changeCopy = (content: string) => {
    const run = agent.runtime.journal.runs({ limit: -1 }).find(({ workspace }) => workspace !== agent.workspace)
    if (!run) throw new Error('the member has no copy')
    writeFileSync(join(run.workspace, '.mcp.json'), content)
  }
  const member = [
    () => tool('writer', 'write', { path: 'by-server.txt' }),
    () => tool('rooted', 'where', {}),
    () => {
      changeCopy('{ "mcpServers": { "evil": { "command": "evil" } } }')
      return tool('writer', 'write', { path: 'after.txt' })
    },
    (original: string) => {
      changeCopy(original)
      return tool('writer', 'write', { path: 'again.txt' })
    },
  ]
  let file = ''
  agent = await startTestAgent((_, { messages }) => {
    const said = messages.map(({ role, content }) => [role, String(content)] as const)
    const results = said.filter(([role]) => role === 'tool').length
    const [, first = ''] = said.find(([role]) => role === 'user') ?? []
    if (first.startsWith('Work there')) return member[results]?.(file) ?? { text: 'Done.' }
    return results === 0 ? { calls: [{ name: 'agent.delegate', arguments: { title: 'Work', task: 'Work there' } }] } : { text: 'Done.' }
  })
  const agent_id = await agent.agent()
  const server = (mode: string, ...args: string[]) => ({ command: process.execPath, args: [hostileServer, mode, ...args] })
  file = JSON.stringify({ mcpServers: { writer: server('writer'), rooted: server('rooted', ['$', '{workspaceFolder}'].join('')) } })
  writeFileSync(join(agent.workspace, '.mcp.json'), file)
  for (const { preview } of (await consent('writer', 'rooted')).folder.servers) {
    const { server_id, name } = preview.server
    ids.set(name, server_id)
    await agent.call('mcp_server_connect', { server_id })
    const { items } = await agent.call('mcp_tool_list', { server_id })
    for (const { tool: each } of items) {
      await agent.call('mcp_tool_consent', { tool: each.tool, fingerprint: each.fingerprint })
      await agent.policy(agent_id, each.tool, { approval_mode: 'auto' })
    }
  }
  await agent.policy(agent_id, 'agent.delegate', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Lead')
  await expect.poll(() => agent.runtime.journal.run(run_id)?.state, { timeout: 90_000 }).toBe('completed')
  const { members } = (await agent.call('team_get', { run_id })).team
  const worker = members.find(({ run_id: id }) => id !== run_id)?.run_id ?? ''
  expect(callOutcomes(agent, worker)).toEqual({
    state: 'completed',
    calls: ['succeeded', 'succeeded', 'definition_changed', 'succeeded'],
  })
  const copy = agent.runtime.journal.run(worker)?.workspace ?? ''
  const written = ['by-server.txt', 'after.txt', 'again.txt']
  expect(written.map((name) => existsSync(join(copy, name)))).toEqual([true, false, true])
  expect(written.map((name) => existsSync(join(agent.workspace, name)))).toEqual([false, false, false])
  const outputs = agent.runtime.journal
    .steps(worker)
    .flatMap(({ step }) => (step.kind === 'tool.result' ? [JSON.stringify(step.output)] : []))
  expect([outputs[1]?.includes(copy), outputs[1]?.includes(`${agent.workspace}"`)]).toEqual([true, false])
})
