// Each stage at which something can fail, in a whole runtime: its event and failure contract, as in the specification's table of errors.
import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Session } from '@tandem/contract/auth'
import { notBuilt } from '@tandem/contract/built'
import { type FailureContract, failureStages } from '@tandem/contract/failure'
import type { ToolPolicy } from '@tandem/contract/tool'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { addServer, program } from './support/test-mcp-run.ts'

let agent: TestAgent | undefined
afterEach(async () => {
  await agent?.stop()
  agent = undefined
})

/** The stages at which something has failed here: the last test checks that none is missing. */
const seen = new Set<string>()

function brief({ taxonomy, stage, reason_code }: FailureContract) {
  seen.add(stage)
  return [taxonomy, stage, reason_code]
}

/** What the events of a run report about its failures. */
function told(here: TestAgent, run_id: string) {
  return here.runtime.events
    .list({ run_id, limit: 1_000 })
    .flatMap(({ event, failure_contract }) => (failure_contract ? [[event, ...brief(failure_contract)]] : []))
}

const call = (name: string, args: unknown): ScriptedTurn => ({ calls: [{ name, arguments: args }] })

test.each<[string, ScriptedTurn, { tool?: string; fields?: Partial<ToolPolicy> }, readonly (readonly string[])[]]>([
  ['a tool that does not exist', call('fs.levitate', {}), {}, [['tool_call_failed', 'none', 'tool_resolution', 'unknown_tool']]],
  ['arguments that do not match', call('fs.read', { path: 7 }), {}, [['tool_call_failed', 'none', 'tool_validation', 'invalid_arguments']]],
  [
    'a tool that is disabled',
    call('fs.read', { path: 'a' }),
    { tool: 'fs.read', fields: { enabled: false } },
    [['tool_call_failed', 'policy_failure', 'policy_enforcement', 'tool_disabled']],
  ],
  [
    'a path outside the scope of the policy',
    call('fs.read', { path: 'a' }),
    { tool: 'fs.read', fields: { fs_scope: { roots: ['elsewhere'], globs: ['**'] } } },
    [
      ['sandbox_violation', 'sandbox_failure', 'sandbox_enforcement', 'sandbox_blocked'],
      ['tool_call_failed', 'policy_failure', 'policy_enforcement', 'path_out_of_scope'],
    ],
  ],
  [
    'a host outside the scope of the policy',
    call('http.request', { method: 'GET', url: 'http://example.org/' }),
    { tool: 'http.request', fields: { approval_mode: 'auto', network_scope: { hosts: ['example.net'] } } },
    [
      ['sandbox_violation', 'sandbox_failure', 'sandbox_enforcement', 'sandbox_blocked'],
      ['tool_call_failed', 'policy_failure', 'policy_enforcement', 'host_out_of_scope'],
    ],
  ],
  ['a file that is missing', call('fs.read', { path: 'nowhere' }), {}, [['tool_call_failed', 'none', 'tool_execution', 'not_found']]],
  ['a model that refuses', { refusal: 'I will not.' }, {}, [['run_failed', 'none', 'model_call', 'model_refused']]],
  [
    'a model that rejects the request',
    { status: 400, body: '{"error":{"message":"no"}}' },
    {},
    [
      ['model_call_failed', 'none', 'model_call', 'rejected'],
      ['run_failed', 'none', 'model_call', 'rejected'],
    ],
  ],
])('%s', async (_name, turn, { tool, fields }, expected) => {
  agent = await startTestAgent([turn, { text: 'I see.' }])
  const agent_id = await agent.agent()
  if (tool && fields) await agent.policy(agent_id, tool, fields)
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(told(agent, run_id)).toEqual(expected)
})

