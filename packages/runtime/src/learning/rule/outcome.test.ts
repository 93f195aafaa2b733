import type { FailureContract } from '@tandem/contract/failure'
import { outcomeDimensions } from '@tandem/contract/learning'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callFact, commandFact, runFacts } from '../../../test/support/learning-facts.ts'
import { evaluate, outcomeRules } from './outcome.ts'
import type { ApprovalFact, CallFact, RunFacts } from './run-facts.ts'

const failure: FailureContract = {
  taxonomy: 'policy_failure',
  stage: 'policy_enforcement',
  source: 'fs.write',
  reason_code: 'tool_denied',
  recoverability: 'user_action',
  details: { message: 'denied' },
}
const no: ApprovalFact = { answer: 'no', reason: null, edited: false, remembers: [], warned: false, waited_ms: 0 }
const usual = { tokens: 500, duration_ms: 1_000, turns: 2 }
const failed = (seq: number) => callFact({ seq, outcome: 'failed', arguments: '{"path":"a"}' })

/** The rule, facts that it applies to, and facts that are almost the same and that it does not apply to. */
const rows: readonly (readonly [string, Partial<RunFacts>, Partial<RunFacts>])[] = [
  ['failed', { trigger: 'failed', failure_contract: failure }, { trigger: 'canceled' }],
  ['canceled', { trigger: 'canceled' }, {}],
  ['restored', { trigger: 'restored', restores: 1 }, { restores: 1 }],
  ['no_answer', { answered: false }, { answered: false, trigger: 'canceled' }],
  [
    'failing_tests',
    { calls: [commandFact('# pass 3\n# fail 1\n', 1)] },
    { calls: [commandFact('# pass 3\n# fail 1\n', 1), commandFact('# pass 4\n# fail 0\n')] },
  ],
  ['last_call_failed', { calls: [failed(1)] }, { calls: [failed(1), callFact({ seq: 2 })] }],
  ['open_todos', { open_todos: 2 }, { open_todos: 0 }],
  ['failed_calls', { calls: [failed(1), callFact({ seq: 2 })] }, { calls: [callFact({ outcome: 'denied' })] }],
  ['errors', { errors: [{ step_id: 's', seq: 1, at: 0, failure_contract: failure }] }, {}],
  ['interrupted', { calls: [callFact({ outcome: 'interrupted' })] }, { calls: [callFact({ outcome: 'interrupted', started_at: null })] }],
  [
    'repeated_calls',
    { calls: [1, 2, 3].map((seq) => callFact({ seq })) },
    { calls: [1, 2, 3].map((seq) => callFact({ seq, arguments: `{"n":${seq}}` })) },
  ],
  ['tokens', { usual }, { usual: { ...usual, tokens: 600 } }],
  ['time', { usual }, { usual: { ...usual, duration_ms: 2_500 } }],
  [
    'refused',
    { calls: [callFact({ outcome: 'denied', failure_contract: failure })] },
    { calls: [callFact({ outcome: 'denied', approval: no })] },
  ],
  [
    'denied_for_safety',
    { calls: [callFact({ outcome: 'denied', approval: { ...no, warned: true } })] },
    { calls: [callFact({ outcome: 'denied', approval: no })] },
  ],
  ['undone', { restores: 1, calls: [callFact({ undone: true })] }, { restores: 1, calls: [callFact()] }],
  ['corrected', { corrected: true }, {}],
  ['restored_by_user', { restores: 1 }, {}],
  ['canceled_by_user', { trigger: 'canceled' }, { trigger: 'failed' }],
  [
    'denied',
    { calls: [callFact({ outcome: 'denied', approval: no })] },
    { calls: [callFact({ outcome: 'denied', failure_contract: failure })] },
  ],
  [
    'edited',
    { calls: [callFact({ approval: { ...no, answer: 'once', edited: true } })] },
    { calls: [callFact({ approval: { ...no, answer: 'once' } })] },
  ],
]

test('every rule has a row', () => {
  expect(rows.map(([name]) => name).toSorted()).toEqual(outcomeRules.map(({ name }) => name).toSorted())
})

describe.each(rows)('%s', (name, applies, not) => {
  const rule = outcomeRules.find((one) => one.name === name)

  test('lowers its dimension, with a sentence that says why', () => {
    const finding = rule?.find(runFacts(applies))
    expect(finding?.score).toBeLessThan(1)
    expect(finding?.reason).toMatch(/^[A-Z0-9].*\.$/)
    const { scores } = evaluate(runFacts(applies))
    expect(scores.find(({ dimension }) => dimension === rule?.dimension)?.score).toBeLessThanOrEqual((finding?.score ?? 0) + 0.005)
  })

  test('does not apply', () => {
    expect(rule?.find(runFacts(not))).toBeNull()
  })
})

test('a run in which nothing went wrong is a success', () => {
  expect(evaluate(runFacts({ calls: [callFact()] }))).toMatchObject({ verdict: 'success', score: 1 })
})

test('a failure that is a result is none', () => {
  const run = runFacts({ calls: [commandFact('a.ts\n'), commandFact('', 1, { seq: 2 })] })
  expect([evaluate(run).verdict, evaluate({ ...run, expected: new Set(['call-2']) })]).toEqual([
    'partial',
    expect.objectContaining({ verdict: 'success', score: 1 }),
  ])
})

test('a run that failed is a failure, however well everything else went', () => {
  expect(evaluate(runFacts({ trigger: 'failed', failure_contract: failure }))).toMatchObject({ verdict: 'failure' })
})

test('a failure that succeeded later counts less than one that did not', () => {
  const reliability = (calls: readonly CallFact[]) =>
    evaluate(runFacts({ calls })).scores.find(({ dimension }) => dimension === 'tool_reliability')?.score ?? 0
  expect(reliability([failed(1), callFact({ seq: 2, arguments: '{"path":"a"}' })])).toBeGreaterThan(
    reliability([failed(1), callFact({ seq: 2 })]),
  )
})

test('scores are in range, each dimension has one, and a correction never raises a score', () => {
  const call = fc
    .record({
      outcome: fc.constantFrom('succeeded', 'failed', 'denied', 'timed_out', 'canceled', 'interrupted'),
      exit_code: fc.constantFrom(null, 0, 1),
      edited: fc.boolean(),
      undone: fc.boolean(),
    })
    .map(({ outcome, exit_code, edited, undone }) =>
      commandFact('', exit_code ?? 0, { outcome, undone, approval: { ...no, answer: outcome === 'denied' ? 'no' : 'once', edited } }),
    )
  const facts = fc.record({
    trigger: fc.constantFrom('completed', 'failed', 'canceled', 'restored'),
    calls: fc.array(call, { maxLength: 12 }),
    open_todos: fc.nat(40),
    restores: fc.nat(3),
    answered: fc.boolean(),
    usual: fc.option(fc.record({ tokens: fc.nat(5_000), duration_ms: fc.nat(20_000), turns: fc.nat(9) })),
  })
  fc.assert(
    fc.property(facts, (some) => {
      const given = runFacts({ ...some, calls: some.calls.map((one, at) => ({ ...one, seq: at + 1 })) })
      const { score, scores } = evaluate(given)
      expect(scores.map(({ dimension }) => dimension)).toEqual([...outcomeDimensions])
      for (const one of [score, ...scores.map((each) => each.score)]) expect(one >= 0 && one <= 1).toBe(true)
      expect(evaluate({ ...given, corrected: true }).score).toBeLessThanOrEqual(score)
    }),
  )
})
