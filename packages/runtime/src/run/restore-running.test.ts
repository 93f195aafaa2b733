// Restoring a running run: it is paused first, whatever it is doing, and the restore undoes all of it.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../test/support/run/test-runs.ts'
import { defineTool } from '../call/tool.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

/** Writes a line, then works until it is stopped. */
const endless = defineTool({
  name: 'test.endless',
  summary: 'Writes a line and never ends by itself.',
  input: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ marked: Type.String() }, { additionalProperties: false }),
  effects: () => [{ does: 'write', path: 'marks' }],
  limits: { seconds: 600 },
  async run({ text }, { workspace, signal }) {
    appendFileSync(join(workspace, 'marks'), `${text}\n`)
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    return { marked: text }
  },
})

const call = (name: string, text: string) => ({ name, arguments: { text } })

async function running(script: readonly ScriptedTurn[], until: () => boolean): Promise<{ run_id: string; checkpoint_id: string }> {
  model = await startTestModel(script)
  here = openTestRuns({ base_url: model.base_url, tools: [endless] })
  here.allow('test.mark')
  here.allow('test.endless')
  writeFileSync(join(here.workspace, 'marks'), 'old\n')
  const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Go' })
  if (!started.ok) throw new Error(started.message)
  const { run_id } = started.value
  await expect.poll(until).toBe(true)
  const checkpoint_id = here.checkpoints.list(run_id, null, {}).items.at(-1)?.checkpoint_id ?? ''
  return { run_id, checkpoint_id }
}

const marks = () => readFileSync(join(here.workspace, 'marks'), 'utf8')
const stateOf = (run_id: string) => here.journal.run(run_id)?.state

test.each([
  { name: 'a tool', second: { calls: [call('test.endless', 'second')] }, until: () => here.marks().length === 3 },
  {
    name: 'the model',
    second: { text: 'Never said.', hold: new Promise<void>(() => undefined) },
    until: () => model.requests.length === 2,
  },
])('while $name is working', async ({ second, until }) => {
  const { run_id, checkpoint_id } = await running([{ calls: [call('test.mark', 'first')] }, second], until)
  expect(stateOf(run_id)).toBe('running')
  const restored = await here.runs.restore(run_id, checkpoint_id, 'stop')
  expect(restored).toMatchObject({ ok: true, value: { run_id, checkpoint_id, left_alone: [] } })
  expect([marks(), here.journal.run(run_id)]).toMatchObject(['old\n', { state: 'paused', pause_reason: 'restore' }])
  const from = here.events.list({ run_id, limit: 1_000 }).filter(({ event }) => event === 'checkpoint_restored')
  expect(from.map(({ data }) => data)).toMatchObject([{ checkpoint_id, from_state: 'paused' }])
})

test('refuses a second restore and a resume at the same time, and the run stays paused', async () => {
  const { run_id, checkpoint_id } = await running([{ calls: [call('test.endless', 'first')] }], () => here.marks().length === 2)
  const first = here.runs.restore(run_id, checkpoint_id, 'stop')
  const second = here.runs.restore(run_id, checkpoint_id, 'stop')
  expect(here.runs.resume(run_id)).toMatchObject({ ok: false, code: 'run_busy' })
  expect([await first, await second]).toMatchObject([{ ok: true }, { ok: false, code: 'run_busy' }])
  expect([marks(), stateOf(run_id)]).toEqual(['old\n', 'paused'])
})

test('a conflict leaves the run paused and is reported', async () => {
  const script = [{ calls: [call('test.mark', 'first')] }, { text: 'Never said.', hold: new Promise<void>(() => undefined) }]
  const { run_id, checkpoint_id } = await running(script, () => model.requests.length === 2)
  writeFileSync(join(here.workspace, 'marks'), 'mine\n')
  const refused = await here.runs.restore(run_id, checkpoint_id, 'stop')
  expect(refused).toMatchObject({
    ok: false,
    code: 'restore_conflict',
    message: expect.stringContaining('the run was paused for the restore: resume it to continue without restoring'),
  })
  expect([marks(), stateOf(run_id)]).toEqual(['mine\n', 'paused'])
})

test('a missing checkpoint leaves the run running', async () => {
  const { run_id } = await running([{ calls: [call('test.endless', 'first')] }], () => here.marks().length === 2)
  expect(await here.runs.restore(run_id, '01990000-0000-7000-8000-00000000dead', 'stop')).toMatchObject({ code: 'checkpoint_expired' })
  expect(stateOf(run_id)).toBe('running')
})
