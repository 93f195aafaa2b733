// Tools that take long, print much or start many processes, each as a call of a whole run.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectCards } from '@tandem/contract/card'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from './support/clock/test-clock.ts'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent

async function start(...how: Parameters<typeof startTestAgent>): Promise<void> {
  agent = await startTestAgent(...how)
  onTestFinished(agent.stop)
}

const minute_ms = 60_000

/** Reports that it has begun, and ends when it is allowed to. */
const waiting = 'echo begun; touch begun; until [ -e enough ]; do sleep 0.05; done; echo ended\n'

const command = (text: string): ScriptedTurn => ({ calls: [{ name: 'shell.exec', arguments: { command: text } }] })

/** Starts a run and does not wait for it. */
async function begin(agent_id: string, sandbox_mode: 'trusted' | 'workspace' = 'workspace'): Promise<string> {
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  const { conversation_id } = conversation
  const { run } = await agent.call('agent_run_start', { conversation_id, text: 'Go', sandbox_mode })
  return run.run_id
}

const stepsOf = (run_id: string) => agent.runtime.journal.steps(run_id).map(({ step }) => step)
const resultsOf = (run_id: string) => stepsOf(run_id).filter((step) => step.kind === 'tool.result')

test.each([
  [3_600, 'succeeded', null],
  [1_200, 'timed_out', 'time_limit_exceeded'],
] as const)('a command of half an hour under a limit of %i s: %s', async (seconds, outcome, reason_code) => {
  const clock = testClock()
  await start([command('bash wait.sh'), { text: 'It took its time.' }], { clock })
  writeFileSync(join(agent.workspace, 'wait.sh'), waiting)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto', time_limit: { seconds } })
  const run_id = await begin(agent_id)
  await expect.poll(() => existsSync(join(agent.workspace, 'begun'))).toBe(true)
  const lasted = Math.min(30 * minute_ms, seconds * 1_000)
  clock.advance(lasted)
  if (outcome === 'succeeded') writeFileSync(join(agent.workspace, 'enough'), '')
  await agent.runtime.settled(run_id)
  const [result] = resultsOf(run_id)
  expect([agent.runtime.journal.run(run_id)?.state, result?.outcome, result?.failure_contract?.reason_code ?? null]).toEqual([
    'completed',
    outcome,
    reason_code,
  ])
  const output = { output: outcome === 'succeeded' ? 'begun\nended\n' : 'begun\n', timed_out: outcome === 'timed_out' }
  expect(result?.output).toMatchObject({ ...output, duration_ms: lasted })
})

interface Flooded {
  readonly state: string
  readonly output: Readonly<Record<string, unknown>>
  readonly told: string
  readonly file_size: number
  readonly kept_size: number
  readonly grown_bytes: number
}

test('a command that writes a gigabyte: memory stays flat, and the stored size and path are reported', { timeout: 300_000 }, async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./flood-child.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  const { state, output, told, file_size, kept_size, grown_bytes } = JSON.parse(said) as Flooded
  const cap = 256 * 1024 * 1024
  expect([state, output.exit_code, output.bytes, output.truncated, output.file_bytes, file_size]).toEqual([
    'completed',
    0,
    1_000_000_000,
    true,
    cap,
    cap,
  ])
  // The model gets it too, however much of the rest is left out.
  expect(told).toContain(`1000000000 bytes of output; the first ${cap} bytes are in ${String(output.file)}`)
  expect(told.length).toBeLessThan(40_000)
  expect(kept_size, 'kept when the run is over').toBe(cap)
  expect(grown_bytes).toBeLessThan(200 * 1024 * 1024)
})

/** How many processes have the mark in their arguments, in any namespace, session or group. */
function withMark(mark: string): number {
  const lines = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/.test(name) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8')] : []
    } catch {
      // It ended in the meantime.
      return []
    }
  })
  return lines.filter((line) => line.split('\0').includes(mark)).length
}

/** Children and grandchildren, in their own sessions, orphaned, and ignoring SIGTERM. */
const family = (mark: string) =>
  [
    `sleep ${mark} &`,
    `setsid sleep ${mark} &`,
    `(setsid nohup sleep ${mark} >/dev/null 2>&1 </dev/null &)`,
    `bash -c 'bash -c "sleep ${mark} & sleep ${mark}" & wait' &`,
    `setsid bash -c "trap '' TERM HUP INT; while :; do sleep ${mark}; done" &`,
  ].join('\n')
const familySize = 6

const newMark = () => `8${process.pid}.${String(Math.floor(performance.now() * 1_000))}`

test.each(['workspace', 'trusted'] as const)('canceled while its command has children, in %s mode', async (mode) => {
  const mark = newMark()
  await start([command('bash family.sh'), { text: 'Never said.' }])
  writeFileSync(join(agent.workspace, 'family.sh'), `${family(mark)}\nwait\n`)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  const run_id = await begin(agent_id, mode)
  await expect.poll(() => withMark(mark)).toBe(familySize)
  await agent.call('agent_run_cancel', { run_id, reason: 'enough' })
  expect(withMark(mark)).toBe(0)
  expect(agent.runtime.journal.run(run_id)?.state).toBe('canceled')
  expect(stepsOf(run_id).at(-1)).toMatchObject({ kind: 'run.canceled', reason: 'enough' })
  expect(resultsOf(run_id)).toMatchObject([{ outcome: 'canceled', failure_contract: { reason_code: 'canceled' } }])
  const cards = projectCards(stepsOf(run_id)).filter(({ kind }) => kind === 'ToolCall' || kind === 'RunStatus')
  expect(cards).toMatchObject([
    { kind: 'RunStatus', state: 'canceled' },
    { kind: 'ToolCall', state: 'canceled' },
  ])
  expect(agent.model.requests.length).toBe(1)
})

test('canceled at each of its steps, a run ends as canceled and leaves no process and nothing open', { timeout: 300_000 }, async () => {
  const mark = newMark()
  await start((_index, { messages }) =>
    messages.some(({ role }) => role === 'tool') ? { text: 'Done.' } : { text: 'I begin.', ...command('bash family.sh') },
  )
  // It leaves its children behind, which end with the call.
  writeFileSync(join(agent.workspace, 'family.sh'), `${family(mark)}\nsleep 0.1\n`)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  const undisturbed = await agent.ask(agent_id, 'Go')
  expect([undisturbed.state, withMark(mark)]).toEqual(['completed', 0])
  const kinds = stepsOf(undisturbed.run_id).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['model.called', 'checkpoint.created', 'tool.started', 'tool.result']))

  // Once its last answer is recorded, it is complete.
  for (const [at, kind] of kinds.slice(0, kinds.lastIndexOf('model.completed')).entries()) {
    let canceling: Promise<unknown> | null = null
    const unsubscribe = agent.runtime.bus.subscribe('step', ({ seq, run_id }) => {
      if (seq === at) canceling = agent.call('agent_run_cancel', { run_id, reason: 'enough' })
    })
    const run_id = await begin(agent_id)
    await agent.runtime.settled(run_id)
    await canceling
    unsubscribe()
    const steps = stepsOf(run_id)
    const calls = steps.filter((step) => step.kind === 'tool.call').length
    const open = projectCards(steps).filter((card) => 'state' in card && ['running', 'requested', 'approved'].includes(card.state))
    const left = [agent.runtime.journal.run(run_id)?.state, steps.at(-1)?.kind, resultsOf(run_id).length - calls, open, withMark(mark)]
    expect(left, `at step ${at}, ${kind}`).toEqual(['canceled', 'run.canceled', 0, [], 0])
  }
})
