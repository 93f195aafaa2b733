// A minimal runtime: the real store, journal, pipeline and loop, a scripted model, and tools that leave marks.

import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TodoItem } from '@tandem/contract/sync'
import type { ToolPolicy } from '@tandem/contract/tool'
import Type, { type Static } from 'typebox'
import { newAgent } from '../../../src/agent/agent.ts'
import { openApprovals } from '../../../src/approval/approvals.ts'
import type { ToolContext } from '../../../src/call/context.ts'
import { ToolFailure } from '../../../src/call/failure.ts'
import { defineTool, type Tool } from '../../../src/call/tool.ts'
import { Waiting } from '../../../src/call/wait.ts'
import { openCheckpoints } from '../../../src/checkpoint/checkpoints.ts'
import { inlineEngine } from '../../../src/checkpoint/engine.ts'
import { type Clock, systemClock } from '../../../src/clock/clock.ts'
import { openBus } from '../../../src/event/bus.ts'
import { openEvents } from '../../../src/event/events.ts'
import { openLifecycle } from '../../../src/event/lifecycle/lifecycle.ts'
import type { LifecycleListener } from '../../../src/event/lifecycle/lifecycle-event.ts'
import type { PolicyLayer } from '../../../src/feature/policy-layer.ts'
import { untitled } from '../../../src/journal/conversations.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { lifecycleHistory } from '../../../src/journal/step.ts'
import { openModel } from '../../../src/model/model.ts'
import { openPipeline } from '../../../src/pipeline/pipeline.ts'
import { openRegistry } from '../../../src/pipeline/registry.ts'
import { openMismatch } from '../../../src/pipeline/validate.ts'
import { openCallPolicies } from '../../../src/policy/call-policies.ts'
import { decide } from '../../../src/policy/decide.ts'
import { openLocalRules, openPolicies } from '../../../src/policy/policies.ts'
import { openRates } from '../../../src/policy/rate.ts'
import { openQuestions } from '../../../src/question/questions.ts'
import { askUserTool } from '../../../src/question/tools.ts'
import { crashPoint, type ReachCrashPoint } from '../../../src/run/crashpoint.ts'
import { openRunCheckpoints } from '../../../src/run/recovery/checkpointing.ts'
import { openDeletedPoints } from '../../../src/run/recovery/deleted-points.ts'
import { finishRestores } from '../../../src/run/recovery/finish-restores.ts'
import { openRuns } from '../../../src/run/runs.ts'
import type { RunTeam } from '../../../src/run/team.ts'
import { openRecords } from '../../../src/store/records.ts'
import { openStore } from '../../../src/store/store.ts'

/** Runs without teams. */
const noTeam: RunTeam = {
  deliver: () => undefined,
  hasOpenMembers: () => false,
  reserve: () => ({ ok: true, release: () => undefined }),
  membershipOf: () => null,
  ensureCopy: async () => false,
  enter: async () => ({ ok: true, leave: () => undefined }),
}

export interface TestRunsOptions {
  readonly layers?: readonly PolicyLayer[]
  /** Whether it continues runs that another process started; true by default. */
  readonly isResident?: boolean
  readonly base_url: string
  readonly home?: string
  readonly workspace?: string
  readonly clock?: Clock
  readonly crashPoint?: ReachCrashPoint
  /** The budget of recovery points. */
  readonly quota_bytes?: number
  readonly tools?: readonly Tool[]
  /** Set by the user; otherwise requested from the model's server. */
  readonly window?: number
  readonly max_turns?: number
  readonly description?: string
  readonly todos?: readonly TodoItem[]
  readonly listeners?: readonly LifecycleListener[]
  readonly compactionWait_ms?: number
  readonly team?: Partial<RunTeam>
  /** The file of every attachment. */
  readonly attachment?: Buffer
}

const text = Type.Object({ text: Type.String() }, { additionalProperties: false })

