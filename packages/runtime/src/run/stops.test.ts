// A stop is never lost, and nothing starts after it, whatever the run was about to do.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../test/support/run/test-runs.ts'
import { defineTool, type Effect } from '../call/tool.ts'
import type { Crashpoint } from './crashpoint.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

async function scripted(script: readonly ScriptedTurn[], options: Partial<TestRunsOptions> = {}) {
  model = await startTestModel(script)
  here = openTestRuns({ base_url: model.base_url, ...options })
}

const call = (name: string, text: string) => ({ name, arguments: { text } })
const kinds = (run_id: string) => here.journal.steps(run_id).map(({ step }) => step.kind)
const newest = () => here.journal.runs({ limit: 1 })[0]?.run_id ?? ''

const stops = {
  cancel: (run_id: string) => here.runs.cancel(run_id, 'enough'),
  pause: (run_id: string) => here.runs.pause(run_id),
  shutdown: (_run_id: string) => here.runs.stop(),
}
const stopKinds = Object.keys(stops) as (keyof typeof stops)[]
const ends = { cancel: ['canceled', null], pause: ['paused', 'user'], shutdown: ['paused', 'user'] } as const

/** Does something once, when a crash point is first reached. */
function once(place: Crashpoint, act: () => void): Pick<TestRunsOptions, 'crashPoint'> {
  let done = false
  return {
    crashPoint(point) {
      if (point !== place || done) return
      done = true
      act()
    },
  }
}

/** A tool whose calls take as long to prepare as the test wants. */
function slowToPrepare(does: Extract<Effect['does'], 'read' | 'write'>) {
  let waiting = 0
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const tool = defineTool({
    name: 'test.slow',
    summary: 'Leaves a mark.',
    input: Type.Object({ text: Type.String() }, { additionalProperties: false }),
    output: Type.Object({ marked: Type.String() }, { additionalProperties: false }),
    effects: () => [{ does, path: 'marks' }],
    limits: { seconds: 10 },
    async digest() {
      waiting += 1
      await gate
      return ''
    },
    async run({ text }, { workspace }) {
      appendFileSync(join(workspace, 'marks'), `${text}\n`)
      return { marked: text }
    },
  })
  return { tool, open, waiting: () => waiting }
}

const preparing = stopKinds.flatMap((kind) => [
  { kind, does: 'write' as const, asked: 'asked about' as const, texts: ['a'] },
  { kind, does: 'write' as const, asked: 'allowed' as const, texts: ['a', 'b'] },
  { kind, does: 'read' as const, asked: 'allowed' as const, texts: ['a', 'b'] },
])

test.each(preparing)('$kind while calls ($does, $asked) are prepared: nothing is asked and nothing is executed', async (one) => {
  const { kind, does, asked, texts } = one
  const slow = slowToPrepare(does)
  await scripted([{ calls: texts.map((text) => call('test.slow', text)) }, { text: 'Done.' }], { tools: [slow.tool] })
  if (asked === 'allowed') here.allow('test.slow')
  const started = here.runs.start({ author: 'person', conversation_id: here.conversation().conversation_id, text: 'Go' })
  if (!started.ok) throw new Error(started.message)
  const { run_id } = started.value
  await expect.poll(slow.waiting).toBe(texts.length)
  const stopped = stops[kind](run_id)
  slow.open()
  await stopped
  const run = here.journal.run(run_id)
  expect([run?.state, run?.pause_reason, here.marks(), here.approvals.pending()]).toEqual([...ends[kind], [], []])
  expect(kinds(run_id).filter((step) => step === 'approval.requested' || step === 'tool.started')).toEqual([])
  if (kind !== 'pause') return
  expect(here.runs.resume(run_id)).toMatchObject({ ok: true })
  const after = await here.runs.settled(run_id)
  const wanted = asked === 'allowed' ? ['completed', texts] : ['paused', []]
  expect([after?.state, here.marks().sort()]).toEqual(wanted)
})

test.each(stopKinds)('%s while a checkpoint is taken: the call is not made, and the checkpoint is closed', async (kind) => {
  let stopped: Promise<unknown> | undefined
  const strike = once('checkpoint_taken', () => {
    stopped = stops[kind](newest())
  })
  await scripted([{ calls: [call('test.mark', 'a')] }, { text: 'Done.' }], strike)
  here.allow('test.mark')
  const { run_id } = await here.ask('Mark')
  await stopped
  const run = here.journal.run(run_id)
  expect([run?.state, run?.pause_reason, here.marks()]).toEqual([...ends[kind], []])
  expect([kinds(run_id).includes('tool.started'), here.checkpoints.needsRecovery()]).toEqual([false, false])
  const results = here.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  expect(results.map(({ failure_contract }) => failure_contract?.details.message)).toEqual(
    kind === 'cancel' ? ['test.mark was not called: the run ended first'] : [],
  )
  if (kind !== 'pause') return
  expect(here.runs.resume(run_id)).toMatchObject({ ok: true })
  expect([(await here.runs.settled(run_id))?.state, here.marks()]).toEqual(['completed', ['a']])
})

const question = { name: 'ask_user', arguments: { question: 'Red or blue?', options: [], allows_text: true } }

test.each([
  ['approval_requested', call('test.mark', 'a')],
  ['question_asked', question],
] as const)('a cancel while the run pauses (%s) ends it once, whoever requested it', async (place, made) => {
  const canceled: ReturnType<typeof stops.cancel>[] = []
  const strike = once(place, () => canceled.push(stops.cancel(newest()), stops.cancel(newest())))
  await scripted([{ calls: [made] }], strike)
  const { run_id } = await here.ask('Go')
  const ended = { ok: true, value: { run_id, state: 'canceled' } }
  expect(await Promise.all(canceled)).toMatchObject([ended, ended])
  expect([here.approvals.pending(), here.questions.pending(), await here.ended()]).toEqual([[], [], [run_id]])
  expect(kinds(run_id).filter((kind) => kind === 'run.canceled')).toEqual(['run.canceled'])
})

test('a cancel while the loop fails ends the run', async () => {
  let canceled: ReturnType<typeof stops.cancel> | undefined
  const strike = once('model_called', () => {
    canceled = stops.cancel(newest())
    throw new Error('a bug')
  })
  await scripted([{ text: 'Never recorded.' }], strike)
  const { run_id } = await here.ask('Go')
  expect(await canceled).toMatchObject({ ok: true, value: { run_id, state: 'canceled' } })
  expect([await here.ended(), here.logged.length]).toEqual([[run_id], 1])
})
