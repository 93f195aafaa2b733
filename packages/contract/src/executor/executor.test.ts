import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { recoverabilities } from '../failure/index.ts'
import { transition } from '../transition/index.ts'
import {
  executorProblem,
  executorProtocols,
  executorState,
  isJobOver,
  jobStates,
  jobTransitions,
  jobTriggers,
  type NegotiationResult,
  negotiateProtocol,
  negotiationFailureNames,
  negotiationFailures,
} from './index.ts'
import { ExecutorProtocol, JobFilePath, NegotiationResult as NegotiationResultSchema } from './schema.ts'

test('our own protocols are well-formed', () => {
  expect(executorProtocols.filter((protocol) => !Check(ExecutorProtocol, protocol))).toEqual([])
})

test('the negotiated protocol is the first of ours that the executor supports', () => {
  const protocols = fc.uniqueArray(fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1'))
  fc.assert(
    fc.property(protocols, protocols, (offered, supported) => {
      expect(negotiateProtocol(offered, supported)).toBe(offered.filter((one) => supported.includes(one))[0])
    }),
  )
})

const of = { executor_id: '01a1e4b0-6b9f-7021-8646-1a860de57084', executor_url: 'https://build.example:7447' }
const negotiated: NegotiationResult = {
  ...of,
  outcome: 'negotiated',
  method: 'handshake',
  protocol: 'tandem-executor/1',
  executor: { name: 'build', version: '0.1.0', os: 'linux', arch: 'x64' },
  capabilities: [{ name: 'gpu.cuda', version: null }],
  health: null,
  session_id: 'one',
  negotiated_at: '2026-03-01T09:00:00.000Z',
  expires_at: '2026-03-01T09:05:00.000Z',
  next_attempt_at: '2026-03-01T09:04:00.000Z',
}
const failed: NegotiationResult = {
  ...of,
  outcome: 'failed',
  reason: 'unreachable',
  failure_contract: {
    taxonomy: 'none',
    stage: 'executor',
    source: 'remote_executor',
    reason_code: 'unreachable',
    recoverability: 'retryable',
    details: { message: 'no connection' },
  },
  failures: 3,
  attempted_at: '2026-03-01T09:00:00.000Z',
  next_attempt_at: '2026-03-01T09:00:20.000Z',
}

test.each([
  ['never tested', null, '2026-03-01T09:00:00.000Z', 'untested', 'It has not been tested yet.'],
  ['negotiated', negotiated, '2026-03-01T09:04:59.999Z', 'ready', null],
  [
    'its result is too old',
    negotiated,
    '2026-03-01T09:05:00.000Z',
    'expired',
    'Its last negotiation has expired. The next attempt is at 2026-03-01 09:04:00 UTC.',
  ],
  [
    'failed',
    failed,
    '2026-03-01T09:00:00.000Z',
    'failed',
    'The executor cannot be reached. The next attempt is at 2026-03-01 09:00:20 UTC.',
  ],
] as const)('%s: its state and why it cannot be used', (_, negotiation, now, state, problem) => {
  expect(executorState(negotiation, Date.parse(now))).toBe(state)
  expect(executorProblem({ state, negotiation })).toBe(problem)
  if (negotiation) expect(Check(NegotiationResultSchema, negotiation)).toBe(true)
})

test('every failure has a title, a remedy and what can be done about it', () => {
  expect(negotiationFailureNames.length).toBeGreaterThan(0)
  for (const { title, remedy, recoverability } of Object.values(negotiationFailures)) {
    expect([title, remedy].filter((text) => !/^[A-Z]/.test(text))).toEqual([])
    expect(recoverabilities).toContain(recoverability)
  }
})

test.each([
  ['a.txt', true],
  ['src/a b.txt', true],
  ['..a/b..', true],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/../b', false],
  ['a/..', false],
  ['./a', false],
  ['/a', false],
  ['a//b', false],
  ['a/', false],
  ['a\\b', false],
  ['a\0b', false],
  ['a\nb', false],
])('the path %j of a file of a job: %s', (path, isValid) => {
  expect(Check(JobFilePath, path)).toBe(isValid)
})

/** Every state and trigger: what is not in the table is refused. */
test('a job ends once, and is never started again', () => {
  const rows = jobStates.map((state) => jobTriggers.map((trigger) => Object(transition(jobTransitions, state, trigger)).state ?? null))
  const open = {
    receiving: ['running', 'receiving', 'failed', 'canceled', 'receiving'],
    running: ['running', 'ended', 'failed', 'canceled', 'lost'],
  }
  expect(rows).toEqual(
    jobStates.map((state) => (state === 'receiving' || state === 'running' ? open[state] : jobTriggers.map(() => state))),
  )
  const refused = jobStates.map((state) => jobTriggers.filter((trigger) => !transition(jobTransitions, state, trigger).ok))
  expect(refused).toEqual([['end', 'lose'], ['start'], ...[1, 2, 3, 4].map(() => [...jobTriggers])])
  expect(jobStates.filter(isJobOver)).toEqual(['ended', 'failed', 'canceled', 'lost'])
})
