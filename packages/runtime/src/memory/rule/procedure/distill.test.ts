import { Procedure } from '@tandem/contract/memory/schema'
import { toolOutcomes } from '@tandem/contract/run'
import fc from 'fast-check'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { distillHeuristic, followsProcedure, isSameProcedure, type RunTrace, type TracedCall, wentWell } from './distill.ts'
import { argumentShape } from './shape.ts'
import { procedureText } from './step-text.ts'
import { isTooWeak, strengthen, takeBack, unproven, weaken } from './strength.ts'

const call = (tool: string, args: unknown, rest: Partial<TracedCall> = {}): TracedCall => ({
  tool,
  arguments: JSON.stringify(args),
  outcome: 'succeeded',
  approved_by_person: false,
  ...rest,
})
const run = (run_id: string, calls: readonly TracedCall[], rest: Partial<RunTrace> = {}): RunTrace => ({
  run_id,
  state: 'completed',
  calls,
  denied: false,
  corrected_next: false,
  restored_within_a_day: false,
  verdict: null,
  cites: [],
  ...rest,
})
const noSecret = () => false
const read = (path: string) => call('fs.read', { path })
const exec = (command: string, approved_by_person = true) => call('shell.exec', { command }, { approved_by_person })

describe('a run went well', () => {
  const good = run('r', [call('fs.read', {}, { outcome: 'failed' }), read('a.md'), read('b.md'), read('c.md')])
  test('if it was completed and the last three calls succeeded', () => expect(wentWell(good)).toBe(true))
  test.each<[string, Partial<RunTrace>]>([
    ['it failed', { state: 'failed' }],
    ['it was canceled', { state: 'canceled' }],
    ['something was denied', { denied: true }],
    ['the next message corrects it', { corrected_next: true }],
    ['it was restored within a day', { restored_within_a_day: true }],
    ['its evaluation says that it failed', { verdict: 'failure' }],
    ['its evaluation says that it went well only in part', { verdict: 'partial' }],
  ])('not if %s', (_, rest) => expect(wentWell({ ...good, ...rest })).toBe(false))
  test.each(toolOutcomes.filter((outcome) => outcome !== 'succeeded'))('not if one of the last calls is %s', (outcome) => {
    for (const index of [1, 2, 3])
      expect(wentWell({ ...good, calls: good.calls.with(index, call('fs.read', {}, { outcome })) })).toBe(false)
  })
})

describe('the shape of arguments', () => {
  test.each([
    [{ path: 'src/a.ts', content: 'one\ntwo' }, '{content: lines, path: path}'],
    [{ url: 'https://shop.example/1', depth: 2, follow: true }, '{depth: number, follow: yes or no, url: address}'],
    [
      { files: ['a.md', 'b.md'], none: [], mixed: [1, 'two'], empty: null },
      '{empty: nothing, files: list of path, mixed: list of data, none: empty list}',
    ],
    [{ query: 'all open orders', options: { limit: 3 } }, '{options: {limit: number}, query: text}'],
    [{ headers: { 'X-Customer 4711': 'a' } }, '{headers: data}'],
    [{ a: { b: { c: { d: 1 } } } }, '{a: {b: {c: data}}}'],
    [[1], 'list of number'],
  ])('%j: %s', (args, shape) => expect(argumentShape(JSON.stringify(args))).toBe(shape))
  test('of text that is not JSON', () => expect(argumentShape('not json')).toBe('text'))

  test('never contains a value, and fits the contract, for any arguments', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
        const marked = JSON.parse(JSON.stringify(value), (_key, item) => (typeof item === 'string' ? `SECRET${item}` : item))
        const shape = argumentShape(JSON.stringify({ value: marked }))
        expect(shape).not.toContain('SECRET')
        expect(shape.length).toBeGreaterThan(0)
        expect(shape.length).toBeLessThanOrEqual(500)
      }),
      { numRuns: 500 },
    )
  })
})

