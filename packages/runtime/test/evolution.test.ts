// Behavior mining in a whole runtime: what users repeat in real runs is recorded once, and becomes a gap.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BehaviorTrace, SkillGapAnalysis } from '@tandem/contract/learning'
import { afterEach, expect, test, vi } from 'vitest'
import { crashpoints } from '../src/evolution/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import type { Script } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

const miner = useBundledProgram('test-evolution-process.ts')
let agent: TestAgent
afterEach(() => agent.stop())
const patience = { timeout: 30_000, interval: 25 }

type Step = readonly [string, Readonly<Record<string, unknown>>]
const write = (path: string, content: string): Step => ['fs.write', { path, content }]

/** Makes the calls that belong to the latest request, one per turn. */
const script =
  (calls: Readonly<Record<string, readonly Step[]>>): Script =>
  (_, { messages }) => {
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const steps = calls[String(messages[at]?.content)] ?? []
    const next = steps[messages.slice(at).filter(({ role }) => role === 'tool').length]
    return next ? { calls: [{ name: next[0], arguments: next[1] }] } : { text: 'Done.' }
  }

async function start(calls: Readonly<Record<string, readonly Step[]>>): Promise<string> {
  agent = await startTestAgent(script(calls), { environment: { TANDEM_MEMORY_MODEL: 'off' } })
  const agent_id = await agent.agent()
  for (const tool of ['fs.write', 'fs.mkdir', 'fs.move']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  return agent_id
}

async function ran(agent_id: string, text: string, conversation?: string) {
  const conversation_id =
    conversation ?? (await agent.call('conversation_create', { agent_id, workspace: agent.workspace })).conversation.conversation_id
  const { run_id } = (await agent.call('agent_run_start', { conversation_id, text })).run
  await agent.runtime.settled(run_id)
  return { run_id, conversation_id }
}

/** Mining works in the background. */
const traceOf = (run_id: string): Promise<BehaviorTrace> =>
  vi.waitFor(async () => {
    const [trace] = (await agent.call('skill_list_behavior_traces', { run_id })).items
    if (!trace) throw new Error(`run ${run_id} was not mined: ${agent.logged.join('\n')}`)
    return trace
  }, patience)

const gapsOf = async (): Promise<readonly SkillGapAnalysis[]> => (await agent.call('skill_list_gap_analyses', {})).items

/** As if each run had happened on another day. */
function spreadOverDays(): void {
  const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'))
  database.exec("UPDATE evolution_runs SET day = '2026-01-' || (10 + no)")
  database.close()
}

const report = (week: number): readonly Step[] => [
  ['fs.mkdir', { path: `reports/w${week}` }],
  write(`reports/w${week}/sales.md`, `# Week ${week}`),
  write(`exports/w${week}.csv`, `week,${week}`),
  write(`notes/w${week}.txt`, 'done'),
]
/** The same steps in another order, with something else in between. */
const disguised = (week: number): readonly Step[] => {
  const [folder, page, table, note] = report(week)
  return [['fs.list', { path: '.' }], table, note, ['fs.read', { path: 'notes.md' }], folder, page].filter(
    (step) => step !== undefined,
  ) as Step[]
}
const requests = ['The report for week 1', 'Week 2, please', 'Numbers of week 3', 'And week 4'] as const

test('a routine in three runs is one sequence and one gap, whatever the order of its steps', async () => {
  const agent_id = await start({
    [requests[0]]: report(1),
    [requests[1]]: disguised(2),
    [requests[2]]: report(3),
    [requests[3]]: report(4).toReversed(),
  })
  const traces: BehaviorTrace[] = []
  for (const text of requests) {
    const { run_id } = await ran(agent_id, text)
    traces.push(await traceOf(run_id))
    spreadOverDays()
  }
  expect(traces.map(({ tool_sequences }) => tool_sequences.map(({ repetitions }) => repetitions))).toEqual([[], [], [3], [4]])
  const [third, fourth] = traces.slice(2).flatMap(({ tool_sequences }) => tool_sequences)
  expect(fourth?.signature).toBe(third?.signature)
  expect(third?.tools).toEqual(['fs.mkdir', 'fs.write', 'fs.write', 'fs.write'])
  expect(fourth?.step_ids).toHaveLength(4)
  expect(await gapsOf()).toEqual([
    {
      id: expect.any(String),
      ...{ run_id: traces[2]?.run_id, agent_id, conversation_id: traces[2]?.conversation_id, gap_kind: 'workflow_gap' },
      signature: third?.signature,
      summary: 'The same 4 steps were repeated in 4 runs on 4 days, with fs.write, fs.mkdir. The latest request was: “And week 4”',
      behavior_trace_ids: traces.map(({ id }) => id).toReversed(),
      ...{ repetitions: 4, confidence: 0.6, matching_skill: null, already_bound: false, recommendation_id: expect.any(String) },
      led_to: null,
      created_at: expect.any(String),
    },
  ])
  const told = agent.runtime.events.list({ limit: 10_000 })
  expect(told.filter(({ event }) => event === 'behavior_trace_mined').map(({ data }) => data)).toEqual(
    traces.map(({ id: trace_id, tool_sequences }) => {
      return { trace_id, tool_sequences: tool_sequences.length, repeated_constraints: 0, manual_remediations: 0 }
    }),
  )
  expect(told.filter(({ event }) => event === 'skill_gap_detected').map(({ data }) => data)).toEqual([
    { gap_analysis_id: (await gapsOf())[0]?.id, gap_kind: 'workflow_gap', repetitions: 3, matching_skill: null },
  ])
  expect((await agent.call('skill_list_gap_analyses', { gap_kinds: ['policy_gap'] })).items).toEqual([])
})

test('constraints are joined in both languages, and only the words of a person are repeated', async () => {
  const agent_id = await start({})
  const said = [
    'Sort the list. Please reply in German.',
    'Count the lines. Antworte bitte auf Deutsch.',
    'Fix the title. Your answer should be in German.',
  ]
  const ids: string[] = []
  for (const text of said) {
    const { run_id } = await ran(agent_id, text)
    await traceOf(run_id)
    ids.push(run_id)
    spreadOverDays()
  }
  expect((await traceOf(ids[2] ?? '')).repeated_constraints).toEqual([
    {
      constraint: 'Your answer should be in German.',
      repetitions: 3,
      message_ids: [expect.any(String), expect.any(String), expect.any(String)],
    },
  ])
  expect((await gapsOf()).map(({ gap_kind, summary }) => [gap_kind, summary])).toEqual([
    ['knowledge_gap', 'You asked for the same thing in 3 runs on 3 days: “Your answer should be in German.”'],
  ])
})

test('a restore and a file that the user edits afterwards are remediations', async () => {
  const agent_id = await start({
    'Write a module': [write('module.ts', 'export const one = 1\n')],
    'Write it again': [write('other.ts', 'x\n')],
  })
  const { run_id, conversation_id } = await ran(agent_id, 'Write a module')
  await traceOf(run_id)
  writeFileSync(join(agent.workspace, 'module.ts'), '// SPDX-License-Identifier: EUPL-1.2\nexport const one = 1\n')
  const next = await ran(agent_id, 'Write it again', conversation_id)
  expect((await traceOf(next.run_id)).manual_remediations).toEqual([
    { kind: 'edited_file', summary: 'You edited a file by hand that the agent had written.', step_id: null },
  ])
  const checkpoint_id = (await agent.call('agent_run_list_checkpoints', { run_id: next.run_id })).items.at(-1)?.checkpoint_id ?? ''
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id: next.run_id, checkpoint_id, on_conflict: 'overwrite' })
  const restored = await vi.waitFor(async () => {
    const trace = await traceOf(next.run_id)
    expect(trace.manual_remediations.map(({ kind }) => kind)).toContain('restored_checkpoint')
    return trace
  }, patience)
  expect(restored.manual_remediations[0]?.summary).toBe('You restored files after fs.write.')
  expect((await agent.call('skill_list_behavior_traces', { agent_id })).items).toHaveLength(2)
})

