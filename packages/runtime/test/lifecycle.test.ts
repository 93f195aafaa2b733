// Lifecycle events of a whole runtime, driven by commands: they are delivered, failures are shown, and a command prints before delivery.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { expect, onTestFinished, test } from 'vitest'
import type { LifecycleEvent, LifecycleListener } from '../src/event/lifecycle/lifecycle-event.ts'
import { openRuntime } from '../src/runtime.ts'
import { testClock } from './support/clock/test-clock.ts'
import { startTestModel } from './support/model/test-model.ts'

async function grounds() {
  const model = await startTestModel(() => ({ text: 'Done.' }))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-lifecycle-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const clock = testClock()
  onTestFinished(async () => {
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const environment = { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'test/model' }
  function open(life: 'resident' | 'errand', listeners: readonly LifecycleListener[]) {
    const features = listeners.map(({ name, ...on }) => () => ({ name, on }))
    const runtime = openRuntime({ home: join(folder, 'home'), workspace, environment, log: () => undefined, clock, life, features })
    async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
      const answered = await runtime.commands.call(name, params)
      if (!answered.ok) throw new Error(answered.error.message)
      return answered.value
    }
    return { runtime, call }
  }
  return { clock, workspace, open }
}

function listener(name: string, first: (event: LifecycleEvent) => unknown = () => undefined) {
  const heard: string[] = []
  const hear = async (event: LifecycleEvent) => {
    await first(event)
    heard.push(event.event)
  }
  return { name, from: 'now', heard, hears: { run_ended: hear, agent_created: hear, conversation_created: hear } } as const
}

async function turns() {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

test('events caused by commands are delivered, and one that fails three times is in runtime_status until it is processed', async () => {
  const { clock, workspace, open } = await grounds()
  let isBroken = true
  const heard = listener('test', ({ event }) => {
    if (isBroken && event === 'run_ended') throw new Error('the notes are full')
  })
  const { runtime, call } = open('resident', [heard])
  const { agent } = await call('agent_create', { name: 'Scribe' })
  const { conversation } = await call('conversation_create', { agent_id: agent.agent_id, workspace })
  const { run } = await call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Go' })
  await runtime.settled(run.run_id)
  await turns()
  for (const wait_ms of [1_000, 2_000]) {
    expect((await call('runtime_status', {})).parked_deliveries).toEqual([])
    clock.advance(wait_ms)
    await turns()
  }
  expect((await call('runtime_status', {})).parked_deliveries).toEqual([
    {
      listener: 'test',
      event: 'run_ended',
      event_id: expect.any(String),
      subject: { kind: 'run', id: run.run_id },
      since: expect.any(String),
      failures: 3,
      retry_at: expect.any(String),
      reason: 'the notes are full',
    },
  ])
  isBroken = false
  clock.advance(4_000)
  await turns()
  expect([heard.heard, (await call('runtime_status', {})).parked_deliveries]).toEqual([
    ['agent_created', 'conversation_created', 'run_ended'],
    [],
  ])
  await runtime.stop()
})

test('a process that exists for one command delivers after its result, for 300 ms; the next one delivers the rest', async () => {
  const { clock, workspace, open } = await grounds()
  const order: string[] = []
  const hung = listener('hung', ({ event }) => {
    order.push(event)
    return new Promise(() => undefined)
  })
  const errand = open('errand', [hung])
  const { conversation } = await errand.call('conversation_create', { workspace })
  const { run } = await errand.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Go' })
  await errand.runtime.settled(run.run_id)
  clock.advance(60_000)
  await turns()
  order.push('printed')
  let hasStopped = false
  const stopping = errand.runtime.stop().then(() => {
    hasStopped = true
  })
  while (order.length < 4) await nextTurn()
  expect([order[0], order.slice(1).toSorted()]).toEqual(['printed', ['agent_created', 'conversation_created', 'run_ended']])
  clock.advance(299)
  await turns()
  expect(hasStopped).toBe(false)
  clock.advance(1)
  await stopping

  const next = listener('hung')
  await open('errand', [next]).runtime.stop()
  expect(next.heard.toSorted()).toEqual(['agent_created', 'conversation_created', 'run_ended'])
})
