// What a runtime deletes by itself, soon after its start.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams } from '@tandem/contract/command'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openBus } from '../src/event/bus.ts'
import { openEvents } from '../src/event/events.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { openStore } from '../src/store/store.ts'
import { testClock } from './support/clock/test-clock.ts'
import { startTestModel } from './support/model/test-model.ts'

const minute_ms = 60_000
const day_ms = 24 * 60 * minute_ms

test('all old events and old outputs are deleted within minutes of a start', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-keeping-')))
  const clock = testClock()
  const logged: string[] = []
  const home = join(folder, 'home')
  const options = { home, workspace: folder, environment: {}, log: (line: string) => void logged.push(line), clock }
  const store = openStore({ home, clock })
  const events = openEvents(
    store,
    openBus(() => undefined),
  )
  store.transaction(() => {
    for (let no = 0; no < 2_500; no += 1)
      events.emit('checkpoint_expired', {}, { checkpoint_id: `${no}`, reason: 'outlived', deleted: 'point', freed_bytes: 0 })
  })
  store.close()

  const output = join(home, 'outputs', 'call_1-output.txt')
  mkdirSync(join(home, 'outputs'), { recursive: true })
  writeFileSync(output, 'long')
  clock.set(clock.now() + 50 * day_ms)
  const written = (clock.now() - 46 * day_ms) / 1_000
  utimesSync(output, written, written)

  const runtime = openRuntime(options)
  expect(runtime.events.list({ limit: -1 })).toHaveLength(2_500)
  clock.advance(minute_ms)
  await vi.waitFor(() => expect(runtime.events.list({ limit: -1 })).toEqual([]), 60_000)
  clock.advance(minute_ms)
  await vi.waitFor(() => expect(existsSync(output)).toBe(false), 60_000)
  await runtime.stop()
  rmSync(folder, { recursive: true })
  expect(logged).toEqual([])
})

describe('recovery points', () => {
  /** Seven calls of one conversation, in a runtime that ends before its first cleanup. */
  async function sevenPoints(clock: ReturnType<typeof testClock>) {
    const calls = Array.from({ length: 7 }, (_, no) => ({ calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: `${no}` } }] }))
    const model = await startTestModel([...calls, { text: 'Done.' }])
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-keeping-')))
    const open = (life: 'resident' | 'errand') => {
      const environment = {
        PATH: process.env.PATH,
        TANDEM_MEMORY_MODEL: 'off',
        TANDEM_MODEL_URL: model.base_url,
        TANDEM_MODEL: 'test/model',
      }
      return openRuntime({ home: join(folder, 'home'), workspace: folder, environment, log: () => undefined, clock, life })
    }
    onTestFinished(async () => {
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const runtime = open('errand')
    const call = async <Name extends CommandName>(name: Name, params: CommandParams<Name>) => {
      const answer = await runtime.commands.call(name, params)
      if (!answer.ok) throw new Error(answer.error.message)
      return answer.value
    }
    const { agent } = await call('agent_create', { name: 'Tester' })
    const { policy } = await call('agent_tool_policy_get', { agent_id: agent.agent_id, tool: 'fs.write' })
    const auto = { ...policy.policy, approval_mode: 'auto' as const }
    await call('agent_tool_policy_set', { agent_id: agent.agent_id, tool: 'fs.write', policy: auto })
    const { conversation } = await call('conversation_create', { agent_id: agent.agent_id, workspace: folder })
    const { run } = await call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Go' })
    await runtime.settled(run.run_id)
    await runtime.stop()
    clock.set(clock.now() + 15 * day_ms)
    return { run_id: run.run_id, open }
  }

  const expired = (runtime: Runtime, run_id: string) =>
    runtime.events.list({ run_id, limit: -1 }).flatMap(({ event, data }) => (event === 'checkpoint_expired' ? [data.reason] : []))

  test('too old are deleted seconds after a start', async () => {
    const clock = testClock()
    const { run_id, open } = await sevenPoints(clock)
    const runtime = open('resident')
    clock.advance(minute_ms / 6)
    await vi.waitFor(() => expect(expired(runtime, run_id)).toEqual(['outlived', 'outlived']), 60_000)
    const { no } = runtime.journal.conversations.list({ limit: 1 })[0] ?? { no: 0 }
    const told = runtime.journal.messages.of(no, { limit: -1 }).filter(({ role }) => role === 'system')
    expect(told.map(({ text }) => text)).toEqual([
      'Older recovery points of this conversation were deleted at the end of their retention period.',
    ])
    await runtime.stop()
  })

  test('too old are deleted by a process that exists for a single command, and only by the first one', async () => {
    const clock = testClock()
    const { run_id, open } = await sevenPoints(clock)
    const short = open('errand')
    await short.commands.call('runtime_get_settings', {})
    expect(expired(short, run_id)).toEqual([])
    await short.stop()
    const next = open('errand')
    expect(expired(next, run_id)).toEqual(['outlived', 'outlived'])
    const listed = await next.commands.call('agent_run_list_checkpoints', { run_id })
    expect(listed.ok && listed.value.items.length).toBe(5)
    await next.stop()
  })
})