test('what the sandbox blocks', async () => {
  agent = await startTestAgent([call('fs.write', { path: '../outside.txt', content: 'x' }), { text: 'I see.' }])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto', fs_scope: { roots: ['..'], globs: ['**'] } })
  const { run_id } = await agent.ask(agent_id, 'Go')
  const failures = told(agent, run_id)
  expect(failures.filter(([event]) => event === 'tool_call_failed').map(([, taxonomy]) => taxonomy)).toEqual(['sandbox_failure'])
  expect(failures.every(([, taxonomy]) => taxonomy === 'sandbox_failure')).toBe(true)
})

test('a recovery point that does not fit into the store: the call needs approval', async () => {
  const command = { command: 'touch made.txt' }
  agent = await startTestAgent([call('shell.exec', command), { text: 'I see.' }], {
    environment: { TANDEM_CHECKPOINT_QUOTA_GB: '0.00000001' },
  })
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  writeFileSync(join(agent.workspace, 'kept.txt'), randomBytes(10_000))
  const { run_id, state, results } = await agent.ask(agent_id, 'Go')
  expect(told(agent, run_id)).toEqual([['checkpoint_failed', 'none', 'checkpoint', 'store_full']])
  const kinds = agent.runtime.journal.steps(run_id).map(({ step }) => step.kind)
  expect([state, results, kinds.includes('tool.started')]).toEqual(['paused', [], false])
  expect(readdirSync(agent.workspace)).toEqual(['kept.txt'])
})

test('a restore with a file that a user changed since', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' }), { text: 'Written.' }])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Go')
  writeFileSync(join(agent.workspace, 'a.txt'), 'mine')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  const restore = { action: 'restore', run_id, checkpoint_id: items[0]?.checkpoint_id ?? '', on_conflict: 'stop' } as const
  const refused = await agent.runtime.commands.call('agent_run_restore_checkpoint', restore)
  expect(refused.ok ? null : [refused.error.code, refused.error.failure_contract && brief(refused.error.failure_contract)]).toEqual([
    'restore_conflict',
    ['none', 'restore', 'restore_conflict'],
  ])
  expect(told(agent, run_id)).toEqual([['checkpoint_restore_failed', 'none', 'restore', 'restore_conflict']])
})

test('a call that a user denies', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' }), { text: 'I see.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Go')
  const { items } = await agent.call('approval_list', { run_id })
  const [asked] = items
  if (!asked) throw new Error('nothing waits')
  const { approval_id, fingerprint } = asked.approval
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: 'not now' } })
  await agent.runtime.settled(run_id)
  expect(told(agent, run_id)).toEqual([['tool_call_failed', 'none', 'approval', 'denied_by_user']])
})

test('a run whose folder is missing can’t be resumed, reports it, and continues when it is back', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' }), { text: 'Written.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Go')
  const { items } = await agent.call('approval_list', { run_id })
  const [asked] = items
  if (!asked) throw new Error('nothing waits')
  const { approval_id, fingerprint } = asked.approval
  const answer = { kind: 'approval', approval_id, fingerprint, answer: 'once' } as const
  const away = join(agent.folder, 'away')
  renameSync(agent.workspace, away)
  const refused = await agent.runtime.commands.call('agent_run_resume', { run_id, answer })
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'resume_unavailable', failure_contract: { taxonomy: 'resume_failure', stage: 'resume', reason_code: 'workspace_gone' } },
  })
  expect(told(agent, run_id)).toEqual([['run_resume_rejected', 'resume_failure', 'resume', 'workspace_gone']])
  const errors = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'error' ? [brief(step.failure_contract)] : []))
  expect(errors).toEqual([['resume_failure', 'resume', 'workspace_gone']])
  renameSync(away, agent.workspace)
  await agent.call('agent_run_resume', { run_id, answer })
  await agent.runtime.settled(run_id)
  expect(agent.runtime.journal.run(run_id)?.state).toBe('completed')
  rmSync(join(agent.workspace, 'a.txt'))
})

