// A process is killed with -9 at every step of a recommendation. Afterwards each transition must have happened exactly once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { crashpoints } from '../src/evolution/rollout/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { type RoutineStep, routineScript } from './support/test-routine.ts'

const program = useBundledProgram('test-rollout-process.ts')
let agent: TestAgent
afterEach(() => agent.stop())

const words = ['alpha beacon', 'copper dune', 'ember forest', 'garnet harbor', 'indigo jungle', 'kernel lagoon', 'marble nickel']
const release = (n: number): readonly RoutineStep[] => [
  ['fs.mkdir', { path: `release/v${n}` }],
  ['fs.write', { path: `release/v${n}/notes.md`, content: `${words[n % 7]} ${words[(n + 3) % 7]}` }],
  ['fs.write', { path: 'CHANGELOG.md', content: `${words[(n + 1) % 7]} and ${words[(n + 2) % 7]}` }],
  ['fs.write', { path: 'VERSION', content: `${n}.0.0` }],
]

test('killed once at every point, each transition happens once', { timeout: 900_000 }, async () => {
  agent = await startTestAgent(routineScript((request) => release(Number(/\d+/.exec(request)?.[0] ?? 0))))
  const agent_id = await agent.agent()
  for (const tool of ['fs.mkdir', 'fs.write']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const file = join(agent.folder, 'points')
  const ends: unknown[] = []
  await agent.restart({}, async () => {
    for (let life = 0; life <= crashpoints.length; life += 1) ends.push(await live(agent_id, file))
  })
  expect(ends).toEqual([...crashpoints.map(() => 'SIGKILL'), 0])
  expect(readFileSync(file, 'utf8').trim().split('\n').toSorted()).toEqual(crashpoints.toSorted())
  const [found, ...others] = (await agent.call('skill_list_recommendations', {})).items
  expect([found?.state, others]).toEqual(['retired', []])
  const { validations } = await agent.call('skill_get_recommendation', { recommendation_id: found?.id ?? '' })
  const steps = validations.flatMap(({ from_state, to_state }) => (from_state === to_state ? [] : [to_state]))
  expect(steps).toEqual([
    ...[
      'draft_generated',
      'validated',
      'shadow_ready',
      'shadow_active',
      'canary_ready',
      'canary_applied',
      'live',
      'rolled_back',
      'retired',
    ],
  ])
  const told = agent.runtime.events.list({ limit: 10_000 }).map(({ event }) => event)
  const once = ['skill_gap_detected', 'skill_recommendation_generated', 'skill_draft_generated']
  const later = ['skill_canary_applied', 'skill_promoted_to_live', 'skill_rollback_completed', 'skill_retired']
  for (const event of [...once, ...later]) expect([event, told.filter((one) => one === event).length]).toEqual([event, 1])
  // The draft, both steps of the shadow, and the canary that passed.
  expect(told.filter((one) => one === 'skill_validation_completed')).toHaveLength(4)
  expect((await agent.call('skill_list_versions', {})).items).toHaveLength(1)
  expect((await agent.call('skill_binding_list', { agent_id })).items).toEqual([])
  expect(existsSync(join(agent.folder, 'home', 'skills', 'release'))).toBe(false)
})

/** In a process that is killed at the first crash point that is not in the file. */
async function live(agent_id: string, file: string) {
  const preload = new URL('./support/test-crash-preload.ts', import.meta.url).href
  const plan = JSON.stringify({ kill: 'each_point_once', file, among: crashpoints })
  const args = ['--import', preload, program.path, join(agent.folder, 'home'), agent.workspace, agent.model.base_url, agent_id]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: program.compiled, TANDEM_TEST_CRASH_PLAN: plan },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  const [status, signal] = await once(child, 'close')
  return signal ?? (status === 0 ? 0 : errors)
}
