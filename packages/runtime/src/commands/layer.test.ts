import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandErrors, commandNames } from '@tandem/contract/command'
import type { ApprovalPrompt } from '@tandem/contract/run'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { commandCaller, type TestFeatures, testFeatures } from '../../test/support/commands/test-features.ts'
import type { RunCommands } from './features.ts'
import { type CommandLayer, openCommands } from './layer.ts'

const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'

let here: TestFeatures
let layer: CommandLayer
const lines: string[] = []

beforeEach(() => {
  here = testFeatures()
  lines.length = 0
  layer = openCommands(here.features, { log: (line) => lines.push(line) })
})

afterEach(() => here.close())

const { done, code } = commandCaller(() => layer)

describe('untrusted input', () => {
  test.each<[string, string, unknown, string]>([
    ['an unknown name', 'agent_destroy', {}, 'unknown_command'],
    ['the name of a property of every object', 'constructor', {}, 'unknown_command'],
    ['a feature that is not built', 'memory_search', {}, 'not_available'],
    ['no parameters', 'agent_get', undefined, 'invalid_params'],
    ['a list for an object', 'agent_list', [], 'invalid_params'],
    ['an unknown parameter', 'agent_list', { all: true }, 'invalid_params'],
    ['a parameter of the wrong kind', 'agent_list', { limit: '10' }, 'invalid_params'],
    ['more than a page', 'agent_list', { limit: 201 }, 'invalid_params'],
    ['a cursor of another list', 'agent_list', { cursor: Buffer.from('["tool_list","x"]').toString('base64url') }, 'invalid_cursor'],
    ['a made-up cursor', 'agent_run_list', { cursor: '{}' }, 'invalid_cursor'],
    ['the key __proto__', 'agent_list', JSON.parse('{"__proto__":{"limit":1}}'), 'invalid_params'],
    ['a prototype', 'agent_create', JSON.parse('{"name":"x","constructor":{"prototype":{"admin":true}}}'), 'invalid_params'],
  ])('%s', async (_what, name, params, expected) => {
    const answer = await layer.callUntrusted(name, params)
    expect(answer).toMatchObject({
      ok: false,
      error: { code: expected, remedy: commandErrors[expected as keyof typeof commandErrors].remedy },
    })
    expect({}).not.toHaveProperty('limit')
    expect({}).not.toHaveProperty('admin')
  })

  test('an invalid value is not repeated in the error: it may be a key', async () => {
    const answer = await layer.callUntrusted('runtime_set_settings', { model_key: 'sk-canary with spaces' })
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_params' } })
    expect(JSON.stringify(answer)).not.toContain('canary')
    expect(JSON.stringify(answer)).toContain('model_key')
  })

  test('without features every command is not available', async () => {
    const empty = openCommands({}, { log: () => undefined })
    for (const name of commandNames) expect(await code(empty.callUntrusted(name, {}))).toBe('not_available')
  })

  test.each<[string, unknown, string]>([
    ['agent_list', { limit: 201 }, '`limit` must be at most 200'],
    ['agent_list', { limit: 0, all: true }, '`all` is not a known field; `limit` must be at least 1'],
    ['agent_get', undefined, 'the parameters must be an object'],
    ['runtime_set_settings', { model_key: 'a b' }, '`model_key` may only contain visible ASCII characters, without spaces'],
  ])('%s %j: the message names the field and what is expected, and no command', async (name, params, message) => {
    expect(await layer.callUntrusted(name, params)).toMatchObject({ ok: false, error: { code: 'invalid_params', message } })
  })

  test('an unexpected error is returned, and the log has the command and the stack', async () => {
    const broken = openCommands(
      {
        ...here.features,
        agents: {
          ...here.features.agents,
          list() {
            throw new Error('a bug')
          },
        },
      },
      { log: (line) => lines.push(line) },
    )
    expect(await broken.callUntrusted('agent_list', {})).toMatchObject({
      ok: false,
      error: { code: 'internal_error', message: 'an unexpected error occurred; the log of the runtime has the details' },
    })
    expect(lines.join()).toMatch(/^agent_list failed: .*layer\.test\.ts/s)
  })

  test('a full disk is reported as such', async () => {
    here.store.sql.run`PRAGMA max_page_count = 1`
    const long = { name: 'x', instructions: 'x'.repeat(50_000) }
    expect(await layer.call('agent_create', long)).toMatchObject({
      ok: false,
      error: { code: 'storage_unavailable', message: 'the disk is full', remedy: commandErrors.storage_unavailable.remedy },
    })
    here.store.sql.run`PRAGMA max_page_count = 100000`
    expect(await code(layer.call('agent_create', long))).toBe('ok')
  })
})