test('a run that cannot start because no model is configured', async () => {
  agent = await startTestAgent([], { environment: { TANDEM_MODEL: '', TANDEM_MODEL_URL: '' } })
  const { conversation } = await agent.call('conversation_create', { agent_id: await agent.agent(), workspace: agent.workspace })
  const { conversation_id } = conversation
  const refused = await agent.runtime.commands.call('agent_run_start', { conversation_id, text: 'Go' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'model_unavailable', failure_contract: { reason_code: 'no_model' } } })
  const events = agent.runtime.events.list({ limit: 1_000 }).filter(({ event }) => event === 'run_start_rejected')
  expect(events.map((one) => [one.conversation_id, one.failure_contract && brief(one.failure_contract)])).toEqual([
    [conversation_id, ['none', 'model_call', 'no_model']],
  ])
  await agent.runtime.commands.call('agent_run_start', { conversation_id: '0199aaaa-0000-7000-8000-00000000dead', text: 'Go' })
  const last = agent.runtime.events.list({ limit: 1_000 }).at(-1)
  expect(last?.failure_contract && brief(last.failure_contract)).toEqual(['none', 'start', 'not_found'])
})

test('a model that is no longer configured while its run waits', async () => {
  agent = await startTestAgent([call('fs.write', { path: 'a.txt', content: 'x' })])
  const { run_id } = await agent.ask(await agent.agent(), 'Go')
  const { items } = await agent.call('approval_list', { run_id })
  const [asked] = items
  if (!asked) throw new Error('nothing waits')
  await agent.restart({ TANDEM_MODEL: '', TANDEM_MODEL_URL: '' })
  const { approval_id, fingerprint } = asked.approval
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  await agent.runtime.settled(run_id)
  expect(told(agent, run_id)).toEqual([['run_error', 'none', 'model_call', 'no_model']])
})

test('a conversation that does not fit the context window of its model, even after compaction', async () => {
  agent = await startTestAgent([{ text: 'Never said.' }], { environment: { TANDEM_MODEL_WINDOW: '1024' } })
  const { agent: wordy } = await agent.call('agent_create', { name: 'Wordy', description: 'A very careful one. '.repeat(300) })
  const { run_id, state } = await agent.ask(wordy.agent_id, 'word '.repeat(2_000))
  expect([state, told(agent, run_id)]).toEqual(['failed', [['run_failed', 'none', 'compaction', 'context_overflow']]])
})

test('an MCP server that exits at its start', async () => {
  agent = await startTestAgent([{ text: 'I see.' }])
  await expect(addServer(agent, program('broken', ['-e', 'process.exit(3)']))).rejects.toThrow()
  const failures = agent.runtime.events
    .list({ limit: 1_000 })
    .flatMap((one) => (one.event === 'mcp_state_changed' && one.failure_contract ? [brief(one.failure_contract)] : []))
  expect(failures[0]).toEqual(['none', 'mcp', 'server_exited'])
})

