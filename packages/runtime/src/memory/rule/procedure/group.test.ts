import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCorrection } from './correction.ts'
import { followsProcedure, type RunTrace, type TracedCall } from './distill.ts'
import { fewestSteps, groupFlows, type RequestedRun } from './group.ts'
import { isSameRequest, requestWords } from './request.ts'

const call = (tool: string, outcome = 'succeeded'): TracedCall => ({
  tool,
  arguments: '{"path":"a.md"}',
  outcome,
  approved_by_person: false,
})
const run = (run_id: string, tools: string, request: string, rest: Partial<RunTrace> = {}): RequestedRun => ({
  request,
  trace: {
    run_id,
    state: 'completed',
    calls: [...tools].map((tool) => call(tool)),
    denied: false,
    corrected_next: false,
    restored_within_a_day: false,
    verdict: null,
    cites: [],
    ...rest,
  },
})
const noSecret = () => false
const grouped = (runs: readonly RequestedRun[]) =>
  groupFlows(runs, noSecret).map(({ runs: members, steps }) => [
    members.map(({ trace }) => trace.run_id).join(' '),
    steps.map(({ tool }) => tool).join(''),
  ])

describe('runs of the same flow', () => {
  test('similar requests with the same steps, in any order of the runs', () => {
    const runs = [
      run('1', 'abcd', 'Update the changelog for 1.2.0'),
      run('2', 'abxcd', 'please update the changelog, version 1.3.0'),
      run('3', 'pqrs', 'Translate the greeting'),
      run('4', 'pqrs', 'Translate this greeting into French'),
      run('5', 'abcd', 'Book a table for Friday'),
    ]
    const expected = [
      ['1 2', 'abcd'],
      ['3 4', 'pqrs'],
    ]
    expect(grouped(runs)).toEqual(expected)
    expect(grouped(runs.toReversed())).toEqual(expected)
  })
  const same = 'Update the changelog'
  test.each<[string, readonly RequestedRun[]]>([
    ['one run alone', [run('1', 'abcd', same)]],
    ['two steps', [run('1', 'ab', same), run('2', 'ab', same)]],
    ['two shared steps', [run('1', 'abcd', same), run('2', 'abxy', same)]],
    ['another order', [run('1', 'abc', same), run('2', 'cba', same)]],
    ['less than half of the shorter run', [run('1', 'abcdefgh', same), run('2', 'abcstuvw', same)]],
    ['a run that did not go well', [run('1', 'abcd', same), run('2', 'abcd', same, { denied: true })]],
    ['no request', [run('1', 'abcd', ''), run('2', 'abcd', '')]],
  ])('not %s', (_, runs) => expect(grouped(runs)).toEqual([]))

  test('the order does not matter, a run is in one group, and every member follows the steps', () => {
    const anyRun = fc.record({
      id: fc.uuid(),
      tools: fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 }),
      request: fc.constantFrom('update changelog', 'update the changelog now', 'translate greeting', 'translate changelog', ''),
      denied: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.uniqueArray(anyRun, { selector: ({ id }) => id, maxLength: 10 }), fc.infiniteStream(fc.nat()), (drafts, order) => {
        const runs = drafts.map(({ id, tools, request, denied }) => run(id, tools, request, { denied }))
        const groups = groupFlows(runs, noSecret)
        const shuffled = runs
          .map((one) => ({ one, at: order.next().value }))
          .sort((left, right) => left.at - right.at)
          .map(({ one }) => one)
        expect(groupFlows(shuffled, noSecret)).toEqual(groups)
        const ids = groups.flatMap(({ runs: members }) => members.map(({ trace }) => trace.run_id))
        expect(new Set(ids).size).toBe(ids.length)
        for (const { runs: members, steps } of groups) {
          expect(members.length >= 2 && steps.length >= fewestSteps).toBe(true)
          for (const { trace } of members) expect(followsProcedure({ id: 'p', steps }, trace)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})

test.each([
  ['Update the changelog', 'update changelogs please', true],
  ['Run the tests in packages/a', 'Run the tests in packages/b', true],
  ['Run the tests', 'Write a poem', false],
  ['Fix src/a.ts', 'Translate src/a.ts', false],
  ['', '', false],
])('%j and %j: %s', (left, right, expected) => expect(isSameRequest(requestWords(left), requestWords(right))).toBe(expected))

test.each([
  'No, I meant the other file.',
  "That's wrong, use tabs.",
  'That is not what I asked for.',
  "This isn't right.",
  'Undo that please.',
  'You should have asked first.',
  'You forgot the tests.',
  'Thanks. But you missed a file. I need it today.',
  'It still fails.',
  "It doesn't work.",
  'Please revert your changes',
])('a correction: %s', (text) => expect(isCorrection(text)).toBe(true))

test.each([
  'Thanks! Now do the same for the other file.',
  'No problem. Next: update the readme.',
  "That's right.",
  'Is it correct that the tests pass?',
  '> That is wrong\n\nSee above, continue.',
  'Great. Run the tests.',
])('no correction: %s', (text) => expect(isCorrection(text)).toBe(false))
