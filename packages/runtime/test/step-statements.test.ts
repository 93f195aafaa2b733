// How many statements a step of the loop executes: what has not changed since the step before is not read again
// (docs/decisions/0107).

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { openRuntime } from '../src/runtime.ts'
import { startTestModel } from './support/model/test-model.ts'

const statementsAtMost = 25
const steps = 12

test(`a step with one call of time.now executes at most ${statementsAtMost} statements`, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-step-statements-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const model = await startTestModel((_index, { messages }) =>
    messages.filter(({ role }) => role === 'tool').length < steps ? { calls: [{ name: 'time.now', arguments: {} }] } : { text: 'Done.' },
  )
  let executed: string[] = []
  for (const name of ['run', 'get', 'all'] as const) {
    const call = StatementSync.prototype[name] as (...values: unknown[]) => unknown
    vi.spyOn(StatementSync.prototype, name).mockImplementation(function (this: StatementSync, ...values: unknown[]) {
      executed.push(this.sourceSQL.replace(/\s+/g, ' ').trim())
      return call.apply(this, values) as never
    })
  }
  const perStep: (readonly string[])[] = []
  const runtime = openRuntime({
    home: join(folder, 'home'),
    workspace,
    environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'test/model' },
    log: () => undefined,
    crashPoint(point) {
      if (point !== 'model_called') return
      perStep.push(executed)
      executed = []
    },
  })
  try {
    const { agent_id } = (await done(runtime.commands.call('agent_create', { name: 'Clock' }))).agent
    const { conversation_id } = (await done(runtime.commands.call('conversation_create', { agent_id, workspace }))).conversation
    const { run_id } = (await done(runtime.commands.call('agent_run_start', { conversation_id, text: 'What time is it?' }))).run
    await runtime.settled(run_id)
    expect((await done(runtime.commands.call('agent_run_get', { run_id }))).run.state).toBe('completed')
  } finally {
    vi.restoreAllMocks()
    await runtime.stop()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
  expect(perStep).toHaveLength(steps + 1)
  // The first steps read for the first time. What a timer does in the meantime is not part of a step.
  const least = perStep.slice(3).reduce((left, right) => (right.length < left.length ? right : left))
  expect(least.filter((text) => text.startsWith('UPDATE runs'))).not.toEqual([])
  expect(least.length, least.join('\n')).toBeLessThanOrEqual(statementsAtMost)
})

async function done<Value>(answer: Promise<{ ok: true; value: Value } | { ok: false; error: { message: string } }>): Promise<Value> {
  const given = await answer
  if (!given.ok) throw new Error(given.error.message)
  return given.value
}
