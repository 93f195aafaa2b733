// What follows from gaps that are no matter of skills, in a whole runtime: a memory, a change of the policy, or a source to add. A person
// decides about each, and a gap that is dismissed withdraws what is undecided.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '@tandem/contract/command/schema'
import type { SkillGapAnalysis } from '@tandem/contract/learning'
import { Check } from 'typebox/value'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { type RoutineStep, routineScript, userOf } from './support/test-routine.ts'

let agent: TestAgent
afterEach(() => agent.stop())
const timeout = 300_000

const write = (path: string, content = 'x\n'): RoutineStep => ['fs.write', { path, content }]

async function start(stepsOf: (request: string) => readonly RoutineStep[] = () => []) {
  agent = await startTestAgent(routineScript(stepsOf))
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  return { agent_id, user: userOf(agent) }
}

async function gapsOf(kind: SkillGapAnalysis['gap_kind']): Promise<readonly SkillGapAnalysis[]> {
  const page = await agent.call('skill_list_gap_analyses', { gap_kinds: [kind] })
  expect(Check(commands.skill_list_gap_analyses.result, page)).toBe(true)
  return page.items
}

const memories = async () => (await agent.call('memory_list_writeback_candidates', {})).items
const policies = async () => (await agent.call('agent_run_list_policy_candidates', {})).items
const told = (event: string) => agent.runtime.events.list({ limit: 10_000 }).filter((one) => one.event === event)

const german = [
  'Sort the list. Please reply in German.',
  'Count it. Antworte bitte auf Deutsch.',
  'Fix it. Your answer should be in German.',
]

test('what a person asks for again and again is proposed as a memory once, and the gap shows what was decided', { timeout }, async () => {
  const { agent_id, user } = await start()
  for (const text of german) await user.does(agent_id, text)
  const [candidate, ...others] = await memories()
  expect(others).toEqual([])
  const [gap] = await gapsOf('knowledge_gap')
  expect(candidate).toMatchObject({
    content: 'The user asked for this in several runs: “Your answer should be in German.”',
    memory_kind: 'semantic',
    state: 'pending',
    gap_analysis_id: gap?.id,
  })
  const led_to = { kind: 'memory', candidate_id: candidate?.id, content: candidate?.content }
  expect(gap?.led_to).toEqual({ ...led_to, state: 'pending' })
  await user.does(agent_id, 'Check it. Reply in German, please.')
  expect(await memories()).toHaveLength(1)

  const { memory } = await agent.call('memory_commit_writeback_candidate', { candidate_id: candidate?.id ?? '' })
  expect(memory).toMatchObject({
    content: 'The user asked for this in several runs: “Your answer should be in German.”',
    memory_kind: 'semantic',
    source_type: 'memory_writeback',
    // Committing it is not the same as the user's words: it ranks below them.
    confirmed_by_user: false,
  })
  expect((await gapsOf('knowledge_gap'))[0]?.led_to).toEqual({ ...led_to, state: 'committed' })
  // What a person has decided about stays.
  await agent.call('skill_dismiss_gap_analysis', { gap_analysis_id: gap?.id ?? '' })
  expect((await memories())[0]?.state).toBe('committed')
})

test('a gap that is dismissed withdraws its memory, and proposes one again when it was repeated twice as often', { timeout }, async () => {
  const { agent_id, user } = await start()
  for (const text of german) await user.does(agent_id, text)
  const [gap] = await gapsOf('knowledge_gap')
  const dismissed = await agent.call('skill_dismiss_gap_analysis', { gap_analysis_id: gap?.id ?? '' })
  expect(dismissed).toMatchObject({ recommendation: null, gap: { led_to: { kind: 'memory', state: 'dismissed' } } })
  for (const text of german.slice(0, 2)) await user.does(agent_id, text)
  expect((await memories()).map(({ state }) => state)).toEqual(['dismissed'])
  await user.does(agent_id, german[2] ?? '')
  expect((await memories()).map(({ state }) => state)).toEqual(['pending', 'dismissed'])
})

