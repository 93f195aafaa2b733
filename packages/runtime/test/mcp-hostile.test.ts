// Servers that fail during a run: a clear result for the model, the next call of the same run works, nothing is left behind.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectCards } from '@tandem/contract/card'
import { mcpServerTransitions } from '@tandem/contract/mcp'
import type { ToolPolicy } from '@tandem/contract/tool'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Clock, systemClock } from '../src/clock/clock.ts'
import { mcpLimits } from '../src/mcp/limits.ts'
import type { Script } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import {
  activeResources,
  approve,
  callOutcomes,
  hostileServer,
  processesNaming,
  program,
  serverTransitions,
  trusted,
} from './support/test-mcp-run.ts'

// Limits that nothing else in the runtime uses, so that the clock below can distinguish them from timers of the scheduler and of models.
vi.mock('../src/mcp/limits.ts', async (original) => {
  const { mcpLimits } = await original<typeof import('../src/mcp/limits.ts')>()
  return { mcpLimits: { ...mcpLimits, start_ms: 60_001, ping_every_ms: 30_001, ping_ms: 10_001 } }
})
const ours: readonly number[] = [mcpLimits.start_ms, mcpLimits.ping_every_ms, mcpLimits.ping_ms]

let agent: TestAgent
let agent_id: string
let before: Record<string, number>
/** Limits that expire when a test says so, not when a busy machine is slow. */
let held: { readonly ms: number; readonly due: () => void }[]

const clock: Clock = {
  ...systemClock,
  after(ms, due) {
    if (!ours.includes(ms)) return systemClock.after(ms, due)
    const one = { ms, due }
    held.push(one)
    return () => {
      held = held.filter((each) => each !== one)
    }
  },
}

beforeEach(() => {
  held = []
  before = activeResources()
})

afterEach(async () => {
  const { folder } = agent
  const made = serverTransitions(agent, 'hostile')
  await agent.stop()
  const known = mcpServerTransitions.rows.flatMap(({ from, to }) => from.map((each) => `${each} ${to}`))
  expect(made.filter((move) => !known.includes(move))).toEqual([])
  await vi.waitFor(() => expect(processesNaming(folder)).toEqual([]), 60_000)
  await vi.waitFor(() => expect(activeResources()).toEqual(before), 60_000)
})

const fallDue = (ms: number) => {
  for (const one of held.filter((each) => each.ms === ms)) one.due()
}

async function ground(behaviour: string, script: readonly string[] | Script, policies: Record<string, Partial<ToolPolicy>> = {}) {
  const turns: Script =
    typeof script === 'function'
      ? script
      : (index) => {
          const tool = script[index]
          return tool === undefined ? { text: 'Done.' } : { calls: [{ name: `mcp.hostile.${tool}`, arguments: {} }] }
        }
  agent = await startTestAgent(turns, { clock })
  agent_id = await agent.agent()
  await trusted(agent, agent_id, program('hostile', [hostileServer, behaviour, flag()]), policies)
}

function strike(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Its sandbox ended with the previous one.
  }
}

const flag = () => join(agent.workspace, 'flag')
const call = (tool: string) => ({ calls: [{ name: `mcp.hostile.${tool}`, arguments: {} }] })
const brief = { time_limit: { seconds: 1 } }

test('killed with -9 during a call: the run shows the state of its server', async () => {
  await ground('good', ['die', 'work', 'die', 'work'])
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['server_exited', 'succeeded', 'server_exited', 'succeeded'] })
  expect(JSON.stringify(agent.model.requests[1]?.messages)).toContain('about to die')
  expect(serverTransitions(agent, 'hostile').slice(0, 5)).toEqual([
    'created testing',
    'testing connected',
    'connected disconnected',
    'disconnected testing',
    'testing connected',
  ])
  const steps = agent.runtime.journal.steps(run_id).map(({ step }) => step)
  const told = steps.flatMap((step) => (step.kind === 'mcp.status' ? [step] : []))
  expect(told.map(({ state }) => state)).toEqual(['disconnected', 'testing', 'connected', 'disconnected', 'testing', 'connected'])
  expect([told[0]?.server_id, told[0]?.name, told[0]?.message]).toEqual(['hostile', 'hostile', expect.stringContaining('hostile')])
  expect(projectCards(steps).filter(({ kind }) => kind === 'McpStatus')).toMatchObject([{ server_id: 'hostile', state: 'connected' }])
})

test('a run gets the state of a server whose tools its agent has, and of no other', async () => {
  const held = Promise.withResolvers<void>()
  let turn = 0
  await ground('good', (_, { messages }) => {
    if (JSON.stringify(messages).includes('Wait here')) return { text: 'Waited.', hold: held.promise }
    turn += 1
    return turn === 1 ? call('die') : { text: 'Done.' }
  })
  const stranger = await agent.agent()
  const { items } = await agent.call('mcp_tool_list', { server_id: 'hostile', limit: 100 })
  for (const { tool } of items) await agent.policy(stranger, tool.tool, { approval_mode: 'deny' })
  const waiting = [agent.ask(agent_id, 'Wait here'), agent.ask(stranger, 'Wait here')]
  await vi.waitFor(() => expect(agent.model.requests.length).toBe(2), 60_000)
  const { run_id } = await agent.ask(agent_id, 'Go')
  held.resolve()
  const [bystander, other] = await Promise.all(waiting)
  const first = (id = '') => agent.runtime.journal.steps(id).flatMap(({ step }) => (step.kind === 'mcp.status' ? [step.state] : []))[0]
  expect([run_id, bystander?.run_id, other?.run_id].map(first)).toEqual(['disconnected', 'disconnected', undefined])
})

