// What a whole runtime registers, answers, emits and stores, compared with the names of the specification.
// A name that is only declared does not pass: each must be used below, or be listed as not built.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type BuiltSubject, isBuilt, notBuilt } from '@tandem/contract/built'
import { type CommandName, commandNames } from '@tandem/contract/command'
import { approvalChoices, messageAuthors, stepKinds } from '@tandem/contract/run'
import { workflowRunEventKinds } from '@tandem/contract/workflow-run'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { names, spec } from '../../contract/test/spec-names.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

const specified = {
  tools: names(spec.tools),
  commands: Object.values(spec.commands).flatMap(names),
  events: names(spec.events),
  stores: names(spec.stores),
}

const folder = fileURLToPath(new URL('../src', import.meta.url))
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)test-[^/]*$/.test(file))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
const isWritten = (text: string) => sources.some((source) => source.includes(text))

/** The names of the specification that must work today. */
const built = (subject: keyof typeof specified) => specified[subject].filter((name) => isBuilt(subject, name)).toSorted()

let agent: TestAgent
const answered = new Set<string>()
let emitted: Set<string>

beforeAll(async () => {
  const changes = [
    { name: 'fs.write', arguments: { path: 'kept.txt', content: 'new' } },
    { name: 'shell.exec', arguments: { command: 'echo more >> kept.txt' } },
  ]
  const exportOf = (week: string) => [
    { name: 'fs.mkdir', arguments: { path: `export/w${week}` } },
    { name: 'fs.write', arguments: { path: `export/w${week}/sales.csv`, content: 'x' } },
    { name: 'fs.write', arguments: { path: 'index.html', content: 'x' } },
  ]
  const looks = ['cat notes.txt', 'touch notes.txt', 'cat notes.txt'].map((command) => ({ name: 'shell.exec', arguments: { command } }))
  agent = await startTestAgent((_index, { messages }) => {
    if (messages.at(-1)?.content === 'Write the secret')
      return { calls: [{ name: 'fs.write', arguments: { path: 'secret.txt', content: 'x' } }] }
    if (messages.some(({ content }) => content === 'Write the secret')) return { text: 'I will not.' }
    const week = messages.map(({ content }) => /^The weekly export (\d)$/.exec(String(content))?.[1]).find((number) => number !== undefined)
    if (messages.some(({ content }) => String(content).startsWith('Say hello'))) return { text: 'Hello.' }
    const looking = messages.some(({ content }) => content === 'Look for the notes') ? looks : changes
    const calls = week === undefined ? looking : exportOf(week)
    const next = calls[messages.filter(({ role }) => role === 'tool').length]
    return next ? { calls: [next] } : { text: 'Done.' }
  })
  writeFileSync(join(agent.workspace, 'kept.txt'), 'old')
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Change the file')
  await approve(run_id)
  const { items } = await use('agent_run_list_checkpoints', { run_id })
  const checkpoint_id = items.at(-1)?.checkpoint_id ?? ''
  await use('agent_run_get_checkpoint', { run_id, checkpoint_id })
  await use('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'overwrite' })
  expect(readFileSync(join(agent.workspace, 'kept.txt'), 'utf8')).toBe('old')
  await use('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  await approve(run_id)
  expect(agent.runtime.journal.run(run_id)?.state).toBe('completed')
  expect(readFileSync(join(agent.workspace, 'kept.txt'), 'utf8')).toBe('newmore\n')
  await remember(agent_id, agent.runtime.journal.run(run_id)?.conversation_id ?? '')
  await learn(agent_id)
  await decide()
  await rollOut()
  emitted = new Set(agent.runtime.events.list({ limit: 10_000 }).map(({ event }) => event))
})

afterAll(() => agent.stop())

const use: TestAgent['call'] = async (name, params) => {
  const value = await agent.call(name, params)
  answered.add(name)
  return value
}

/** Memory without a model: what the user said, by local rules. */
async function remember(agent_id: string, conversation_id: string): Promise<void> {
  await agent.call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'background_model', value: false }] })
  const said = 'I prefer short answers. Ana Reis is our accountant and wants her updates by mail.'
  await agent.ask(agent_id, said)
  await use('memory_run_heartbeat_review', { agent_id })
  const found = await use('memory_search', { agent_id, query: 'short answers' })
  expect(found.semantic_recall[0]?.memory.content).toContain('short answers')
  await use('memory_record_user_correction', { agent_id, wrong: 'Ana is a lawyer', right: 'Ana Reis is an accountant.' })
  await use('memory_get_relationship_graph', { agent_id })
  await use('memory_compact', { agent_id, conversation_id })
  await use('set_procedural_memory_policy', { agent_id: null, mode: 'heuristic' })
  await use('get_procedural_memory_policy', { agent_id: null })
  await use('list_procedural_memory_policies', {})
}

/** A failure that was repaired, without a model. */
async function learn(agent_id: string): Promise<void> {
  const { run_id } = await agent.ask(agent_id, 'Look for the notes')
  while (agent.runtime.journal.run(run_id)?.state === 'paused') await approve(run_id)
  await vi.waitFor(async () => expect((await agent.call('learning_of_run', { run_id })).patterns).toHaveLength(1), { timeout: 60_000 })
  await use('agent_run_list_failure_patterns', { agent_id })
}