test('what a person forbids becomes a policy candidate that only restricts, and is withdrawn with the gap', { timeout }, async () => {
  const { agent_id, user } = await start((request) => [write(`notes/${request.length}.md`), write(`more/${request.length}.md`)])
  for (const folder of ['legacy', 'notes', 'more']) mkdirSync(join(agent.workspace, folder))
  for (const text of [
    'Note it. Do not touch legacy/.',
    'Note this too. Never touch legacy/.',
    'And this one here. Don’t touch legacy/, please.',
  ])
    await user.does(agent_id, text)
  const [gap] = await gapsOf('policy_gap')
  const [candidate, ...others] = await policies()
  expect(others).toEqual([])
  expect(candidate).toMatchObject({
    ...{ rule: 'forbidden_path', gap_analysis_id: gap?.id, widens: false, approved_at: null, agent_id },
    title: 'Exclude legacy from what fs.write, fs.edit, fs.move, fs.delete, fs.mkdir may change, because you asked for it in 3 runs.',
  })
  expect(gap?.led_to).toEqual({ kind: 'policy', candidate_id: candidate?.id, title: candidate?.title, state: candidate?.state })
  expect(told('policy_candidate_generated').map(({ data }) => data)).toMatchObject([{ candidate_id: candidate?.id }])
  // It is tested and applied as every candidate that only restricts, and refuses exactly this.
  await user.does(agent_id, 'Note something else entirely, now.')
  await agent.call('learning_advance_candidates', {})
  expect((await policies())[0]?.state).toBe('canary_applied')
  const { validations } = await agent.call('agent_run_get_policy_candidate', { candidate_id: candidate?.id ?? '' })
  expect(validations.map(({ to_state }) => to_state).slice(-3)).toEqual(['shadow_passed', 'canary_ready', 'canary_applied'])

  await agent.call('skill_dismiss_gap_analysis', { gap_analysis_id: gap?.id ?? '' })
  expect((await policies())[0]).toMatchObject({ state: 'rolled_back', rollback_reason: 'You dismissed what it was for.' })
})

test('the gap of denied calls leads to the candidate that learning made, and to no second one', { timeout }, async () => {
  const { agent_id } = await start(() => [write('secret/keys.md')])
  const user = userOf(agent)
  mkdirSync(join(agent.workspace, 'secret'))
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'required' })
  for (const text of ['Write the keys', 'Keys, please', 'The keys again', 'And the keys']) {
    const { conversation_id } = (await agent.call('conversation_create', { agent_id, workspace: agent.workspace })).conversation
    const { run_id } = (await agent.call('agent_run_start', { conversation_id, text })).run
    await agent.runtime.settled(run_id)
    const [waiting] = (await agent.call('approval_list', { run_id })).items
    const { approval_id = '', fingerprint = '' } = waiting?.approval ?? {}
    await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'no', reason: '' } })
    await agent.runtime.settled(run_id)
    await user.mined(run_id)
    user.spreadOverDays()
  }
  const [candidate, ...others] = await policies()
  expect(others).toEqual([])
  expect(candidate).toMatchObject({ rule: 'denied_path', gap_analysis_id: null })
  const [gap] = await gapsOf('policy_gap')
  expect(gap?.led_to).toMatchObject({ kind: 'policy', candidate_id: candidate?.id })
  // Learning made it: it is decided about on its own.
  const before = candidate?.state
  await agent.call('skill_dismiss_gap_analysis', { gap_analysis_id: gap?.id ?? '' })
  expect((await policies())[0]?.state).toBe(before)
})

test('files that a person edits again and again are a source to add; adding it is one command', { timeout }, async () => {
  const { agent_id, user } = await start((request) =>
    request.startsWith('Write') ? [write(`lib/${request.split(' ')[1]}.ts`, 'export {}\n')] : [],
  )
  mkdirSync(join(agent.workspace, 'lib'))
  for (const name of ['one', 'two', 'three']) {
    const { conversation_id } = (await agent.call('conversation_create', { agent_id, workspace: agent.workspace })).conversation
    for (const text of [`Write ${name}`, 'Thanks']) {
      if (text === 'Thanks') writeFileSync(join(agent.workspace, 'lib', `${name}.ts`), '// SPDX-License-Identifier: EUPL-1.2\nexport {}\n')
      const { run_id } = (await agent.call('agent_run_start', { conversation_id, text })).run
      await agent.runtime.settled(run_id)
      await user.mined(run_id)
      user.spreadOverDays()
    }
  }
  const [gap] = await gapsOf('knowledge_gap')
  const path = join(agent.workspace, 'lib')
  expect(gap?.led_to).toEqual({ kind: 'source', path, source_id: null })
  expect((await agent.call('kb_list', {})).items).toEqual([])
  const { source } = await agent.call('kb_add', { path, owner: { kind: 'agent', agent_id } })
  expect((await gapsOf('knowledge_gap'))[0]?.led_to).toEqual({ kind: 'source', path, source_id: source.source_id })
  expect(await memories()).toEqual([])
})