describe('distilling', () => {
  test('keeps the steps that all good runs have in common, in order', () => {
    const first = run('r1', [
      read('a.md'),
      call('web.fetch', { url: 'https://a.example' }),
      call('fs.write', { path: 'b.md', content: 'x' }),
      exec('make test'),
    ])
    const second = run('r2', [
      read('q.md'),
      call('fs.write', { path: 'c.md', content: 'y' }),
      call('fs.mkdir', { path: 'd/' }),
      exec('make test'),
    ])
    const bad = run('r3', [exec('rm -rf build')], { denied: true })
    const steps = [
      { tool: 'fs.read', shape: '{path: path}', command: null },
      { tool: 'fs.write', shape: '{content: text, path: path}', command: null },
      { tool: 'shell.exec', shape: '{command: text}', command: 'make test' },
    ]
    expect(distillHeuristic([first, second, bad], noSecret)).toEqual(steps)
    expect(distillHeuristic([bad, second, first], noSecret)).toEqual(steps)
    expect(Value.Check(Procedure, { steps, distiller: 'heuristic', successes: 2, failures: 0 })).toBe(true)
  })

  test('without a good run there is nothing', () => {
    expect(distillHeuristic([], noSecret)).toEqual([])
    expect(distillHeuristic([run('r', [read('a.md')], { state: 'failed' }), run('s', [])], noSecret)).toEqual([])
  })

  test('failed calls are no steps, and repeated ones are one', () => {
    const calls = [call('fs.list', {}, { outcome: 'failed' }), read('a.md'), read('b.md'), read('c.md'), exec('make'), exec('make')]
    expect(distillHeuristic([run('r', calls)], noSecret).map(({ tool, command }) => [tool, command])).toEqual([
      ['fs.read', null],
      ['shell.exec', 'make'],
    ])
  })

  test('a literal command only if a person approved it, every run has it, and it has no secret', () => {
    const command = (runs: readonly RunTrace[], hasSecret = noSecret) => distillHeuristic(runs, hasSecret).map((step) => step.command)
    expect(command([run('r', [exec('make')])])).toEqual(['make'])
    expect(command([run('r', [exec('make', false)])])).toEqual([null])
    expect(command([run('r', [exec('make')]), run('s', [exec('make', false)])])).toEqual([null])
    expect(command([run('r', [exec('make')]), run('s', [exec('make all')])])).toEqual([null])
    expect(command([run('r', [exec('make'), exec('make', false)])])).toEqual([null])
    expect(distillHeuristic([run('r', [exec('login hunter2')])], (text) => text.includes('hunter2'))).toEqual([
      { tool: 'shell.exec', shape: '{command: text}', command: null },
    ])
  })

  const anyCall = fc.record({
    tool: fc.constantFrom('fs.read', 'fs.write', 'shell.exec'),
    command: fc.constantFrom('a', 'b'),
    approved: fc.boolean(),
    ok: fc.boolean(),
  })
  const anyRun = fc.tuple(fc.uuid(), fc.array(anyCall, { maxLength: 8 })).map(([id, calls]) =>
    run(
      id,
      calls.map(({ tool, command, approved, ok }) =>
        call(tool, { command }, { approved_by_person: approved, outcome: ok ? 'succeeded' : 'failed' }),
      ),
    ),
  )
  test('the order of the runs does not matter; an unapproved command never appears; every good run follows the result', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyRun, { maxLength: 4, selector: ({ run_id }) => run_id }), (runs) => {
        const steps = distillHeuristic(runs, noSecret)
        expect(distillHeuristic(runs.toReversed(), noSecret)).toEqual(steps)
        const approved = new Set(
          runs.flatMap(({ calls }) => calls.filter((one) => one.approved_by_person).map((one) => JSON.parse(one.arguments).command)),
        )
        expect(steps.filter(({ command }) => command !== null && !approved.has(command))).toEqual([])
        const made = runs.filter((one) => wentWell(one) && one.calls.some(({ outcome }) => outcome === 'succeeded'))
        if (steps.length > 0) for (const one of made) expect(followsProcedure({ id: 'p', steps }, one)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a run follows a procedure', () => {
  const tools = ['a', 'b', 'c', 'd', 'e']
  const steps = tools.map((tool) => ({ tool, shape: '{}', command: null }))
  const of = (names: string, cites: string[] = []) =>
    run(
      'r',
      [...names].map((tool) => call(tool, {})),
      { cites },
    )
  test.each([
    ['abcde', true],
    ['xaxbxcxdxex', true],
    ['abcd', true],
    ['abde', true],
    ['abc', false],
    ['edcba', false],
    ['', false],
    ['bacde', true],
    ['badce', false],
  ])('%s: %s', (names, expected) => expect(followsProcedure({ id: 'p', steps }, of(names))).toBe(expected))
  test('if it cites its id', () => {
    expect(followsProcedure({ id: 'p', steps }, of('', ['p']))).toBe(true)
    expect(followsProcedure({ id: 'p', steps }, of('', ['q']))).toBe(false)
  })
  test('not one without steps, nor with other arguments', () => {
    expect(followsProcedure({ id: 'p', steps: [] }, of('abc'))).toBe(false)
    expect(
      followsProcedure(
        { id: 'p', steps },
        run(
          'r',
          tools.map((tool) => call(tool, { path: 'a.md' })),
        ),
      ),
    ).toBe(false)
  })
})

test('success strengthens, failure weakens more, and both stay within limits', () => {
  expect(strengthen({ confidence: 0.4, successes: 0, failures: 0 })).toEqual({ confidence: expect.closeTo(0.6), successes: 1, failures: 0 })
  expect(weaken({ confidence: 0.6, successes: 0, failures: 0 })).toEqual({ confidence: expect.closeTo(0.2), successes: 0, failures: 1 })
  const count = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(
      fc.record({ confidence: fc.double({ min: 0.001, max: 0.999, noNaN: true }), successes: count, failures: count }),
      (before) => {
        const [stronger, weaker] = [strengthen(before), weaken(before)]
        expect(stronger.confidence > before.confidence && stronger.confidence <= 1).toBe(true)
        expect(weaker.confidence < before.confidence && weaker.confidence >= 0).toBe(true)
      },
    ),
  )
})

test('a procedure is too weak after two failures, or without two successes', () => {
  const two = strengthen(strengthen(unproven))
  expect([isTooWeak(unproven), isTooWeak(strengthen(unproven)), isTooWeak(two)]).toEqual([true, true, false])
  expect([isTooWeak(weaken(two)), isTooWeak(weaken(weaken(two)))]).toEqual([false, true])
  const back = takeBack(strengthen(two))
  expect(back).toMatchObject({ successes: 2, failures: 1 })
  expect(back.confidence).toBeLessThan(two.confidence)
  expect(isTooWeak(takeBack(two))).toBe(true)
})

test('the steps in words are one line of limited length', () => {
  const step = (tool: string, shape: string, command: string | null = null) => ({ tool, shape, command })
  const steps = [
    step('fs.write', '{content: text, path: path}'),
    step('todo.list', '{}'),
    step('shell.exec', '{command: lines}', 'make\n  test'),
  ]
  expect(procedureText({ steps, successes: 3, failures: 1 })).toBe(
    'Steps, which worked in 3 of 4 runs: 1. fs.write (content, path); 2. todo.list; 3. shell.exec: make test.',
  )
  const many = Array.from({ length: 100 }, () => step('shell.exec', '{command: text}', 'x'.repeat(60_000)))
  const text = procedureText({ steps: many, successes: 2, failures: 0 })
  expect(text.length).toBeLessThan(2_300)
  expect(text).toMatch(/…; and \d+ more\.$/)
})

test.each([
  ['abcd', 'abcd', true],
  ['abcde', 'abcdefghij', true],
  ['abcd', 'abcdefghij', false],
  ['abcde', 'edcba', false],
  ['abcde', 'abcdx', true],
])('the steps %s and %s are the same procedure: %s', (left, right, expected) => {
  const steps = (tools: string) => [...tools].map((tool) => ({ tool, shape: '{}', command: null }))
  expect([isSameProcedure(steps(left), steps(right)), isSameProcedure(steps(right), steps(left))]).toEqual([expected, expected])
})
