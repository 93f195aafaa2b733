import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transition } from '../transition/index.ts'
import {
  afterEvent,
  foldWorkflowRun,
  nodeKey,
  type WorkflowNodeState,
  type WorkflowNodeTrigger,
  type WorkflowRunEvent,
  workflowNodeStates,
  workflowNodeTransitions,
  workflowNodeTriggers,
  workflowRunStates,
} from './index.ts'

const id = '018f0000-0000-7000-8000-000000000001'
const failure_contract = {
  taxonomy: 'none',
  stage: 'workflow',
  source: 's',
  reason_code: 'r',
  recoverability: 'terminal',
  details: { message: 'no' },
} as const

type Bare = WorkflowRunEvent extends infer Event
  ? Event extends WorkflowRunEvent
    ? Omit<Event, 'event_id' | 'workflow_run_id' | 'workflow_id' | 'run_id' | 'device_id' | 'seq' | 'ts'>
    : never
  : never

/** With their ids and numbers. */
const numbered = (events: readonly Bare[]): WorkflowRunEvent[] =>
  events.map((event, seq) => ({
    ...{ event_id: id, workflow_run_id: id, workflow_id: id, run_id: id, device_id: 'd', seq, ts: new Date(seq * 1_000).toISOString() },
    ...event,
  })) as WorkflowRunEvent[]

const started: Bare = { kind: 'started', name: 'Tidy', owner_agent_id: 'mara', definition_sha256: '0'.repeat(64), definition: '{}' }

test('a run with a retry, a wait and a loop', () => {
  const run = foldWorkflowRun(
    numbered([
      started,
      { kind: 'node.started', node_id: 'list', attempt: 1 },
      { kind: 'node.failed', node_id: 'list', attempt: 1, failure_contract },
      { kind: 'node.started', node_id: 'list', attempt: 2, call_id: 'c2' },
      { kind: 'node.completed', node_id: 'list', attempt: 2, outcome: 'succeeded' },
      { kind: 'node.started', node_id: 'ask', iteration: [0], attempt: 1 },
      { kind: 'node.waiting', node_id: 'ask', iteration: [0], waits_for: 'approval', reason: 'Delete a.txt?' },
      { kind: 'state', name: 'Tidy', state: 'paused', reason: 'Waiting for an approval.' },
      { kind: 'state', name: 'Tidy', state: 'running' },
      { kind: 'node.completed', node_id: 'ask', iteration: [0], attempt: 1, outcome: 'denied', output: '{"comment":"keep it"}' },
      { kind: 'node.skipped', node_id: 'delete', iteration: [0], reason: 'ask ended with denied' },
      { kind: 'state', name: 'Tidy', state: 'completed' },
    ]),
  )
  expect(run).toMatchObject({
    state: 'completed',
    reason: null,
    owner_agent_id: 'mara',
    last_seq: 11,
    ended_at: '1970-01-01T00:00:11.000Z',
  })
  expect(run?.nodes.get('list')).toMatchObject({ state: 'completed', attempt: 2, call_id: 'c2', failure: null, ended_seq: 4 })
  expect(run?.nodes.get(nodeKey('ask', [0]))).toMatchObject({ state: 'completed', outcome: 'denied', waits_for: null, reason: null })
  expect(run?.nodes.get('delete@0')).toMatchObject({ state: 'skipped', outcome: null, reason: 'ask ended with denied' })
})

test('a reset node is as if it had never run; a compensated one keeps what it did', () => {
  const run = foldWorkflowRun(
    numbered([
      started,
      { kind: 'node.started', node_id: 'a', attempt: 1, call_id: 'c1' },
      { kind: 'node.completed', node_id: 'a', attempt: 1, outcome: 'succeeded', output: '1' },
      { kind: 'node.started', node_id: 'b', attempt: 1 },
      { kind: 'node.completed', node_id: 'b', attempt: 1, outcome: 'succeeded', output: '2' },
      { kind: 'node.reset', node_id: 'a' },
      { kind: 'node.compensated', node_id: 'b' },
    ]),
  )
  expect(run?.nodes.get('a')).toMatchObject({ state: 'pending', attempt: 0, output: null, call_id: null, started_at: null })
  expect(run?.nodes.get('b')).toMatchObject({ state: 'compensated', outcome: 'succeeded', output: '2' })
})