/** Adds a line to `marks` each time it runs: an effect that can be counted. */
const markLiteral = {
  name: 'test.mark',
  summary: 'Leaves a mark.',
  input: text,
  output: Type.Object({ marked: Type.String() }, { additionalProperties: false }),
  effects: () => [{ does: 'write' as const, path: 'marks' }],
  limits: { seconds: 10 },
  async run(input: Static<typeof text>, { workspace }: ToolContext) {
    appendFileSync(join(workspace, 'marks'), `${input.text}\n`)
    return { marked: input.text }
  },
}

const markTool = defineTool(markLiteral)

/** The same, but it always needs approval. */
const guardedTool = defineTool({ ...markLiteral, name: 'test.guarded' })

const lookTool = defineTool({
  name: 'test.look',
  summary: 'Looks.',
  input: text,
  output: Type.Object({ seen: Type.String() }, { additionalProperties: false }),
  effects: () => [{ does: 'read', path: 'marks' }],
  limits: { seconds: 10 },
  async run(input, { workspace }) {
    appendFileSync(join(workspace, 'looks'), `${input.text}\n`)
    return { seen: input.text }
  },
})

const failTool = defineTool({
  name: 'test.fail',
  summary: 'Fails.',
  input: text,
  output: Type.Null(),
  effects: () => [],
  limits: { seconds: 10 },
  async run(input) {
    throw new ToolFailure('scripted_failure', input.text, { remedy: 'Do not.' })
  },
})

/** Waits until the given time, in milliseconds from now; `abandoned` counts the waits that were aborted. */
function waitTool(clock: Clock, newId: () => string, abandoned: string[]) {
  return defineTool({
    name: 'test.wait',
    summary: 'Waits.',
    input: Type.Object({ ms: Type.Integer(), for: Type.Optional(Type.Union([Type.Literal('time'), Type.Literal('child')])) }),
    output: Type.Object(
      { waited_for: Type.String(), outcome: Type.String(), value: Type.Optional(Type.Unknown()) },
      { additionalProperties: false },
    ),
    effects: () => [{ does: 'note' }],
    limits: { seconds: 1 },
    run: async ({ ms, for: subject = 'time' }) =>
      new Waiting({ for: subject, id: subject === 'child' ? 'a-child' : newId(), until: clock.now() + ms }),
    resumed: (wait, end) => ({ waited_for: wait.for, ...end }),
    abandoned: ({ id }) => void abandoned.push(id),
  })
}