test('agents are created, listed in pages, changed and archived', async () => {
  for (const name of ['c', 'a', 'b']) await done('agent_create', { name })
  const first = await done('agent_list', { limit: 2 })
  const second = await done('agent_list', { limit: 2, cursor: first.next_cursor ?? '' })
  expect([first, second].map(({ items }) => items.map(({ agent }) => agent.name))).toEqual([['a', 'b'], ['c']])
  expect(second.next_cursor).toBeNull()
  const agent_id = first.items[0]?.agent_id ?? ''
  await done('agent_update', { agent_id, version: 1, model: 'x/y' })
  expect(await code(layer.call('agent_update', { agent_id, version: 1, model: 'z' }))).toBe('version_conflict')
  await done('agent_archive', { agent_id, archived: true })
  expect((await done('agent_get', { agent_id })).agent).toMatchObject({ version: 3, agent: { model: 'x/y', archived: true } })
  expect((await done('agent_list', { archived: true })).items).toHaveLength(1)
  expect(await code(layer.call('agent_get', { agent_id: 'nobody' }))).toBe('not_found')
})

test('conversations are created in a real folder with the default agent, and renamed and archived with steps', async () => {
  const { conversation } = await done('conversation_create', {})
  expect(conversation).toMatchObject({ title: 'New conversation', workspace: here.workspace, hidden: false })
  const { conversation_id } = here.startRun()
  expect((await done('conversation_rename', { conversation_id, title: 'Better' })).conversation.title).toBe('Better')
  expect((await done('conversation_hide', { conversation_id, hidden: true })).conversation.hidden).toBe(true)
  expect((await done('conversation_list', {})).items.map((one) => one.conversation_id)).toEqual([conversation.conversation_id])
  expect((await done('conversation_list', { hidden: true })).items.map(({ title }) => title)).toEqual(['Better'])
  const [run] = (await done('agent_run_list', { conversation_id })).items
  const steps = await done('agent_run_list_steps', { run_id: run?.run_id ?? '', after_seq: 0 })
  expect(steps.items.map(({ kind }) => kind)).toEqual(['conversation.renamed', 'conversation.hidden'])
  expect(await code(layer.call('conversation_rename', { conversation_id: nobody, title: 'x' }))).toBe('not_found')
})

test('archived are those that a person archived: not those of a run or a workflow, nor empty ones', async () => {
  const { journal } = here.features
  const { agent_id } = here.startRun()
  const hidden = (title: string) => {
    const made = journal.conversations.create({ agent_id, title, workspace: here.workspace })
    journal.conversations.hide(made.conversation_id, true)
    return made
  }
  const write = (conversation: number, author: 'person' | 'agent' | 'workflow') =>
    journal.messages.write({ conversation, run: null, role: 'user', author, text: 'Hello' })
  const begin = { agent_id, title: 'x', model: 'test/model', sandbox_mode: 'workspace', message_id: null } as const
  const archived = hidden('Archived')
  write(archived.no, 'person')
  journal.start({ ...begin, conversation: archived.no })
  hidden('Empty')
  const member = hidden('Member')
  write(member.no, 'agent')
  const parent_run_id = here.startRun().run_id
  journal.start({
    ...begin,
    conversation: member.no,
    member: { run_id: crypto.randomUUID(), parent_run_id, spawned_by_call_id: 'call', role_text: null },
  })
  const carrier = hidden('Workflow')
  journal.start({ ...begin, conversation: carrier.no, model: 'none', workflow_run_id: crypto.randomUUID() })
  const node = hidden('Node')
  write(node.no, 'workflow')
  // The status of a workflow is all that another device sends of its carrier.
  const elsewhere = hidden('Workflow of another device')
  const { run_id } = journal.start({ ...begin, conversation: elsewhere.no, model: 'none' })
  const status = { workflow_run_id: crypto.randomUUID(), name: 'x', state: 'running', nodes_done: 0, nodes_total: 1 } as const
  journal.append(run_id, { kind: 'workflow.status', ...status })

  const archive = async (params: object) => (await done('conversation_list', { hidden: true, ...params })).items.map(({ title }) => title)
  expect(await archive({})).toEqual(['Archived'])
  expect(await archive({ limit: 1 })).toEqual(['Archived'])
  const all = [archived, member, carrier, node, elsewhere].map(({ conversation_id }) => conversation_id)
  const named = (await done('conversation_list', { families_of: all })).items
  expect(Object.fromEntries(named.map(({ title, started_by = null }) => [title, started_by]))).toEqual({
    Archived: null,
    Member: 'run',
    Workflow: 'workflow',
    Node: 'workflow',
    'Workflow of another device': 'workflow',
  })
})

