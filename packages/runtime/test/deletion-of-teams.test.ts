// What members of a team did in copies of folders, and no one merged, outlives the conversation until a user discards it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import type { FeatureContext } from '../src/feature/feature-context.ts'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

const day_ms = 24 * 60 * 60_000
let agent: TestAgent
let ground: FeatureContext
let shift_ms = 0
afterEach(async () => {
  await agent.stop()
  shift_ms = 0
})

/** The lead delegates; the member writes in its copy. */
function script(_index: number, { messages }: { readonly messages: readonly { role: string; content: unknown }[] }): ScriptedTurn {
  const isFirst = !messages.some(({ role }) => role === 'tool')
  const task = String(messages.find(({ role }) => role === 'user')?.content)
  if (task.startsWith('Write it') && isFirst) return { calls: [{ name: 'fs.write', arguments: { path: 'new.txt', content: 'work\n' } }] }
  if (task.startsWith('Lead') && isFirst) {
    return { calls: [{ name: 'agent.delegate', arguments: { title: 'Writer', task: 'Write it' } }] }
  }
  return { text: 'Done.' }
}

test('a copy with changes that were not merged is named before, stays when the conversation is erased, and can be discarded', async () => {
  const watch = (given: FeatureContext) => {
    ground = given
    return { name: 'watcher' }
  }
  agent = await startTestAgent(script, { clock: { ...systemClock, now: () => systemClock.now() + shift_ms }, features: [watch] })
  const agent_id = await agent.agent()
  for (const tool of ['agent.delegate', 'fs.write']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Lead')
  await expect.poll(() => agent.runtime.journal.run(run_id)?.state, { timeout: 20_000 }).toBe('completed')
  const { conversation_id = '' } = agent.runtime.journal.run(run_id) ?? {}
  const [copy] = (await agent.call('team_get_copies', {})).copies
  if (!copy) throw new Error('the member has no copy')
  expect(copy).toMatchObject({ title: 'Writer', state: 'unmerged', run_is_erased: false })

  const { unmerged_copies } = await agent.call('conversation_preview_delete', { conversation_ids: [conversation_id] })
  expect(unmerged_copies).toEqual([{ run_id: copy.run_id, title: 'Writer', folder: copy.folder, changed_paths: 1 }])
  await agent.call('conversation_delete', { conversation_ids: [conversation_id] })
  shift_ms = 2 * day_ms
  await ground.scheduler.runNow('erase_conversations')
  expect(ground.store.sql.all`SELECT stage FROM erased_conversations`).toEqual([{ stage: 'erased' }, { stage: 'erased' }])
  await ground.scheduler.runNow('sweep_copies')
  expect((await agent.call('team_get_copies', {})).copies).toEqual([{ ...copy, run_is_erased: true }])
  expect(readFileSync(join(copy.folder, 'new.txt'), 'utf8')).toBe('work\n')

  await agent.restart()
  await agent.call('team_discard_copy', { run_id: copy.run_id })
  expect((await agent.call('team_get_copies', {})).copies).toEqual([])
  expect(existsSync(copy.folder)).toBe(false)
})
