import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns, type TestRunsOptions } from '../../../test/support/run/test-runs.ts'
import { defineTool } from '../../call/tool.ts'
import type { LifecycleData, LifecycleListener } from '../../event/lifecycle/lifecycle-event.ts'
import { announceCompaction } from './announce-compaction.ts'
import { summaryText } from './compaction.ts'
import { noFacts, planIn, transcriptFacts } from './facts.ts'
import type { Entry } from './transcript.ts'

const writeTool = defineTool({
  name: 'fs.write',
  summary: 'Says that it wrote.',
  input: Type.Object({ path: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ path: Type.String() }, { additionalProperties: false }),
  effects: () => [],
  limits: { seconds: 10 },
  run: async ({ path }) => ({ path }),
})

const todos = [
  { id: 't1', title: 'Paint the door', state: 'pending' as const, state_ts: '2026-01-01T00:00:00.000Z' },
  { id: 't2', title: 'Forgotten', state: 'deleted' as const, state_ts: '2026-01-01T00:00:00.000Z' },
]

let model: TestModel | undefined
let here: TestRuns | undefined

afterEach(async () => {
  here?.close()
  here?.remove()
  await model?.close()
  here = undefined
  model = undefined
})

test('known facts survive repeated compactions and a restart, however little the model writes', async () => {
  let summed = 0
  let wanted = 2
  model = await startTestModel((index, { messages }) => {
    if (String(messages.at(-1)?.content).startsWith('Summarize')) {
      summed += 1
      return { text: summed === 1 ? '"Decided plan"\nThrough the blue door.\n"Done"\nLooked.' : 'ok' }
    }
    if (index === 0) return { calls: [{ name: 'fs.write', arguments: { path: 'src/kept.ts' } }] }
    if (index === 1) return { calls: [{ name: 'test.fail', arguments: { text: 'the red door is locked' } }] }
    return summed < wanted ? { calls: [{ name: 'test.look', arguments: { text: `${index} ${'word '.repeat(700)}` } }] } : { text: 'Done.' }
  })
  const open = (home?: string) => {
    const opened = openTestRuns({ base_url: model?.base_url ?? '', window: 8_000, tools: [writeTool], todos, ...(home ? { home } : {}) })
    for (const tool of ['fs.write', 'test.fail', 'test.look']) opened.allow(tool)
    return opened
  }
  const summaries = (run_id: string) =>
    here?.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'context.compacted' ? [step.summary] : [])) ?? []
  const known = (summary: string) => ({
    request: /## The request you are working on, in the user's words\n(.*)/.exec(summary)?.[1],
    plan: planIn(summary),
    failed: summary.includes('the red door is locked'),
    touched: summary.includes('- src/kept.ts'),
    todo: summary.includes('- [pending] Paint the door'),
    deleted: summary.includes('Forgotten'),
  })
  const all = { plan: 'Through the blue door.', failed: true, touched: true, todo: true, deleted: false }

  here = open()
  const first = await here.ask('Open the door')
  expect(first.state).toBe('completed')
  expect(summaries(first.run_id).map(known)).toEqual(Array.from({ length: 2 }, () => ({ request: 'Open the door', ...all })))

  here.close()
  here = open(here.home)
  wanted = 4
  const second = await here.ask('Now close it')
  expect(second.state).toBe('completed')
  expect(summaries(second.run_id).map((summary) => ({ ...known(summary), request: null }))).toEqual(
    Array.from({ length: 2 }, () => ({ request: null, ...all })),
  )
  expect(known(summaries(second.run_id).at(-1) ?? '').request).toBe('Now close it')
})

/** Three long responses, after which a fourth turn needs a compaction. */
async function almostFull(listeners: readonly LifecycleListener[], options: Partial<TestRunsOptions> = {}) {
  model = await startTestModel((index, { messages }) => ({
    text: String(messages.at(-1)?.content).startsWith('Summarize') ? '"Done"\nA little.' : `${index} ${'word '.repeat(1_500)}`,
  }))
  const opened = openTestRuns({ base_url: model.base_url, window: 8_000, listeners, ...options })
  here = opened
  for (const words of ['One', 'Two', 'Three']) expect((await opened.ask(words)).state).toBe('completed')
  return opened
}

const compactions = (runs: TestRuns, run_id: string) =>
  runs.journal.steps(run_id).flatMap(({ step, here: { through } }) => (step.kind === 'context.compacted' ? [through] : []))

test('before a compaction, listeners get the range while everything is still there, and one that fails does not stop it', async () => {
  const heard: { readonly data: LifecycleData['before_compaction']; readonly requests: number; readonly compacted: number }[] = []
  const opened = await almostFull([
    {
      name: 'notes',
      from: 'now',
      hears: {
        async before_compaction({ data }) {
          heard.push({ data, requests: model?.requests.length ?? 0, compacted: compactions(opened, data.run_id).length })
          throw new Error('the notes are full')
        },
      },
    },
  ])
  expect(heard).toEqual([])
  const { run_id, conversation_id, agent_id, state } = await opened.ask('Four')
  const [through, ...more] = compactions(opened, run_id)
  expect([state, more]).toEqual(['completed', []])
  const runs = opened.journal.runs({ limit: 10 }).toReversed()
  const last = runs.find(({ no }) => no === through?.run)
  // Before the model summarizes, and before anything is recorded: from the first message to the last that the summary replaces.
  expect(heard).toEqual([
    {
      data: {
        run_id,
        conversation_id,
        agent_id,
        range: { from: { run_id: runs[0]?.run_id, seq: 0 }, through: { run_id: last?.run_id, seq: through?.seq } },
      },
      requests: 3,
      compacted: 0,
    },
  ])
  expect(opened.logged).toEqual([expect.stringContaining(`notes could not process an event of run ${run_id}: the notes are full`)])
})