test('a canceled run is a remediation; an excluded agent is not mined', async () => {
  const agent_id = await start({ 'Start the suite': [['fs.delete', { path: 'data' }]], Again: [['fs.delete', { path: 'data' }]] })
  await agent.policy(agent_id, 'fs.delete', { approval_mode: 'required' })
  const { run_id } = await ran(agent_id, 'Start the suite')
  await agent.call('agent_run_cancel', { run_id })
  expect((await traceOf(run_id)).manual_remediations).toEqual([
    { kind: 'canceled_run', summary: 'You canceled the run after fs.delete.', step_id: expect.any(String) },
  ])
  await agent.call('learning_set_enabled', { kind: 'agent', id: agent_id, enabled: false })
  const second = await ran(agent_id, 'Again')
  await agent.call('agent_run_cancel', { run_id: second.run_id })
  const { agent_id: other } = (await agent.call('agent_create', { name: 'Other' })).agent
  await traceOf((await ran(other, 'Hello')).run_id)
  expect((await agent.call('skill_list_behavior_traces', { run_id: second.run_id })).items).toEqual([])
})

const asking = 'Write a module. Your answer should be in German.'

test('killed with -9 at every point: a run is mined once, and its gap leads to one memory', async () => {
  const agent_id = await start({ [asking]: [write('module.ts', 'export const one = 1\n')] })
  for (const text of ['Sort the list. Please reply in German.', 'Count the lines. Antworte bitte auf Deutsch.']) {
    await traceOf((await ran(agent_id, text)).run_id)
    spreadOverDays()
  }
  const { conversation_id } = (await agent.call('conversation_create', { agent_id, workspace: agent.workspace })).conversation
  const points = join(agent.folder, 'points')
  const ends: unknown[] = []
  await agent.restart({}, async () => {
    for (let life = 0; life <= crashpoints.length; life += 1) ends.push(await mineUntilKilled(conversation_id, points))
  })
  expect(ends).toEqual([...crashpoints.map(() => 'SIGKILL'), 0])
  expect(readFileSync(points, 'utf8').trim().split('\n').toSorted()).toEqual(crashpoints.toSorted())
  expect((await agent.call('skill_list_behavior_traces', { agent_id })).items).toHaveLength(3)
  const told = agent.runtime.events.list({ limit: 10_000 }).map(({ event }) => event)
  expect(told.filter((one) => one === 'behavior_trace_mined')).toHaveLength(3)
  const proposed = (await agent.call('memory_list_writeback_candidates', {})).items
  expect(proposed).toHaveLength(1)
  expect((await gapsOf()).map(({ led_to }) => led_to)).toMatchObject([{ kind: 'memory', candidate_id: proposed[0]?.id }])
})

/** In a process that is killed at the first crash point that is not in the file. */
async function mineUntilKilled(conversation_id: string, file: string) {
  const preload = new URL('./support/test-crash-preload.ts', import.meta.url).href
  const plan = JSON.stringify({ kill: 'each_point_once', file, among: crashpoints })
  const home = join(agent.folder, 'home')
  const args = ['--import', preload, miner.path, home, agent.workspace, agent.model.base_url, conversation_id, asking]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: miner.compiled, TANDEM_TEST_CRASH_PLAN: plan },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  const [status, signal] = await once(child, 'close')
  return signal ?? (status === 0 ? 0 : errors)
}