export function openTestRuns(options: TestRunsOptions) {
  const clock = options.clock ?? systemClock
  const home = options.home ?? mkdtempSync(join(tmpdir(), 'tandem-runs-'))
  const workspace = options.workspace ?? join(home, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const errors: unknown[] = []
  const logged: string[] = []
  const store = openStore({ home: join(home, 'data'), clock })
  const bus = openBus((error) => errors.push(error))
  const events = openEvents(store, bus)
  const log = (line: string) => void logged.push(line)
  const lifecycle = openLifecycle({ store, history: () => lifecycleHistory(store), log })
  const ended: string[] = []
  const remember: LifecycleListener = {
    name: 'ended',
    from: 'now',
    hears: { run_ended: async ({ data }) => void ended.push(data.run_id) },
  }
  for (const listener of options.listeners ?? [remember]) lifecycle.listen(listener)
  const journal = openJournal(store, events, bus, lifecycle)
  const records = openRecords(store)
  const registry = openRegistry()
  const abandoned: string[] = []
  const questions = openQuestions(store)
  registry.add([
    markTool,
    guardedTool,
    lookTool,
    failTool,
    waitTool(clock, store.newId, abandoned),
    askUserTool({ store, journal, questions }),
    ...(options.tools ?? []),
  ])
  const policies = openPolicies(records, openLocalRules(store), (tool) => registry.get(tool)?.limits.seconds ?? null)
  const callPolicies = openCallPolicies({ policies, layers: () => options.layers ?? [], log: (line) => void logged.push(line) })
  const rates = openRates(clock)
  const approvals = openApprovals(store)
  const checkpoints = openCheckpoints({
    store,
    engine: inlineEngine({ home: join(home, 'data'), now: clock.now, elapsed: clock.elapsed }),
    deleted: openDeletedPoints({ journal, events }),
    ...(options.quota_bytes === undefined ? {} : { quota_bytes: options.quota_bytes }),
  })
  const pipeline = openPipeline({
    clock,
    home: join(home, 'data'),
    registry,
    wholes: journal.wholes,
    policyOf: callPolicies.of,
    takeRate: rates.take,
    giveRateBack: rates.release,
    decide: async (call) => decide({ ...call, command: null, enforcement: 'os', warnings: [] }),
    environment: 'test',
    ports: () => ({}) as never,
    planCheckpoint: async () => ({ ok: true, plan: null }),
    isWeaker: () => false,
    mismatch: openMismatch(log),
    log: (line) => void logged.push(line),
  })
  const model = openModel({ base_url: options.base_url, key: async () => null }, clock)
  const said = { name: 'Tester', description: options.description ?? '' }
  const agent = { ...newAgent(said, '2026-01-01T00:00:00.000Z'), max_turns: options.max_turns ?? 100 }
  const runs = openRuns(
    {
      store,
      journal,
      events,
      bus,
      approvals,
      policies,
      registry,
      pipeline,
      questions,
      checkpoints: openRunCheckpoints({
        checkpoints,
        approvals,
        journal,
        background: { follow: async () => null },
        processOf: () => null,
        isRestricted: () => true,
        log,
      }),
      changes: { begin: () => undefined, end: async () => undefined },
      lifecycle,
      isResident: options.isResident ?? true,
      compactionWait_ms: () => options.compactionWait_ms ?? 5_000,
      crashPoint: options.crashPoint ?? crashPoint,
      modelFor: (name) => ({ model, window: () => model.contextWindow(name, options.window ?? null) }),
      defaultModel: () => 'test/model',
      agent: (agent_id) => (agent_id === 'agent' ? agent : undefined),
      carrierOf: () => null,
      isAwaited: () => false,
      team: { ...noTeam, ...options.team },
      toolsFor: (run) => ({ ...callPolicies.offered(run, registry.list()), tools: registry.list() }),
      promptSections: () => [],
      todos: () => options.todos ?? [],
      attachment: () => options.attachment,
      tempFor: () => join(home, 'temp'),
      endRun: async () => undefined,
      endBackground: async () => undefined,
      random: () => 0.5,
      log,
    },
    checkpoints,
  )
  const lines = (name: string) => (existsSync(join(workspace, name)) ? readFileSync(join(workspace, name), 'utf8').trim().split('\n') : [])

  return {
    home,
    workspace,
    store,
    bus,
    events,
    journal,
    policies,
    approvals,
    questions,
    checkpoints,
    registry,
    runs,
    abandoned,
    errors,
    logged,
    lifecycle,
    records,
    /** The runs whose end was delivered, unless the test has its own listeners. Nothing is delivered afterwards. */
    async ended() {
      await lifecycle.stop({ within_ms: 10_000 })
      return ended
    },
    /** What the runtime does at its start, before any run continues. */
    finishRestores: () => finishRestores({ store, journal, events, approvals, registry, checkpoints, log }),
    /** What the runtime does every few seconds. */
    continueWaiting() {
      if (runs.endDueWaits()) runs.continueWaiting()
    },
    /** The lines that `test.mark` added. */
    marks: () => lines('marks'),
    looks: () => lines('looks'),
    conversation() {
      return journal.conversations.list({ limit: 1 })[0] ?? journal.conversations.create({ agent_id: 'agent', title: untitled, workspace })
    },
    /** Lets a tool run without approval. */
    allow(tool: string, fields: Partial<ToolPolicy> = {}) {
      policies.set('agent', tool, { ...policies.of('agent', tool).policy, approval_mode: 'auto', ...fields })
    },
    /** Starts a run and waits until it is no longer active. */
    async ask(words: string) {
      const started = runs.start({ author: 'person', conversation_id: this.conversation().conversation_id, text: words })
      if (!started.ok) throw new Error(started.message)
      const run = await runs.settled(started.value.run_id)
      if (!run) throw new Error('the run is gone')
      return run
    },
    close() {
      model.close()
      store.close()
    },
    remove() {
      rmSync(home, { recursive: true, force: true })
    },
  }
}

export type TestRuns = ReturnType<typeof openTestRuns>