/** A path that was denied three times becomes a candidate. */
async function decide(): Promise<void> {
  const { agent_id } = (await agent.call('agent_create', { name: 'Writer' })).agent
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'required' })
  for (let round = 0; round < 3; round += 1) {
    const { run_id } = await agent.ask(agent_id, 'Write the secret')
    const { approval_id = '', fingerprint = '' } = (await agent.call('approval_list', { run_id })).items[0]?.approval ?? {}
    await use('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: 'Never.' } })
    await agent.runtime.settled(run_id)
  }
  const list = () => use('agent_run_list_policy_candidates', { agent_id })
  const { items } = await vi.waitUntil(async () => ((await list()).items.length > 0 ? await list() : null), { timeout: 60_000 })
  await evolve(agent_id)
  const candidate_id = items[0]?.id ?? ''
  // There are too few calls: it stays where it is.
  expect((await use('agent_run_validate_policy_candidate_shadow', { candidate_id })).candidate.state).toBe('shadow_pending')
  const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'))
  database.prepare("UPDATE runtime_policy_candidates SET state = 'shadow_passed' WHERE id = ?").run(candidate_id)
  database.close()
  await use('agent_run_prepare_policy_candidate_canary', { candidate_id })
  await use('agent_run_apply_policy_candidate_canary', { candidate_id })
  const { candidate } = await use('agent_run_rollback_policy_candidate', { candidate_id, reason: 'It is not needed.' })
  expect(candidate.state).toBe('rolled_back')
  expect((await use('agent_run_get_policy_candidate', { candidate_id })).validations.length).toBeGreaterThanOrEqual(4)
}