test('conversations are listed with all that branch from the same ones, archived or not; pinned ones alone', async () => {
  const { journal } = here.features
  const { agent_id, run_id } = here.startRun()
  const of = (title: string, conversation_id?: string) =>
    journal.conversations.create({
      ...{ agent_id, title, workspace: here.workspace },
      ...(conversation_id === undefined ? {} : { branch: { conversation_id, run_id, seq: 0 } }),
    }).conversation_id
  const first = of('First')
  const branch = of('Branch', first)
  const leaf = of('Leaf', branch)
  of('Other')
  journal.conversations.hide(branch, true)
  journal.conversations.pin(leaf, true)
  const listed = async (params: object) => (await done('conversation_list', params)).items.map(({ title }) => title).toSorted()
  expect(await listed({ families_of: [branch] })).toEqual(['Branch', 'First', 'Leaf'])
  expect(await listed({ families_of: [leaf, nobody] })).toEqual(['Branch', 'First', 'Leaf'])
  expect(await listed({ pinned: true })).toEqual(['Leaf'])
  journal.conversations.remove(first, { deleted_at: 1, erase_at: 2 })
  expect(await listed({ families_of: [leaf] })).toEqual(['Branch', 'Leaf'])
})

test.each([
  ['relative', 'a/b', 'must be an absolute path'],
  ['not there', '/nowhere/at/all', 'does not exist'],
  ['a file', 'FILE', 'file is a file; choose a folder'],
  ["Tandem's own folder", 'HOME', "is in Tandem's own folder"],
])('a workspace that is %s is refused', async (_what, path, why) => {
  const file = join(here.workspace, 'file')
  writeFileSync(file, '')
  const workspace = path.replace('FILE', file).replace('HOME', here.home)
  const answer = await layer.call('conversation_create', { workspace })
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_params', message: expect.stringContaining(why) } })
})