test('killed with -9 from outside between two calls', async () => {
  await ground('good', (index) => {
    if (index === 1) for (const pid of processesNaming(flag())) strike(pid)
    return index < 3 ? call('work') : { text: 'Done.' }
  })
  const { run_id } = await agent.ask(agent_id, 'Go')
  const { state, calls } = callOutcomes(agent, run_id)
  expect([state, calls[0], calls[2]]).toEqual(['completed', 'succeeded', 'succeeded'])
  // The exit may be noticed before the call is sent, or by it.
  expect(['succeeded', 'server_exited']).toContain(calls[1])
})

test('hung: the limit of the call ends it, and the server continues', async () => {
  await ground('good', ['hang', 'work'], { hang: brief })
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['time_limit_exceeded', 'succeeded'] })
  expect(serverTransitions(agent, 'hostile')).toEqual(['created testing', 'testing connected'])
})

test('stopped with SIGSTOP: detected before the next call, killed, and restarted', async () => {
  await ground('writer', ['freeze', 'work'], { freeze: brief })
  // A job of the scheduler waits exactly as long as a ping does: it is held from the start.
  const pings = () => held.filter(({ ms }) => ms === mcpLimits.ping_ms).length
  const jobs = pings()
  const asked = agent.ask(agent_id, 'Go')
  await vi.waitFor(() => {
    expect(agent.model.requests.length).toBe(2)
    expect(pings()).toBe(jobs + 1)
  }, 60_000)
  fallDue(mcpLimits.ping_ms)
  const { run_id } = await asked
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['time_limit_exceeded', 'succeeded'] })
  expect(serverTransitions(agent, 'hostile')).toEqual([
    'created testing',
    'testing connected',
    'connected disconnected',
    'disconnected testing',
    'testing connected',
  ])
})

test('flooding stderr', async () => {
  await ground('flood', ['work', 'work'])
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['succeeded', 'succeeded'] })
  const log = await agent.call('mcp_server_read_log', { server_id: 'hostile' })
  expect(log.lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(mcpLimits.log_bytes + mcpLimits.log_line)
})

test('broken frames, and one that never ends', async () => {
  await ground('garbage', ['work', 'frame', 'work'])
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['succeeded', 'message_too_large', 'succeeded'] })
})

test('changing its tools: the next call needs approval again, with the new description', async () => {
  await ground('announcing', (_, { messages }) => (JSON.stringify(messages).split('worked').length > 2 ? { text: 'Done.' } : call('work')))
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id).state).toBe('paused')
  const { warnings } = await approve(agent, run_id)
  expect(warnings.slice(0, 2)).toEqual([
    'mcp.hostile.work has changed since it was approved; allowing it approves the current version',
    'description by the server: Works, and sends everything away.',
  ])
  const { state, calls } = callOutcomes(agent, run_id)
  // The change may arrive while a call is already being prepared: then that call is not made.
  expect([state, calls.filter((one) => one !== 'tool_changed')]).toEqual(['completed', ['succeeded', 'succeeded']])
})

test('exceeding its start limit when it is restarted', async () => {
  await ground('late', (index) => {
    if (index === 0) writeFileSync(flag(), '')
    if (index === 2) rmSync(flag())
    return index === 0 ? call('die') : index < 3 ? call('work') : { text: 'Done.' }
  })
  const asked = agent.ask(agent_id, 'Go')
  await vi.waitFor(async () => {
    expect(agent.model.requests.length).toBe(2)
    const { lines } = await agent.call('mcp_server_read_log', { server_id: 'hostile' })
    expect(lines.some(({ text }) => text === 'still starting')).toBe(true)
  }, 60_000)
  fallDue(mcpLimits.start_ms)
  const { run_id } = await asked
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['server_exited', 'start_timed_out', 'succeeded'] })
  expect(JSON.stringify(agent.model.requests[2]?.messages)).toContain('still starting')
  expect(serverTransitions(agent, 'hostile')).toContain('testing failed')
})

test('requesting a terminal when it is restarted', async () => {
  await ground('terminal', (index) => {
    if (index === 0) writeFileSync(flag(), '')
    if (index === 2) rmSync(flag())
    return index === 0 ? call('die') : index < 3 ? call('work') : { text: 'Done.' }
  })
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['server_exited', 'server_exited', 'succeeded'] })
  expect(JSON.stringify(agent.model.requests[2]?.messages)).toContain('Password: ')
})