/** The same path denied on three days is a gap. */
async function evolve(agent_id: string): Promise<void> {
  const mined = () => use('skill_list_behavior_traces', { agent_id })
  await vi.waitFor(async () => expect((await mined()).items).toHaveLength(3), { timeout: 60_000 })
  const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'))
  database.exec("UPDATE evolution_runs SET day = '2026-01-0' || (no % 9 + 1)")
  database.close()
  const { run_id } = await agent.ask(agent_id, 'Write the secret')
  const { approval_id = '', fingerprint = '' } = (await agent.call('approval_list', { run_id })).items[0]?.approval ?? {}
  await use('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: 'Never.' } })
  await agent.runtime.settled(run_id)
  const gaps = () => use('skill_list_gap_analyses', { agent_id, gap_kinds: ['policy_gap'] })
  await vi.waitFor(async () => expect((await gaps()).items).toHaveLength(1), { timeout: 60_000 })
}

/** A routine on four days is drafted, tested and used. Its groups are filled by hand: skill-rollout.test.ts does that with real runs. */
async function rollOut(): Promise<void> {
  const { agent_id } = (await agent.call('agent_create', { name: 'Reporter' })).agent
  for (const tool of ['fs.mkdir', 'fs.write']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const change = (sql: string, ...values: string[]) => {
    const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'))
    database.prepare(sql).run(...values)
    database.close()
  }
  const list = async () => (await use('skill_list_recommendations', { agent_id })).items
  const runs: string[] = []
  for (const n of [1, 2, 3]) {
    const { run_id } = await agent.ask(agent_id, `The weekly export ${n}`)
    runs.push(run_id)
    const mined = async () => (await agent.call('skill_list_behavior_traces', { run_id })).items
    await vi.waitFor(async () => expect(await mined()).toHaveLength(1), { timeout: 60_000 })
    change("UPDATE evolution_runs SET day = '2026-01-0' || (no % 9 + 1)")
  }
  const [found] = await vi.waitUntil(async () => ((await list())[0]?.state === 'shadow_active' ? await list() : null), { timeout: 60_000 })
  const recommendation_id = found?.id ?? ''
  const of = { recommendation_id }
  const from = (state: string) => change('UPDATE runtime_skill_recommendations SET state = ? WHERE id = ?', state, recommendation_id)
  // The scheduler was faster, and may be again: each command is used once more from its state.
  for (const [state, command] of [
    ['draft_pending', 'skill_generate_recommendation_draft'],
    ['draft_generated', 'skill_validate_recommendation'],
    ['validated', 'skill_prepare_recommendation_shadow'],
    ['shadow_ready', 'skill_apply_recommendation_shadow'],
  ] as const)
    await vi.waitFor(
      () => {
        from(state)
        return use(command, of)
      },
      { timeout: 60_000 },
    )
  from('shadow_active')
  const insert = "INSERT INTO evolution_matched_runs VALUES (?, ?, ?, ?, nullif(?, ''), 1, 1, ?)"
  for (const run_id of runs) change(insert, recommendation_id, run_id, runs[0] ?? '', 'shadow', '', '2026-01-01T00:00:00.000Z')
  await use('skill_prepare_recommendation_canary', of)
  from('canary_ready')
  await use('skill_apply_recommendation_canary', of)
  change('DELETE FROM evolution_matched_runs')
  for (let n = 0; n < 10; n += 1) {
    const { run_id } = await agent.ask(agent_id, `Say hello ${n}`)
    await vi.waitFor(async () => expect((await agent.call('learning_of_run', { run_id })).evaluation).not.toBeNull(), { timeout: 60_000 })
    change(insert, recommendation_id, run_id, runs[0] ?? '', 'canary', n % 2 === 0 ? 'with' : 'without', '2026-01-01T00:00:00.000Z')
  }
  await use('skill_promote_recommendation_to_live', of)
  await use('skill_rollback_recommendation', { recommendation_id, reason: 'It is not needed.' })
  await use('skill_retire_recommendation', of)
  expect((await use('skill_get_recommendation', of)).recommendation.state).toBe('retired')
  expect((await use('skill_list_versions', of)).items.length).toBeGreaterThanOrEqual(1)
}

async function approve(run_id: string): Promise<void> {
  const { items } = await agent.call('approval_list', { run_id })
  const { approval_id = '', fingerprint = '' } = items[0]?.approval ?? {}
  await use('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  await agent.runtime.settled(run_id)
}

test('a whole runtime registers exactly the tools that are built; every-tool.browser.test.ts uses each', async () => {
  const { items } = await agent.call('tool_list', { limit: 200 })
  const registered = items.map(({ tool }) => tool).filter((tool) => specified.tools.includes(tool))
  expect(registered.toSorted()).toEqual(built('tools'))
})

describe('commands', () => {
  test('every command of the specification that is built was answered with a result', () => {
    expect([...answered].filter((name) => specified.commands.includes(name)).toSorted()).toEqual(built('commands'))
  })

  test.each(commandNames)('%s is answered if and only if it is built', async (name: CommandName) => {
    // Parameters that no command accepts, so that it does nothing here.
    const answer = await agent.runtime.commands.callUntrusted(name, { 'no such parameter': true })
    expect(answer.ok ? 'ok' : answer.error.code).toBe(isBuilt('commands', name) ? 'invalid_params' : 'not_available')
  })
})

describe('events', () => {
  test('every event of the specification that is built was emitted', () => {
    expect([...emitted].filter((name) => specified.events.includes(name)).toSorted()).toEqual(built('events'))
  })

  test('no event that is listed as not built is named in the source of the runtime', () => {
    expect(notBuilt.events.filter((name) => sources.some((source) => source.includes(`'${name}'`)))).toEqual([])
    expect(sources.some((source) => source.includes("'checkpoint_created'"))).toBe(true)
  })
})

test('every store of the specification that is built has its table, its fields and records of a run', () => {
  const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'), { readOnly: true })
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
      .all()
      .map(({ name }) => String(name))
    expect(tables.filter((table) => specified.stores.includes(table)).toSorted()).toEqual(built('stores'))
    const empty = built('stores').filter((store) => database.prepare(`SELECT 1 FROM ${store} LIMIT 1`).get() === undefined)
    expect(empty).toEqual([])
    for (const [store, fields] of Object.entries(spec.store_fields)) {
      if (!isBuilt('stores', store)) continue
      const columns = database.prepare(`SELECT name FROM pragma_table_info('${store}')`).all()
      expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(names(fields)))
    }
  } finally {
    database.close()
  }
})

describe('shapes that cross devices: written by the source of the runtime if and only if they are built', () => {
  test.each(stepKinds)('step %s', (kind) => {
    expect(isWritten(`kind: '${kind}'`)).toBe(isBuilt('step_kinds', kind))
  })

  test.each(messageAuthors)('author %s', (author) => {
    expect(isWritten(`author: '${author}'`)).toBe(isBuilt('message_authors', author))
  })

  test.each(notBuilt.pause_reasons)('no run is paused for the reason %s', (reason) => {
    expect(isWritten(`kind: 'run.paused', reason: '${reason}'`)).toBe(false)
  })

  test.each(notBuilt.failure_stages)('nothing fails at the stage %s', (stage) => {
    expect([`stage: '${stage}'`, `failureContract('${stage}'`, `atStage('${stage}'`].filter(isWritten)).toEqual([])
  })

  test.each(notBuilt.approval_answers)('no approval offers %s', (answer) => {
    expect([...approvalChoices('required'), ...approvalChoices('manual_each_call')]).not.toContain(answer)
  })

  test.each(workflowRunEventKinds)('the event %s of a workflow run is written', (kind) => {
    expect(notBuilt.workflow_event_kinds).toEqual([])
    expect([`kind: '${kind}'`, `appendNode('${kind}'`].some(isWritten)).toBe(true)
  })
})

test.each(Object.keys(notBuilt) as BuiltSubject[])('%s that are not built are listed once, by a name of the contract', (subject) => {
  const listed = notBuilt[subject]
  expect(new Set(listed).size).toBe(listed.length)
})

test('runtime_status marks the names and the features that are not built', async () => {
  const { features, not_built } = await agent.call('runtime_status', {})
  expect(not_built).toEqual(notBuilt)
  expect(features.filter(({ works }) => !works)).toEqual([])
})
