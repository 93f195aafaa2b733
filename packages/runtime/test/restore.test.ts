// Whatever an agent did to files can be restored, a restore can be undone, and the run continues from there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectCards } from '@tandem/contract/card'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const read = (name: string) => (existsSync(join(agent.workspace, name)) ? readFileSync(join(agent.workspace, name), 'utf8') : null)
const cards = (run_id: string) => projectCards(agent.runtime.journal.steps(run_id).map(({ step }) => step))

/** Two calls in one turn, then the end; depending on how many results the model has. */
async function writer() {
  agent = await startTestAgent((_index, { messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').length
    if (results === 0) {
      return {
        text: 'Writing both.',
        calls: [
          { name: 'fs.write', arguments: { path: 'first.txt', content: 'new first' } },
          { name: 'shell.exec', arguments: { command: 'echo new second > second.txt' } },
        ],
      }
    }
    return { text: 'Written.' }
  })
  writeFileSync(join(agent.workspace, 'second.txt'), 'old second\n')
  const agent_id = await agent.agent()
  for (const tool of ['fs.write', 'shell.exec']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  return agent.ask(agent_id, 'Write')
}

async function checkpoints(run_id: string) {
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  return items
}

async function restore(run_id: string, checkpoint_id: string) {
  const restored = await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  if (restored.outcome !== 'restored') throw new Error('it was only previewed')
  return restored
}

test('a restore restores the files and pauses the run; restoring the restore undoes it', async () => {
  const { run_id, state } = await writer()
  expect([state, read('first.txt'), read('second.txt')]).toEqual(['completed', 'new first', 'new second\n'])
  const points = await checkpoints(run_id)
  expect(points.map(({ tool, name, restore_kind }) => [tool, name, restore_kind])).toEqual([
    ['shell.exec', 'safety_rollback_point', 'filesystem_snapshot'],
    ['fs.write', 'task_recovery_point', 'filesystem_snapshot'],
  ])
  const [second, first] = points
  const preview = await agent.call('agent_run_restore_checkpoint', {
    action: 'preview',
    run_id,
    checkpoint_id: first?.checkpoint_id ?? '',
  })
  expect(preview).toMatchObject({ outcome: 'previewed', counts: { created: 1, changed: 1, deleted: 0, conflict: 0 } })
  const { checkpoint } = await agent.call('agent_run_get_checkpoint', { run_id, checkpoint_id: second?.checkpoint_id ?? '' })
  expect(checkpoint.recovery_hints).toEqual([
    `A command ran in ${agent.workspace}: what it changed elsewhere, on the network or in other programs is not restored.`,
    `Not restored: Changes that the command makes outside ${agent.workspace}`,
  ])

  const restored = await restore(run_id, first?.checkpoint_id ?? '')
  expect([preview.set_aside_message_ids, preview.set_aside_message_ids.length]).toEqual([restored.set_aside_message_ids, 1])
  expect([read('first.txt'), read('second.txt')]).toEqual([null, 'old second\n'])
  expect(restored.failure_contract).toMatchObject({ taxonomy: 'degraded_recovery' })
  expect(agent.runtime.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'restore' })
  expect(cards(run_id).filter(({ kind, set_aside }) => kind === 'ToolResult' && !set_aside)).toEqual([])

  await restore(run_id, restored.safety_checkpoint_id)
  expect([read('first.txt'), read('second.txt')]).toEqual(['new first', 'new second\n'])
  expect(cards(run_id).filter(({ kind, set_aside }) => kind === 'ToolResult' && !set_aside).length).toBe(2)
  expect(second?.checkpoint_id).toBeDefined()
})

test('a restored run continues: what was reverted is called again under a new id, what was before it is not', async () => {
  const { run_id } = await writer()
  const [second] = await checkpoints(run_id)
  await restore(run_id, second?.checkpoint_id ?? '')
  expect([read('first.txt'), read('second.txt')]).toEqual(['new first', 'old second\n'])
  writeFileSync(join(agent.workspace, 'first.txt'), 'mine')
  await agent.call('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  expect(agent.runtime.journal.run(run_id)).toMatchObject({ state: 'completed' })
  expect([read('first.txt'), read('second.txt')]).toEqual(['mine', 'new second\n'])
  const results = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step.call_id] : []))
  expect([results.length, new Set(results).size]).toEqual([3, 3])
})

test('what the user wrote since is a conflict, and is not overwritten by default', async () => {
  const { run_id } = await writer()
  const points = await checkpoints(run_id)
  writeFileSync(join(agent.workspace, 'second.txt'), 'mine')
  const checkpoint_id = points.at(-1)?.checkpoint_id ?? ''
  const answer = await agent.runtime.commands.call('agent_run_restore_checkpoint', {
    action: 'restore',
    run_id,
    checkpoint_id,
    on_conflict: 'stop',
  })
  expect(answer).toMatchObject({ ok: false, error: { code: 'restore_conflict' } })
  expect([read('first.txt'), read('second.txt')]).toEqual(['new first', 'mine'])
  expect(agent.runtime.journal.run(run_id)).toMatchObject({ state: 'completed' })
})

test('an approval shows in advance what a restore can restore', async () => {
  agent = await startTestAgent([{ calls: [{ name: 'shell.exec', arguments: { command: 'rm -rf build' } }] }, { text: 'Gone.' }])
  const agent_id = await agent.agent()
  const { run_id } = await agent.ask(agent_id, 'Clean')
  const { items } = await agent.call('approval_list', { run_id })
  expect(items[0]?.approval.protected.join('\n')).toContain(agent.workspace)
  expect(items[0]?.approval.unprotected.join('\n')).toContain('outside')
})