/** An event that causes a trigger. */
const eventOf: Readonly<Record<WorkflowNodeTrigger, Bare>> = {
  start: { kind: 'node.started', node_id: 'n', attempt: 1 },
  wait: { kind: 'node.waiting', node_id: 'n', waits_for: 'time', reason: 'an hour' },
  complete: { kind: 'node.completed', node_id: 'n', attempt: 1, outcome: 'succeeded' },
  fail: { kind: 'node.failed', node_id: 'n', attempt: 1, failure_contract },
  skip: { kind: 'node.skipped', node_id: 'n', reason: 'r' },
  reset: { kind: 'node.reset', node_id: 'n' },
  compensate: { kind: 'node.compensated', node_id: 'n' },
}

/** How a node gets into a state. */
const wayTo: Readonly<Record<WorkflowNodeState, readonly WorkflowNodeTrigger[]>> = {
  ...{ pending: [], running: ['start'], waiting: ['start', 'wait'], completed: ['start', 'complete'] },
  ...{ failed: ['start', 'fail'], skipped: ['skip'], compensated: ['start', 'complete', 'compensate'] },
}

test.each(workflowNodeStates.flatMap((state) => workflowNodeTriggers.map((trigger) => [state, trigger] as const)))(
  'a node that is %s follows its table on %s',
  (state, trigger) => {
    const before = [started, ...wayTo[state].map((one) => eventOf[one])]
    const [was, is] = [before, [...before, eventOf[trigger]]].map(
      (events) => foldWorkflowRun(numbered(events))?.nodes.get('n')?.state ?? 'pending',
    )
    expect(was).toBe(state)
    const allowed = transition(workflowNodeTransitions, state, trigger)
    expect(is).toBe(allowed.ok ? allowed.state : state)
  },
)

const node = fc.constantFrom('a', 'b')
const iteration = fc.option(fc.array(fc.nat(1), { minLength: 1, maxLength: 2 }), { nil: undefined })
const event: fc.Arbitrary<Bare> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...workflowNodeTriggers), node, iteration)
    .map(
      ([trigger, node_id, rounds]) => ({ ...eventOf[trigger], node_id, ...(rounds === undefined ? {} : { iteration: rounds }) }) as Bare,
    ),
  fc.constantFrom(...workflowRunStates).map((state): Bare => ({ kind: 'state', name: 'Tidy', state })),
  fc.constant<Bare>({ kind: 'unknown', unknown_kind: 'node.dreamt', fields: '{}' }),
)

test('events one by one, all at once, twice or with a gap in their arrival give the same state', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.nat(40), (list, cut) => {
      const events = numbered([started, ...list])
      const whole = foldWorkflowRun(events)
      const first = foldWorkflowRun(events.slice(0, cut))
      expect(events.slice(cut).reduce(afterEvent, first)).toEqual(whole)
      // What is already in it changes nothing.
      expect(events.reduce(afterEvent, whole)).toEqual(whole)
      expect(foldWorkflowRun(events.flatMap((one) => [one, one]))).toEqual(whole)
    }),
  )
})

test('every state that is reached is in its table; an ended run goes on only after a restore, or a retry of what failed', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (list) => {
      const run = foldWorkflowRun(numbered([started, ...list]))
      expect(workflowRunStates).toContain(run?.state)
      for (const one of run?.nodes.values() ?? []) expect(workflowNodeStates).toContain(one.state)
      if (run?.ended_at == null) return
      expect(['completed', 'failed', 'canceled']).toContain(run.state)
      for (const state of workflowRunStates) {
        const [late] = numbered([{ kind: 'state', name: 'Tidy', state }])
        const after = late ? afterEvent(run, { ...late, seq: run.last_seq + 1 }) : null
        const goesOn = state === 'paused' || (state === 'running' && run.state === 'failed')
        expect(after?.state).toBe(goesOn ? state : run.state)
      }
    }),
  )
})

test('without its beginning a run is unknown, and events of other runs are not its own', () => {
  const [, late] = numbered([started, eventOf.start])
  expect(late && foldWorkflowRun([late])).toBeNull()
  const run = foldWorkflowRun(numbered([started]))
  expect(late && afterEvent(run, { ...late, workflow_run_id: '018f0000-0000-7000-8000-000000000002' })).toBe(run)
})
