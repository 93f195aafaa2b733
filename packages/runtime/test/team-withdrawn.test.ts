// A run is restored to a point before it started members: they are paused, and what they held is free until a person resumes them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { call, teamScript } from './support/team/test-team-script.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const ask: ScriptedTurn = call('ask_user', { question: 'Continue?' })
const member = (title: string, task: string) => ({ title, task, workspace: 'shared', paths: ['docs'] })

test('the run writes there and starts others there; the withdrawn member is resumed when they have ended', {
  timeout: 120_000,
}, async () => {
  let isRestored = false
  agent = await startTestAgent(
    teamScript({
      Lead(done, heard) {
        const first = [call('fs.write', { path: 'docs/a.md', content: 'one', create_parents: true })]
        const before = [...first, call('agent.spawn', { members: [member('Old', 'Old part')] })]
        const after = [
          ...first,
          call('fs.write', { path: 'docs/a.md', content: 'two' }),
          call('agent.spawn', { members: [member('New', 'New part')] }),
        ]
        return (isRestored ? after : before)[done.length] ?? (heard.some((text) => text.includes('has ended')) ? ask : { text: 'I wait.' })
      },
      'Old part': (done) => (done.length === 0 ? ask : { text: 'The old part is done.' }),
      'New part': (done) => (done.length === 0 ? ask : { text: 'The new part is done.' }),
    }),
  )
  const agent_id = await agent.agent()
  for (const tool of ['agent.spawn', 'fs.write']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Lead')
  const members = async () => (await agent.call('team_get', { run_id })).team.members
  const find = async (title: string) => (await members()).find((one) => one.title === title)?.run_id ?? ''
  const state = (id: string) => agent.runtime.journal.run(id)?.state
  await expect.poll(async () => state(await find('Old'))).toBe('paused')
  const old = await find('Old')

  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  const checkpoint_id = items[0]?.checkpoint_id ?? ''
  isRestored = true
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  await agent.call('resume_agent_run', { run_id })
  await expect.poll(async () => state(await find('New'))).toBe('paused')
  expect(readFileSync(join(agent.workspace, 'docs/a.md'), 'utf8')).toBe('two')
  const results = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  expect(results.map(({ failure_contract }) => failure_contract?.reason_code ?? 'ok')).not.toContain('claims_overlap')

  const prompt = async (id: string) => (await agent.call('question_list', {})).items.find((one) => one.run_id === id)
  const answer = async (id: string) => {
    const asked = await prompt(id)
    if (!asked) throw new Error('there is no question')
    return await agent.runtime.commands.call('agent_run_resume', {
      run_id: id,
      answer: { kind: 'question', question_id: asked.question.question_id, answer: { chosen: [], text: 'Yes.' } },
    })
  }
  expect(await answer(old)).toMatchObject({
    ok: false,
    error: { code: 'transition_refused', message: expect.stringContaining('overlaps with docs of New') },
  })
  expect(await answer(await find('New'))).toMatchObject({ ok: true })
  await expect.poll(async () => state(await find('New'))).toBe('completed')
  // A run that ends cancels what it started; this one waits for an answer.
  expect(await answer(old)).toMatchObject({ ok: true })
  await expect.poll(() => state(old)).toBe('completed')
})
