// A full store of recovery points: no call is rejected for it. Each needs approval, with the consequences shown, and runs if approved.
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent | undefined
afterEach(async () => {
  await agent?.stop()
  agent = undefined
})

/** About 100 kB: a file of this size leaves no space for anything else. */
const environment = { TANDEM_CHECKPOINT_QUOTA_GB: '0.0001' }
const warning = expect.stringMatching(
  /^The space for recovery points is used up, so none can be created, and what this call changes cannot be restored\./,
)
const command = (text: string): ScriptedTurn => ({ calls: [{ name: 'shell.exec', arguments: { command: text } }] })

async function fullStore(script: readonly ScriptedTurn[]): Promise<{ here: TestAgent; agent_id: string }> {
  agent = await startTestAgent(script, { environment })
  writeFileSync(join(agent.workspace, 'large'), randomBytes(200_000))
  return { here: agent, agent_id: await agent.agent() }
}

async function pending(here: TestAgent, run_id: string) {
  const { items } = await here.call('approval_list', { run_id })
  return items.map(({ approval }) => approval)
}

async function answer(here: TestAgent, run_id: string, given: 'once' | 'no') {
  const [asked] = await pending(here, run_id)
  if (!asked) throw new Error('no approval is pending')
  const { approval_id, fingerprint } = asked
  const said = given === 'no' ? { answer: given, reason: 'too risky' } : { answer: given }
  await here.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, ...said } })
  await here.runtime.settled(run_id)
}

const outcomes = (here: TestAgent, run_id: string) =>
  here.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step.outcome] : []))
const approvals = (here: TestAgent, run_id: string) =>
  here.runtime.journal.steps(run_id).filter(({ step }) => step.kind === 'approval.requested').length

test('a call that would run automatically pauses for an approval, and runs once it is approved', async () => {
  const { here, agent_id } = await fullStore([command('touch made.txt'), { text: 'Done.' }])
  await here.policy(agent_id, 'shell.exec', { approval_mode: 'auto', rate_limit: { calls: 1, per_seconds: 3_600 } })
  const { run_id, state } = await here.ask(agent_id, 'Go')
  expect([state, here.runtime.journal.run(run_id)?.pause_reason, existsSync(join(here.workspace, 'made.txt'))]).toEqual([
    'paused',
    'approval',
    false,
  ])
  expect(await pending(here, run_id)).toMatchObject([
    {
      warnings: [warning],
      protected: [],
      unprotected: [`Everything that this call changes in ${here.workspace}`],
      remembers: [],
      choices: ['once', 'no'],
    },
  ])
  // Also days later, in another process. Waiting for approval does not use up the time limit of the call.
  await here.restart()
  await answer(here, run_id, 'once')
  expect([here.runtime.journal.run(run_id)?.state, outcomes(here, run_id), approvals(here, run_id)]).toEqual([
    'completed',
    ['succeeded'],
    1,
  ])
  expect(existsSync(join(here.workspace, 'made.txt'))).toBe(true)
  expect((await here.call('agent_run_list_checkpoints', { run_id })).items).toEqual([])
  const failed = here.runtime.events.list({ run_id, limit: 1_000 }).filter(({ event }) => event === 'checkpoint_failed')
  expect(failed.map(({ failure_contract }) => failure_contract?.reason_code)).toEqual(['store_full'])
})

test('a call that needs approval anyway shows it in the same approval', async () => {
  const { here, agent_id } = await fullStore([command('touch made.txt'), { text: 'Done.' }])
  const { run_id } = await here.ask(agent_id, 'Go')
  expect(await pending(here, run_id)).toMatchObject([{ warnings: [warning], protected: [], choices: ['once', 'no'] }])
  await answer(here, run_id, 'once')
  expect([outcomes(here, run_id), approvals(here, run_id)]).toEqual([['succeeded'], 1])
})

test('a call that is not approved is not made, and one that fits needs no approval', async () => {
  const { here, agent_id } = await fullStore([
    command('touch made.txt'),
    { calls: [{ name: 'fs.write', arguments: { path: 'small.txt', content: 'small' } }] },
    { text: 'Done.' },
  ])
  await here.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  await here.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await here.ask(agent_id, 'Go')
  await answer(here, run_id, 'no')
  expect([here.runtime.journal.run(run_id)?.state, outcomes(here, run_id)]).toEqual(['completed', ['denied', 'succeeded']])
  expect([existsSync(join(here.workspace, 'made.txt')), existsSync(join(here.workspace, 'small.txt'))]).toEqual([false, true])
  expect((await here.call('agent_run_list_checkpoints', { run_id })).items.map(({ tool }) => tool)).toEqual(['fs.write'])
})

test('approved without a recovery point, and there is space by then: the call is protected after all', async () => {
  const { here, agent_id } = await fullStore([command('touch made.txt'), { text: 'Done.' }])
  await here.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  const { run_id } = await here.ask(agent_id, 'Go')
  await here.restart({ TANDEM_CHECKPOINT_QUOTA_GB: '1' })
  await answer(here, run_id, 'once')
  expect([outcomes(here, run_id), (await here.call('agent_run_list_checkpoints', { run_id })).items.length]).toEqual([['succeeded'], 1])
})

test('a point on demand is refused with a remedy', async () => {
  const { here, agent_id } = await fullStore([{ text: 'Done.' }])
  const { run_id } = await here.ask(agent_id, 'Go')
  const refused = await here.runtime.commands.call('agent_run_create_checkpoint', { run_id })
  const remedy = 'Set TANDEM_CHECKPOINT_QUOTA_GB to a larger number of gigabytes and restart Tandem.'
  expect(refused).toMatchObject({ ok: false, error: { code: 'storage_unavailable', failure_contract: { details: { remedy } } } })
})
