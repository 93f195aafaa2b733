// Every failure contract that a run writes or returns is also an event, with the stage it occurred at.
import { rmSync } from 'node:fs'
import { runtimeEvents } from '@tandem/contract/event/schema'
import type { FailureContract } from '@tandem/contract/failure'
import fc from 'fast-check'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { afterEach, expect, test } from 'vitest'
import { type ScriptedTurn, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../test/support/run/test-runs.ts'
import { defineTool } from '../call/tool.ts'
import { atStage, StageError, StoppedError } from './stops.ts'

let model: TestModel | undefined
let here: TestRuns | undefined
afterEach(async () => {
  here?.close()
  here?.remove()
  await model?.close()
  here = undefined
})

async function open(script: readonly ScriptedTurn[], options: Partial<TestRunsOptions> = {}): Promise<TestRuns> {
  model = await startTestModel(script)
  here = openTestRuns({ base_url: model.base_url, ...options })
  return here
}

const unknownRun = '0199aaaa-0000-7000-8000-00000000dead'
const brief = ({ taxonomy, stage, reason_code }: FailureContract) => [taxonomy, stage, reason_code]

function failures(runs: TestRuns) {
  return runs.events.list({ limit: -1 }).flatMap((one) => {
    const { no: _no, ...event } = one
    // Every event matches its schema, so a key failure has its contract and the ids of its scope.
    expect(Check(runtimeEvents[one.event], event), JSON.stringify(event)).toBe(true)
    return one.failure_contract ? [[one.event, ...brief(one.failure_contract)]] : []
  })
}

test('an internal error is an event at the stage where it occurred, and the run can be resumed', async () => {
  for (const [place, stage] of [
    ['model_called', 'model_call'],
    ['tool_started', 'tool_execution'],
    ['checkpoint_taken', 'checkpoint'],
    ['approval_requested', 'approval'],
  ] as const) {
    let thrown = false
    const tool = place === 'approval_requested' ? 'test.guarded' : 'test.mark'
    const runs = await open([{ calls: [{ name: tool, arguments: { text: 'x' } }] }, { text: 'Done.' }], {
      crashPoint(at) {
        if (at !== place || thrown) return
        thrown = true
        throw new Error('scripted bug')
      },
    })
    runs.allow('test.mark')
    const run = await runs.ask('Go')
    expect([place, failures(runs)]).toEqual([place, [['run_error', 'none', stage, 'internal_error']]])
    expect([place, run.state]).toEqual([place, 'paused'])
    runs.close()
    runs.remove()
    await model?.close()
    here = undefined
  }
})

test('the innermost stage is reported, and a stop is not an error', async () => {
  const bug = () => Promise.reject(new Error('x'))
  const stop = () => Promise.reject(new StoppedError('pause'))
  const caught = (work: () => Promise<unknown>) => work().catch((error: unknown) => (error instanceof StageError ? error.stage : error))
  expect(await caught(() => atStage('tool_execution', () => atStage('checkpoint', bug)))).toBe('checkpoint')
  expect(await caught(() => atStage('model_call', stop))).toBeInstanceOf(StoppedError)
})

test('a resume that is rejected for any reason has resume_failure and is an event', async () => {
  const runs = await open([{ calls: [{ name: 'test.guarded', arguments: { text: 'x' } }] }, { text: 'Done.' }])
  const { run_id } = await runs.ask('Go')
  const approval = runs.approvals.pending(runs.journal.run(run_id)?.no ?? 0)[0]
  if (!approval) throw new Error('no approval is pending')
  const { approval_id, fingerprint } = approval
  const answer = { kind: 'approval', approval_id, fingerprint, answer: 'once' } as const
  const rejected = [
    runs.runs.resume(unknownRun),
    runs.runs.resume(run_id),
    runs.runs.resume(run_id, { ...answer, approval_id: unknownRun }),
    runs.runs.resume(run_id, { ...answer, fingerprint: 'another' }),
    runs.runs.resume(run_id, { kind: 'question', question_id: unknownRun, answer: { chosen: [], text: 'x' } }),
  ]
  rmSync(runs.workspace, { recursive: true })
  rejected.push(runs.runs.resume(run_id, answer))
  await runs.runs.cancel(run_id, null)
  rejected.push(runs.runs.resume(run_id, answer))
  await runs.runs.stop()
  rejected.push(runs.runs.resume(run_id, answer))
  const expected = [
    ['resume_failure', 'resume', 'not_found'],
    ['resume_failure', 'resume', 'answer_mismatch'],
    ['resume_failure', 'resume', 'nothing_pending'],
    ['resume_failure', 'resume', 'answer_mismatch'],
    ['resume_failure', 'resume', 'nothing_pending'],
    ['resume_failure', 'resume', 'workspace_gone'],
    ['resume_failure', 'resume', 'transition_refused'],
    ['resume_failure', 'resume', 'storage_unavailable'],
  ]
  expect(rejected.map((one) => (one.ok || !one.failure_contract ? null : brief(one.failure_contract)))).toEqual(expected)
  expect(failures(runs).filter(([event]) => event === 'run_resume_rejected')).toEqual(
    expected.map((one) => ['run_resume_rejected', ...one]),
  )
  const about = runs.events.list({ limit: -1 }).flatMap((one) => (one.event === 'run_resume_rejected' ? [[one.run_id, one.data]] : []))
  expect(about[0]).toEqual([null, { requested_run_id: unknownRun, code: 'not_found' }])
  expect(about[1]).toEqual([run_id, { requested_run_id: run_id, code: 'answer_mismatch' }])
  expect(about[5]).toEqual([run_id, { requested_run_id: run_id, code: 'resume_unavailable' }])
})

test('a run that cannot start is an event, also if the conversation does not exist', async () => {
  const runs = await open([])
  const { conversation_id } = runs.conversation()
  expect(runs.runs.start({ author: 'person', conversation_id: unknownRun, text: 'Go' })).toMatchObject({
    failure_contract: { stage: 'start' },
  })
  rmSync(runs.workspace, { recursive: true })
  runs.runs.start({ author: 'person', conversation_id, text: 'Go' })
  expect(failures(runs)).toEqual([
    ['run_start_rejected', 'none', 'start', 'not_found'],
    ['run_start_rejected', 'none', 'start', 'invalid_params'],
  ])
})

test('a rejected restore is an event', async () => {
  const runs = await open([{ text: 'Done.' }])
  const { run_id } = await runs.ask('Go')
  await runs.runs.restore(unknownRun, unknownRun, 'stop')
  await runs.runs.restore(run_id, unknownRun, 'stop')
  expect(failures(runs)).toEqual([
    ['checkpoint_restore_failed', 'none', 'restore', 'not_found'],
    ['checkpoint_restore_failed', 'none', 'restore', 'checkpoint_expired'],
  ])
})

test('a failed summary is an event of the compaction', async () => {
  const runs = await open([{ text: 'word '.repeat(3_000) }, { status: 400, body: '{"error":{"message":"no"}}' }, { text: 'Done.' }], {
    window: 6_000,
  })
  await runs.ask('Go')
  await runs.ask('Go on')
  expect(failures(runs)).toEqual([['model_call_failed', 'none', 'compaction', 'rejected']])
})

test('the event of a resume has the full resume contract', async () => {
  const runs = await open([{ calls: [{ name: 'test.guarded', arguments: { text: 'x' } }] }, { text: 'Done.' }])
  const { run_id } = await runs.ask('Go')
  const approval = runs.approvals.pending(runs.journal.run(run_id)?.no ?? 0)[0]
  if (!approval) throw new Error('no approval is pending')
  const { approval_id, fingerprint } = approval
  const resumed = runs.runs.resume(run_id, { kind: 'approval', approval_id, fingerprint, answer: 'once' })
  await runs.runs.settled(run_id)
  const events = runs.events.list({ run_id, limit: -1 }).flatMap((one) => (one.event === 'run_resumed' ? [one.data] : []))
  expect(events).toEqual([{ resume_contract: resumed.ok ? resumed.value.resume_contract : null }])
})

const crashTool = defineTool({
  name: 'test.crash',
  summary: 'Fails with a bug.',
  input: Type.Object({}),
  output: Type.Null(),
  effects: () => [],
  limits: { seconds: 10 },
  run: async () => {
    throw new TypeError('scripted bug')
  },
})

const turns = {
  answer: { text: 'Done.' },
  mark: { calls: [{ name: 'test.mark', arguments: { text: 'x' } }] },
  bug: { calls: [{ name: 'test.crash', arguments: {} }] },
  fail: { calls: [{ name: 'test.fail', arguments: { text: 'x' } }] },
  ask: { calls: [{ name: 'test.guarded', arguments: { text: 'x' } }] },
  unknown: { calls: [{ name: 'test.nothing', arguments: {} }] },
  invalid: { calls: [{ name: 'test.mark', arguments: { text: 7 } }] },
  refusal: { refusal: 'No.' },
  rejected: { status: 400, body: '{"error":{"message":"no"}}' },
} satisfies Record<string, ScriptedTurn>

test('every failure contract written in a run is also an event', async () => {
  const names = Object.keys(turns) as (keyof typeof turns)[]
  const place = fc.constantFrom(null, 'model_called', 'turn_recorded', 'checkpoint_taken', 'tool_started', 'tool_done', 'run_ending')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), place, async (script, broken) => {
      let thrown = false
      const runs = await open([...script.map((name) => turns[name]), turns.answer, turns.answer], {
        tools: [crashTool],
        crashPoint(at) {
          if (at !== broken || thrown) return
          thrown = true
          throw new Error('scripted bug')
        },
      })
      try {
        for (const tool of ['test.mark', 'test.crash', 'test.fail']) runs.allow(tool)
        const { run_id } = await runs.ask('Go')
        const returned = [runs.runs.resume(run_id), await runs.runs.restore(run_id, unknownRun, 'stop')]
        await runs.runs.settled(run_id)
        const steps = runs.journal.steps(run_id).flatMap(({ step }) => ('failure_contract' in step ? (step.failure_contract ?? []) : []))
        const written = [...steps, ...returned.flatMap((one) => (one.ok || !one.failure_contract ? [] : one.failure_contract))]
        const events = runs.events.list({ limit: -1 }).map(({ failure_contract }) => JSON.stringify(failure_contract))
        expect(written.filter((contract) => !events.includes(JSON.stringify(contract)))).toEqual([])
        failures(runs)
      } finally {
        runs.close()
        runs.remove()
        await model?.close()
        here = undefined
      }
    }),
    { numRuns: 25 },
  )
})