test('the loop waits for the configured time and compacts anyway; the listener finishes with the range, and a user who requests a compaction waits for it', async () => {
  const clock = testClock()
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const heard: unknown[] = []
  const slow: LifecycleListener = {
    name: 'notes',
    from: 'now',
    hears: {
      async before_compaction({ data }) {
        begun.resolve()
        await goOn.promise
        heard.push(data.range)
      },
    },
  }
  const opened = await almostFull([slow], { clock, compactionWait_ms: 5_000 })
  const asking = opened.ask('Four')
  await begun.promise
  const [{ run_id } = { run_id: '' }] = opened.journal.runs({ state: 'running', limit: 1 })
  clock.advance(4_999)
  await turns()
  expect([model?.requests.length, compactions(opened, run_id).length]).toEqual([3, 0])
  clock.advance(1)
  const run = await asking
  expect([run.state, compactions(opened, run_id).length, heard]).toEqual(['completed', 1, []])

  // After the late one of the same run, in order, and without a limit.
  const old: Entry[] = [{ at: { run: run.no, seq: 0 }, kind: 'user', text: 'Four' }]
  let end: string | null = null
  const announced = announceCompaction({ ...opened, log: (line) => opened.logged.push(line) }, run, old, {}).then((how) => (end = how))
  clock.advance(60_000)
  await turns()
  expect(end).toBe(null)
  goOn.resolve()
  expect([await announced, heard.length, heard.at(-1)]).toEqual(['heard', 2, { from: { run_id, seq: 0 }, through: { run_id, seq: 0 } }])
  expect([opened.logged, opened.store.sql.all`SELECT no FROM lifecycle_events`]).toEqual([[], []])
})

/** Lets everything run that does not wait for a clock. */
async function turns() {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

test('pending approvals and all other known facts come before the text of the model', () => {
  const known = {
    request: 'r'.repeat(20_000),
    plan: 'The plan.',
    failedAttempts: Array.from({ length: 500 }, (_, index) => `failed ${index} ${'x'.repeat(400)}`),
    touchedFiles: Array.from({ length: 500 }, (_, index) => `src/${index}.ts`),
    openApprovals: ['shell.exec rm -rf build'],
    todos,
  }
  const summary = summaryText('t'.repeat(100_000), known, { tokens: 16_000, reserved: 1_000 })
  const told = [
    'failed 499 x',
    '- src/499.ts',
    '- shell.exec rm -rf build',
    '- [pending] Paint the door',
    '## Decided plan\nThe plan.',
    'rrr',
  ]
  expect(told.filter((text) => !summary.includes(text))).toEqual([])
  expect(summary.length).toBeLessThanOrEqual(30_000)
})

test('a summary never fills the space it makes', () => {
  const lines = fc.array(fc.string({ maxLength: 600 }), { maxLength: 80 })
  fc.assert(
    fc.property(
      ...([fc.string({ maxLength: 90_000 }), fc.string({ maxLength: 9_000 }), fc.string(), lines, lines, lines] as const),
      fc.integer({ min: 1_000, max: 200_000 }),
      (told, request, plan, failedAttempts, touchedFiles, openApprovals, tokens) => {
        const summary = summaryText(told, { request, plan, failedAttempts, touchedFiles, openApprovals, todos }, { tokens, reserved: 0 })
        // The headings are not included in what is counted.
        expect(summary.length).toBeLessThanOrEqual(Math.min(60_000, tokens * 2) + 500)
      },
    ),
    { numRuns: 60 },
  )
})

test('the plan is the text under its heading, however a model formats headings', () => {
  const ways = ['«Decided plan»\na\nb\n«Done»\nc', '## Decided plan\na\nb\n\n## Files touched\n- x', '**Decided plan:** a\nb\n**Done:** c']
  expect(ways.map(planIn)).toEqual(['a\nb', 'a\nb', 'a\nb'])
  expect(['ok', 'The Decided plan was nothing', '- Done with it'].map(planIn)).toEqual(['', '', ''])
})

test('facts of two parts are those of the whole', () => {
  const at = { run: 1, seq: 1 }
  const made = (id: string, tool: string, path: string, outcome: boolean): Entry[] => [
    { at, kind: 'assistant', text: '', calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify({ path }) } }] },
    { at, kind: 'result', wire_id: id, tool, text: 'said', failed: outcome },
  ]
  const entry = fc
    .tuple(fc.constantFrom('fs.write', 'fs.read', 'fs.delete'), fc.constantFrom('a', 'b', 'c'), fc.boolean())
    .map(([tool, path, failed]) => ({ tool, path, failed }))
  fc.assert(
    fc.property(fc.array(entry), fc.array(entry), (left, right) => {
      const [one, two] = [left, right].map((side, part) =>
        side.flatMap(({ tool, path, failed }, index) => made(`${part}-${index}`, tool, path, failed)),
      )
      expect(transcriptFacts(two ?? [], transcriptFacts(one ?? []))).toEqual(transcriptFacts([...(one ?? []), ...(two ?? [])], noFacts))
    }),
  )
})
