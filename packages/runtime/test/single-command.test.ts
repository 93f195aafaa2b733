// A runtime that exists for one command only must not continue a run that the command did not name.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { testClock } from './support/clock/test-clock.ts'
import { startTestModel } from './support/model/test-model.ts'

const minute_ms = 60_000

test('a run that waits for its model is continued by a resident runtime, and never by one that exists for one command', async () => {
  const clock = testClock()
  let broken = true
  const model = await startTestModel(() => (broken ? { status: 503 } : { text: 'Back again.' }))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-errand-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  let runtime: Runtime | undefined
  onTestFinished(async () => {
    await runtime?.stop()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  })
  async function reopen(life: 'resident' | 'errand'): Promise<Runtime> {
    await runtime?.stop()
    const environment = { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'test/model' }
    runtime = openRuntime({ home: join(folder, 'home'), workspace, environment, log: () => undefined, clock, life })
    return runtime
  }

  const first = await reopen('resident')
  // The waits between the attempts of one turn elapse immediately.
  first.bus.subscribe('event', ({ event, data }) => {
    if (event === 'model_call_failed' && data.will_retry) setImmediate(() => clock.advance(minute_ms))
  })
  const created = await first.commands.call('conversation_create', { workspace })
  if (!created.ok) throw new Error(created.error.message)
  const { conversation_id } = created.value.conversation
  const started = await first.commands.call('agent_run_start', { conversation_id, text: 'Go' })
  if (!started.ok) throw new Error(started.error.message)
  const { run_id } = started.value.run
  await first.settled(run_id)
  expect(first.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'model', retry_at: expect.any(Number) })
  broken = false

  const errand = await reopen('errand')
  const asked = model.requests.length
  for (let minute = 0; minute < 30; minute += 1) {
    clock.advance(minute_ms)
    await turn()
    expect(await errand.commands.call('runtime_get_settings', {})).toMatchObject({ ok: true })
  }
  expect([errand.journal.run(run_id)?.state, model.requests.length]).toEqual(['paused', asked])

  const resident = await reopen('resident')
  const ended = new Promise<void>((resolve) => {
    resident.bus.subscribe('step', ({ kind }) => kind === 'run.completed' && resolve())
  })
  clock.advance(minute_ms)
  await ended
  expect(resident.journal.run(run_id)?.state).toBe('completed')
})