test('messages are complete and in order, large ones in smaller pages', async () => {
  const run = here.startRun()
  const { messages } = here.features.journal
  const long = 'x'.repeat(3_000_000)
  for (const text of ['first', long, long, 'last'])
    messages.write({ conversation: run.conversation, run: run.no, role: 'user', author: 'person', text })
  const pages = []
  let cursor: string | undefined
  do {
    const page = await done('message_list', { conversation_id: run.conversation_id, ...(cursor ? { cursor } : {}) })
    pages.push(page.items.map(({ text, run_id }) => [text.length, run_id]))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(pages).toEqual([
    [
      [5, run.run_id],
      [3_000_000, run.run_id],
      [3_000_000, run.run_id],
    ],
    [[4, run.run_id]],
  ])
})

test('the events of a workflow run are listed in order, in pages, and those of a newer version are marked', async () => {
  const id = (number: number) => `018f0000-0000-7000-8000-00000000000${number}`
  const workflow_run_id = id(1)
  const place = { workflow_run_id, workflow_id: id(2), run_id: null, device_id: 'd', ts: '2026-03-01T09:00:00.000Z' }
  const events = ['node.reset', 'node.dreamt', 'node.compensated'].map((kind, at) => ({
    event_id: id(3 + at),
    ...place,
    seq: 2 - at,
    kind,
    node_id: 'n',
  }))
  for (const event of events) {
    here.features.store.sql.run`
      INSERT INTO workflow_run_events (event_id, workflow_run_id, seq, ts, known, payload)
      VALUES (${event.event_id}, ${workflow_run_id}, ${event.seq}, 0, ${event.kind === 'node.dreamt' ? 0 : 1}, ${JSON.stringify(event)})`
  }
  const first = await done('workflow_run_list_events', { workflow_run_id, limit: 2 })
  const cursor = first.next_cursor ?? ''
  const rest = await done('workflow_run_list_events', { workflow_run_id, limit: 2, cursor })
  const [reset, dreamt, compensated] = events
  const { kind: _kind, node_id, ...unread } = dreamt ?? {}
  expect([...first.items, ...rest.items]).toEqual([
    compensated,
    { ...unread, kind: 'unknown', unknown_kind: 'node.dreamt', fields: JSON.stringify({ node_id }) },
    reset,
  ])
  expect([rest.next_cursor, await done('workflow_run_list_events', { workflow_run_id: place.workflow_id })]).toEqual([
    null,
    { items: [], next_cursor: null },
  ])
  const only = async (filter: object) =>
    (await done('workflow_run_list_events', { workflow_run_id, ...filter })).items.map(({ event_id }) => event_id)
  expect([await only({ kinds: ['node.reset'] }), await only({ node_id: 'n' }), await only({ node_id: 'other' })]).toEqual([
    [reset?.event_id],
    [compensated, dreamt, reset].map((event) => event?.event_id),
    [],
  ])
  expect(await layer.call('workflow_run_list_events', { workflow_run_id: place.workflow_id, cursor })).toMatchObject({
    ok: false,
    error: { code: 'invalid_cursor' },
  })
})

test('runs and steps are listed newest first, in pages, with the fields of a list', async () => {
  const runs = [here.startRun(), here.startRun(), here.startRun()]
  const first = await done('agent_run_list', { limit: 2 })
  const second = await done('agent_run_list', { limit: 2, cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items].map(({ run_id }) => run_id)).toEqual(runs.map(({ run_id }) => run_id).reverse())
  const run_id = runs[0]?.run_id ?? ''
  for (let no = 0; no < 5; no += 1) here.features.journal.append(run_id, { kind: 'model.called', model: 'm', turn: no })
  const page = await done('agent_run_list_steps', { run_id, limit: 4 })
  const rest = await done('agent_run_list_steps', { run_id, limit: 4, cursor: page.next_cursor ?? '' })
  expect([page.items, rest.items].map((items) => items.map(({ seq }) => seq))).toEqual([
    [0, 1, 2, 3],
    [4, 5],
  ])
  expect(await code(layer.call('agent_run_list_steps', { run_id: runs[1]?.run_id ?? '', cursor: page.next_cursor ?? '' }))).toBe(
    'invalid_cursor',
  )
  expect((await done('agent_run_get', { run_id })).run).toMatchObject({ state: 'running', pause_reason: null, workspace: here.workspace })
  expect(await code(layer.call('agent_run_get', { run_id: nobody }))).toBe('not_found')
})

test('open approvals and questions are listed, of one run or of all, oldest first', async () => {
  const [one, other] = [here.startRun(), here.startRun()]
  const { approvals, questions, journal } = here.features
  const prompt = (): ApprovalPrompt => ({
    approval_id: here.store.newId(),
    call_id: 'c',
    tool: 'shell.exec',
    arguments: '{}',
    working_directory: null,
    fingerprint: 'a'.repeat(64),
    touches: [],
    protected: [],
    unprotected: [],
    remembers: [],
    warnings: [],
    choices: ['once', 'no'],
  })
  const ask = here.features.approvals as typeof approvals & { ask(run: number, prompt: ApprovalPrompt): void }
  const [first, second] = [prompt(), prompt()]
  ask.ask(other.no, first)
  ask.ask(one.no, second)
  journal.append(one.run_id, { kind: 'run.paused', reason: 'approval' })
  expect((await done('approval_list', {})).items.map(({ run_id, approval }) => [run_id, approval])).toEqual([
    [other.run_id, first],
    [one.run_id, second],
  ])
  expect((await done('approval_list', { run_id: one.run_id })).items.map(({ approval }) => approval.approval_id)).toEqual([
    second.approval_id,
  ])
  const question = { question_id: here.store.newId(), call_id: 'q', question: 'Why?', options: [], multiple: false, allows_text: true }
  ;(questions as typeof questions & { ask(run: number, prompt: typeof question): void }).ask(one.no, question)
  expect((await done('question_list', {})).items).toEqual([{ run_id: one.run_id, asked_at: expect.any(String), question }])
  expect((await done('question_list', { run_id: other.run_id })).items).toEqual([])
})

test('todos are changed during a run, and its journal records it', async () => {
  const { conversation_id, run_id } = here.startRun()
  const { todos } = await done('todo_update', { conversation_id, edits: [{ title: 'one' }, { title: 'two' }] })
  await done('todo_update', { conversation_id, edits: [{ id: todos[0]?.id ?? '', state: 'completed' }] })
  expect((await done('todo_list', { conversation_id })).items.map(({ title, state }) => `${title} ${state}`)).toEqual([
    'one completed',
    'two pending',
  ])
  const steps = await done('agent_run_list_steps', { run_id, after_seq: 0 })
  expect(steps.items.map(({ kind }) => kind)).toEqual(['todos.changed', 'todos.changed'])
  expect(await code(layer.call('todo_update', { conversation_id, edits: [{ id: 'nobody', state: 'completed' }] }))).toBe('not_found')
  expect(await code(layer.call('todo_list', { conversation_id: nobody }))).toBe('not_found')
})

test('policies are shown for every tool, set, listed by source, and reset', async () => {
  const { agent_id } = here.features.agents.default()
  const tool = 'todo.create'
  expect((await done('agent_tool_policy_list', { agent_id })).items.map((one) => [one.tool, one.source])).toEqual([
    ['todo.complete', 'default'],
    ['todo.create', 'default'],
    ['todo.list', 'default'],
    ['todo.update', 'default'],
  ])
  const policy = { ...defaultToolPolicy(tool), approval_mode: 'deny' as const }
  const remembered = [{ kind: 'tool' as const }]
  const in_force = { ...policy, sandbox_mode: 'workspace' }
  const layers = { in_force: [{ name: 'configured policy', kind: 'configured', changes: [] }], ignored: [] }
  const set = { agent_id, tool, policy, remembered, source: 'set', in_force, layers }
  expect((await done('agent_tool_policy_set', { agent_id, tool, policy, remembered })).policy).toEqual(set)
  expect((await done('agent_tool_policy_list', { agent_id, source: 'set' })).items).toEqual([set])
  expect((await done('agent_tool_policy_reset', { agent_id, tool })).policy).toMatchObject({ source: 'default', remembered: [] })
  expect((await done('agent_tool_policy_get', { agent_id, tool })).policy.source).toBe('default')
  expect(await code(layer.call('agent_tool_policy_get', { agent_id, tool: 'fs.read' }))).toBe('not_found')
  expect(await code(layer.call('agent_tool_policy_set', { agent_id, tool: 'ask_user', policy }))).toBe('invalid_params')
  expect(await code(layer.call('agent_tool_policy_get', { agent_id, tool: 'mcp.files.read' }))).toBe('ok')
  expect(await code(layer.call('agent_tool_policy_list', { agent_id: 'nobody' }))).toBe('not_found')
  expect((await done('tool_list', {})).items.map((one) => one.tool)).toEqual([
    'ask_user',
    'todo.complete',
    'todo.create',
    'todo.list',
    'todo.update',
  ])
})

test('the effective policy layers are listed, for the sandbox mode of the agent and for a run', async () => {
  const { agent_id } = here.features.agents.default()
  const tool = 'mcp.files.read'
  const changed = (changes: { layers: { in_force: { name: string; changes: string[] }[] } }) =>
    changes.layers.in_force.map((layer) => [layer.name, layer.changes])
  const todo = { agent_id, tool: 'todo.create' }
  expect(changed((await done('agent_tool_policy_get', todo)).policy)).toEqual([['configured policy', []]])
  expect((await done('agent_tool_policy_get', { agent_id, tool })).policy.in_force).toEqual({
    ...defaultToolPolicy(tool),
    sandbox_mode: 'workspace',
  })

  await done('agent_update', { agent_id, sandbox_mode: 'strict' })
  const hosts = { ...defaultToolPolicy('todo.create'), network_scope: { hosts: ['*', 'a.example'] } }
  const { policy } = await done('agent_tool_policy_set', { ...todo, policy: hosts })
  expect(policy.policy).toEqual(hosts)
  expect(policy.in_force).toEqual({ ...hosts, sandbox_mode: 'strict', network_scope: { hosts: ['a.example'] } })
  const named = [
    ['configured policy', []],
    ['sandbox mode strict', ['network_scope']],
  ]
  expect(changed(policy)).toEqual(named)

  // A run keeps the mode it was started with.
  const { run_id } = here.startRun()
  const ofRun = (await done('agent_tool_policy_get', { ...todo, run_id })).policy
  expect([ofRun.in_force.sandbox_mode, changed(ofRun)]).toEqual(['workspace', [['configured policy', []]]])
  const rows = async (more: { run_id?: string }) =>
    (await done('agent_tool_policy_list', { agent_id, source: 'set', ...more })).items.map(changed)
  expect(await rows({})).toEqual([named])
  expect(await rows({ run_id })).toEqual([[['configured policy', []]]])
  expect(await code(layer.call('agent_tool_policy_list', { agent_id, run_id: nobody }))).toBe('not_found')
  expect(await code(layer.call('agent_tool_policy_get', { ...todo, run_id: nobody }))).toBe('not_found')
})

test('events are listed from a position, of one run or of all', async () => {
  const [one, other] = [here.startRun(), here.startRun()]
  const all = await done('event_list', {})
  expect(all.items.map(({ event }) => [event.event, event.run_id])).toEqual([
    ['run_started', one.run_id],
    ['run_started', other.run_id],
  ])
  const [first, second] = all.items
  expect((await done('event_list', { after_event: first?.no ?? 0 })).items).toEqual([second])
  expect((await done('event_list', { run_id: one.run_id })).items).toEqual([first])
})

test('the runtime reports its status', async () => {
  expect(await done('runtime_status', {})).toMatchObject({ version: '0.1.0', home: here.home, device_id: here.store.device_id })
})

describe('data of other devices', () => {
  /** A run of another device, in a conversation that was synchronized with it. */
  function runElsewhere() {
    const run = here.startRun()
    here.store.sql.run`UPDATE runs SET device_id = 'other' WHERE no = ${run.no}`
    here.store.sql.run`UPDATE conversations SET workspace = '' WHERE no = ${run.conversation}`
    return run
  }
  const kinds = (run_id: string) => here.features.journal.steps(run_id).map(({ step }) => step.kind)

  test('their journals are not written here: renaming and archiving is refused, todos can be changed', async () => {
    const { conversation_id, run_id } = runElsewhere()
    expect(await code(layer.call('conversation_rename', { conversation_id, title: 'Mine' }))).toBe('run_elsewhere')
    expect(await code(layer.call('conversation_hide', { conversation_id, hidden: true }))).toBe('run_elsewhere')
    expect((await done('conversation_get', { conversation_id })).conversation).toMatchObject({ title: 'Talk', hidden: false })
    expect((await done('todo_update', { conversation_id, edits: [{ title: 'one' }] })).todos).toMatchObject([{ title: 'one' }])
    expect(kinds(run_id)).toEqual(['run.started'])
  })

  test('a run of this device records the change, even if a run of another device is newer', async () => {
    const own = here.startRun()
    const { conversation_id, conversation, agent_id } = own
    const ids = { title: 'Talk', model: 'm', sandbox_mode: 'workspace' as const, message_id: null }
    const younger = here.features.journal.start({ conversation, agent_id, ...ids })
    here.store.sql.run`UPDATE runs SET device_id = 'other' WHERE no = ${younger.no}`
    await done('conversation_rename', { conversation_id, title: 'Mine' })
    await done('todo_update', { conversation_id, edits: [{ title: 'one' }] })
    expect([kinds(own.run_id), kinds(younger.run_id)]).toEqual([['run.started', 'conversation.renamed', 'todos.changed'], ['run.started']])
  })

  test('a run is started in the given folder, once, and never while another is open', async () => {
    const record = runElsewhere()
    const { conversation_id } = record
    const asked: unknown[] = []
    const runs = {
      async start(request: unknown) {
        asked.push(request)
        const isOpen = here.features.journal.run(record.run_id)?.state === 'running'
        return isOpen ? { ok: false, code: 'run_elsewhere', message: 'it is open' } : { ok: true, value: record }
      },
    } as unknown as RunCommands
    layer = openCommands({ ...here.features, runs }, { log: () => undefined })
    const start = (workspace: string) => code(layer.call('agent_run_start', { conversation_id, text: 'go', workspace }))
    const folder = async () => (await done('conversation_get', { conversation_id })).conversation.workspace
    expect([await start(here.workspace), await folder()]).toEqual(['run_elsewhere', ''])
    // Its end is synchronized from the device it belongs to.
    here.store.sql.run`UPDATE runs SET state = 'canceled' WHERE run_id = ${record.run_id}`
    expect([await start('/nowhere/at/all'), await folder()]).toEqual(['invalid_params', ''])
    expect([await start(here.workspace), await folder()]).toEqual(['ok', here.workspace])
    const other = join(here.workspace, 'other')
    mkdirSync(other)
    expect([await start(other), await folder()]).toEqual(['invalid_params', here.workspace])
    expect([await start(here.workspace), asked]).toEqual(['ok', Array(3).fill({ conversation_id, author: 'person', text: 'go' })])
  })
})

test('runs are started, answered and ended, and refusals have a remedy', async () => {
  const record = here.startRun()
  const asked: unknown[] = []
  const runs: RunCommands = {
    async start(request) {
      asked.push(request)
      return { ok: true, value: record }
    },
    async resume(run_id, answer) {
      asked.push([run_id, answer])
      return { ok: false, code: 'nothing_pending', message: 'nothing waits' }
    },
    async pause(run_id) {
      asked.push(run_id)
      return { ok: true, value: record }
    },
    async cancel(run_id, reason) {
      asked.push([run_id, reason])
      return { ok: true, value: { ...record, state: 'canceled' } }
    },
    settled: async () => record,
  }
  layer = openCommands({ ...here.features, runs }, { log: () => undefined })
  const { run_id, conversation_id } = record
  await done('agent_run_start', { conversation_id, text: 'hello', key: 'k' })
  await done('agent_run_pause', { run_id })
  expect((await done('agent_run_cancel', { run_id })).run.state).toBe('canceled')
  const answer = { kind: 'question' as const, question_id: nobody, answer: { chosen: [], text: 'yes' } }
  expect(await layer.call('agent_run_resume', { run_id, answer })).toEqual({
    ok: false,
    error: { code: 'nothing_pending', message: 'nothing waits', remedy: commandErrors.nothing_pending.remedy },
  })
  expect(await code(layer.call('resume_agent_run', { run_id }))).toBe('nothing_pending')
  expect(asked).toEqual([
    { conversation_id, author: 'person', text: 'hello', key: 'k' },
    run_id,
    [run_id, null],
    [run_id, answer],
    [run_id, undefined],
  ])
})

test('an approval cannot be smuggled in: no command accepts a field that approves', async () => {
  const run_id = nobody
  for (const params of [
    { run_id, approved: true },
    { run_id, answer: { kind: 'approval', approval_id: nobody, answer: 'once' } },
    { run_id, answer: { kind: 'approval', approval_id: nobody, fingerprint: 'a'.repeat(64), answer: 'once', approved: true } },
  ]) {
    const runs = { resume: () => expect.unreachable() } as unknown as RunCommands
    const guarded = openCommands({ ...here.features, runs }, { log: () => undefined })
    expect(await code(guarded.callUntrusted('agent_run_resume', params))).toBe('invalid_params')
    expect(await code(guarded.callUntrusted('resume_agent_run', { ...params, run_id }))).toBe('invalid_params')
  }
})