test.each([
  [503, 'offline', ['none', 'sync', 'cloud_unreachable']],
  [403, 'failed', ['none', 'sync', 'cloud_refused']],
] as const)(
  'a cloud that responds %i after the sign-in: synchronization is %s',
  async (status, state, expected) => {
    const session: Session = {
      ...{ access_token: 'token', token_type: 'bearer', expires_in: 3_600, refresh_token: 'again' },
      session_id: '01890a5d-ac96-774b-bcce-b302099a8057',
      user: {
        ...{ id: '01890a5d-ac96-774b-bcce-b302099a8058', email: 'mara@example.org', display_name: 'Mara', locale: 'en', time_zone: 'UTC' },
        ...{ version: 1, created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
      },
    }
    const cloud = createServer((request, response) => {
      const signsIn = request.url === '/api/v1/auth/login'
      response.writeHead(signsIn ? 200 : status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(signsIn ? session : { title: 'No', status, code: 'forbidden', detail: 'not today' }))
    })
    await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve))
    agent = await startTestAgent([])
    const here = agent
    const cloud_url = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`
    await here.call('account_sign_in', { cloud_url, email: 'mara@example.org', password: 'four green lanterns', account: 'known' })
    const changes = () => here.runtime.events.list({ limit: 1_000 }).flatMap((one) => (one.event === 'sync_state_changed' ? [one] : []))
    await expect.poll(() => changes().some(({ data }) => data.to_state === state)).toBe(true)
    const failing = changes().filter(({ failure_contract }) => failure_contract !== undefined)
    expect(failing.map(({ data }) => data.to_state)).toEqual(failing.map(() => state))
    expect(failing[0]?.failure_contract && brief(failing[0].failure_contract)).toEqual(expected)
    await here.stop()
    agent = undefined
    cloud.closeAllConnections()
    await new Promise((resolve) => cloud.close(resolve))
  },
  60_000,
)

test('a node of a workflow that fails: its run reports which one, and why', async () => {
  agent = await startTestAgent([])
  const here = agent
  const nodes = [{ id: 'look', kind: 'tool' as const, tool: 'fs.read', arguments: '{"path":"missing.txt"}' }]
  const { workflow } = await here.call('workflow_save', { name: 'Look', definition: { inputs: [], nodes, edges: [] } })
  const { run } = await here.call('workflow_start', { workflow_id: workflow.workflow_id, workspace: here.workspace })
  await here.runtime.settled(run.run_id)
  expect(told(here, run.run_id)).toEqual([
    ['tool_call_failed', 'none', 'tool_execution', 'not_found'],
    ['run_failed', 'none', 'workflow', 'node_failed'],
  ])
})

test('a run whose budget is used up: it is paused, and reports it', async () => {
  agent = await startTestAgent([{ calls: [{ name: 'time.now', arguments: {} }] }])
  const here = agent
  const agent_id = await here.agent()
  await here.call('agent_update', { agent_id, budget: { turns: 1 } })
  const { run_id } = await here.ask(agent_id, 'What time is it?')
  expect(told(here, run_id)).toEqual([['run_error', 'none', 'cooperation', 'budget_exhausted']])
})

test('a remote executor that cannot be reached: its event reports it', async () => {
  agent = await startTestAgent([])
  const here = agent
  // Nothing listens there any more.
  const gone = createServer()
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
  const executor_url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
  await new Promise((resolve) => gone.close(resolve))
  const added = await here.call('executor_add', { name: 'build', executor_url, token: 'a-token-of-the-executor', certificate_sha256: null })
  expect(added.executor.state).toBe('failed')
  const [event] = here.runtime.events.list({ limit: 1_000 }).filter((one) => one.event === 'executor_outcome_changed')
  expect(event?.failure_contract && brief(event.failure_contract)).toEqual(['none', 'executor', 'unreachable'])
})

test('a policy candidate whose recorded calls cannot be read: its validation reports it', async () => {
  const write = { calls: [{ name: 'fs.write', arguments: { path: 'secret.txt', content: 'x' } }] }
  agent = await startTestAgent((_index, { messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'I will not.' } : write))
  const here = agent
  const agent_id = await here.agent()
  for (let round = 0; round < 3; round += 1) {
    const { run_id } = await here.ask(agent_id, 'Write the secret')
    const { approval_id = '', fingerprint = '' } = (await here.call('approval_list', { run_id })).items[0]?.approval ?? {}
    await here.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: 'Never.' } })
    await here.runtime.settled(run_id)
  }
  const candidates = async () => (await here.call('agent_run_list_policy_candidates', { agent_id })).items
  await expect.poll(async () => (await candidates()).length).toBe(1)
  const [candidate] = await candidates()
  await here.restart({}, () => {
    const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
    database.exec("UPDATE learning_calls SET facts = '{'")
    database.close()
  })
  const { validation } = await here.call('agent_run_validate_policy_candidate_shadow', { candidate_id: candidate?.id ?? '' })
  expect(validation.failure_contract && brief(validation.failure_contract)).toEqual(['none', 'learning', 'shadow_failed_to_run'])
})

test('every stage is covered', () => {
  expect(failureStages.filter((stage) => !seen.has(stage))).toEqual(notBuilt.failure_stages)
})
