import type { WorkflowDefinition, WorkflowNode, WorkflowOutcome } from '@tandem/contract/workflow'
import { checkWorkflow, nodeOutcomes } from '@tandem/contract/workflow'
import { foldWorkflowRun, nodeKey, type WorkflowRunEvent, type WorkflowRunRecord } from '@tandem/contract/workflow-run'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LoopFacts, type NextSteps, WorkflowScheduler, type WorkflowStep } from './next-steps.ts'

const id = '018f0000-0000-7000-8000-000000000001'
const failure_contract = {
  taxonomy: 'none',
  stage: 'workflow',
  source: 's',
  reason_code: 'r',
  recoverability: 'terminal',
  details: { message: 'no' },
} as const

interface Simulated {
  /** How a node ends at an attempt. */
  outcome(node: WorkflowNode, iteration: readonly number[], attempt: number): WorkflowOutcome
  items?(loop: string): number
  until?(loop: string, round: number): boolean
  /** Which of the nodes that run ends next. */
  choose?(running: number): number
  /** After each step another scheduler, as after a crash, which finds that only the last of the steps was taken. */
  crashes?: boolean
}

/** Runs a workflow with nodes that do nothing, and returns its state and what happened in which order. */
function simulate(definition: WorkflowDefinition, { outcome, items, until, choose = () => 0, crashes = false }: Simulated) {
  const events: WorkflowRunEvent[] = []
  const log: string[] = []
  const listed = new Map<string, number>()
  const looked = new Map<string, boolean>()
  let most = 0
  const facts: LoopFacts = {
    items: (loop, iteration) => listed.get(nodeKey(loop, iteration)) ?? null,
    until: (loop, iteration, round) => looked.get(nodeKey(loop, [...iteration, round])) ?? null,
  }
  const add = (event: object) =>
    events.push({
      ...{
        event_id: id,
        workflow_run_id: id,
        workflow_id: id,
        run_id: id,
        device_id: 'd',
        seq: events.length,
        ts: '2026-03-01T09:00:00.000Z',
      },
      ...event,
    } as WorkflowRunEvent)
  const state = (): WorkflowRunRecord => foldWorkflowRun(events) as WorkflowRunRecord
  const node = (node_id: string) => definition.nodes.find((one) => one.id === node_id) as WorkflowNode
  const running: Extract<WorkflowStep, { do: 'start' }>[] = []
  const take = (step: WorkflowStep) => {
    const place = { node_id: step.node_id, ...(step.iteration.length === 0 ? {} : { iteration: [...step.iteration] }) }
    const key = nodeKey(step.node_id, step.iteration)
    log.push(`${step.do} ${key}`)
    if (step.do === 'start') {
      add({ kind: 'node.started', ...place, attempt: step.attempt })
      if (node(step.node_id).kind !== 'for_each' && node(step.node_id).kind !== 'repeat') running.push(step)
    } else if (step.do === 'skip') add({ kind: 'node.skipped', ...place, reason: step.reason })
    else if (step.do === 'list_items') listed.set(key, items?.(step.node_id) ?? 0)
    else if (step.do === 'look_until')
      looked.set(nodeKey(step.node_id, [...step.iteration, step.round]), until?.(step.node_id, step.round) ?? true)
    else if (step.outcome === 'succeeded') add({ kind: 'node.completed', ...place, attempt: 1, outcome: 'succeeded' })
    else add({ kind: 'node.failed', ...place, attempt: 1, failure_contract: { ...failure_contract, details: { message: step.reason } } })
  }
  add({ kind: 'started', name: 'Test', owner_agent_id: 'a', definition_sha256: '0'.repeat(64) })
  let scheduler = new WorkflowScheduler(definition, state(), facts)
  let result: NextSteps = { is: 'running', steps: [] }
  for (let turn = 0; turn < 10_000; turn += 1) {
    if (crashes) scheduler = new WorkflowScheduler(definition, state(), facts)
    result = scheduler.next(state())
    if (result.is !== 'running') break
    for (const step of crashes ? result.steps.slice(-1) : result.steps) take(step)
    most = Math.max(most, running.length)
    if (result.steps.length > 0) continue
    const [ended] = running.splice(choose(running.length) % running.length, 1)
    if (!ended) throw new Error('nothing runs, and nothing is next')
    const { node_id, iteration, attempt } = ended
    const how = outcome(node(node_id), iteration, attempt)
    const place = { node_id, ...(iteration.length === 0 ? {} : { iteration: [...iteration] }) }
    log.push(`${how} ${nodeKey(node_id, iteration)}`)
    if (how === 'failed') add({ kind: 'node.failed', ...place, attempt, failure_contract })
    else add({ kind: 'node.completed', ...place, attempt, outcome: how })
  }
  const ends = Object.fromEntries([...state().nodes].map(([key, one]) => [key, one.outcome ?? one.state]))
  return { result, log, ends, most, run: state() }
}

const tool = (name: string, more: object = {}): WorkflowNode =>
  ({ id: name, kind: 'tool', tool: 'fs.read', arguments: '{}', ...more }) as WorkflowNode
const flow = (nodes: WorkflowNode[], edges: WorkflowDefinition['edges']): WorkflowDefinition => ({ inputs: [], nodes, edges })
const always = (how: WorkflowOutcome) => ({ outcome: () => how })

describe('edges', () => {
  const condition: WorkflowNode = { id: 'if', kind: 'condition', condition: { left: '1', comparison: 'exists' } }
  const both = flow(
    [condition, tool('yes'), tool('no'), tool('after')],
    [
      { from: 'if', to: 'yes', when: 'true' },
      { from: 'if', to: 'no', when: 'false' },
      { from: 'yes', to: 'after' },
      { from: 'no', to: 'after' },
    ],
  )

  test('the two sides of a condition meet again', () => {
    const { result, log, ends } = simulate(both, { outcome: ({ kind }) => (kind === 'condition' ? 'false' : 'succeeded') })
    expect(result).toEqual({ is: 'completed' })
    expect(ends).toEqual({ if: 'false', yes: 'skipped', no: 'succeeded', after: 'succeeded' })
    expect(log.indexOf('start after')).toBeGreaterThan(log.indexOf('succeeded no'))
  })

  test('branches run at the same time; a join waits for all of them, or for the first', () => {
    const nodes = (join: 'all' | 'any') =>
      flow(
        [tool('a'), tool('b'), tool('c', { join })],
        [
          { from: 'a', to: 'c' },
          { from: 'b', to: 'c' },
        ],
      )
    const all = simulate(nodes('all'), always('succeeded'))
    expect(all.most).toBe(2)
    expect(all.log).toEqual(['start a', 'start b', 'succeeded a', 'succeeded b', 'start c', 'succeeded c'])
    expect(simulate(nodes('any'), always('succeeded')).log.slice(2, 4)).toEqual(['succeeded a', 'start c'])
  })

  test.each<[string, object, WorkflowDefinition['edges'], string, Record<string, string>]>([
    ['ends the workflow', {}, [{ from: 'a', to: 'b' }], 'failed', { a: 'failed' }],
    ['follows its edge', {}, [{ from: 'a', to: 'b', when: 'failed' }], 'completed', { a: 'failed', b: 'succeeded' }],
    ['does not matter', { on_failure: 'continue' }, [{ from: 'a', to: 'b' }], 'completed', { a: 'failed', b: 'skipped' }],
  ])('a failure %s', (_what, more, edges, is, expected) => {
    const { result, ends } = simulate(flow([tool('a', more), tool('b')], edges), {
      outcome: ({ id: one }) => (one === 'a' ? 'failed' : 'succeeded'),
    })
    expect([result.is, ends]).toEqual([is, expected])
  })

  test('a node is tried again as often as it says', () => {
    const retried = flow([tool('a', { retry: { attempts: 3, backoff_seconds: 5 } })], [])
    expect(simulate(retried, { outcome: (_node, _iteration, attempt) => (attempt < 3 ? 'failed' : 'succeeded') })).toMatchObject({
      result: { is: 'completed' },
    })
    expect(simulate(retried, always('failed'))).toMatchObject({ result: { is: 'failed', because: { node_id: 'a' } } })
    const scheduler = new WorkflowScheduler(retried, { nodes: new Map() }, { items: () => null, until: () => null })
    expect(scheduler.next({ nodes: new Map() })).toMatchObject({ steps: [{ do: 'start', attempt: 1, after_ms: 0 }] })
    const failed = simulate(retried, always('failed')).run.nodes.get('a')
    const once = { nodes: new Map(failed ? [['a', { ...failed, attempt: 1 }]] : []) }
    expect(scheduler.next(once)).toMatchObject({ steps: [{ do: 'start', attempt: 2, after_ms: 5_000 }] })
  })

  test.each([
    [{ reason_code: 'denied_by_user', taxonomy: 'none' }, 'failed'],
    [{ reason_code: 'ended_by_user', taxonomy: 'none' }, 'failed'],
    [{ reason_code: 'path_outside', taxonomy: 'policy_failure' }, 'failed'],
    [{ reason_code: 'not_found', taxonomy: 'none' }, 'running'],
  ])('a node that failed with %j is tried again only if nothing said no', (failure, is) => {
    const retried = flow([tool('a', { retry: { attempts: 3, backoff_seconds: 0 } })], [])
    const record = simulate(retried, always('failed')).run.nodes.get('a')
    const run = { nodes: new Map([['a', { ...record, attempt: 1, failure }]]) } as never
    expect(new WorkflowScheduler(retried, run, { items: () => null, until: () => null }).next(run).is).toBe(is)
  })
})

describe('loops', () => {
  const each = (more: object = {}) =>
    flow(
      [
        { id: 'each', kind: 'for_each', items: '[]', concurrency: 3, ...more },
        tool('x', { within: 'each' }),
        tool('y', { within: 'each' }),
        tool('end'),
      ],
      [
        { from: 'x', to: 'y' },
        { from: 'each', to: 'end' },
      ],
    )

  test('each item gets its round, so many at once', () => {
    const { result, ends, most, log } = simulate(each(), { ...always('succeeded'), items: () => 10 })
    expect([result.is, most]).toEqual(['completed', 3])
    expect(Object.keys(ends)).toHaveLength(22)
    expect(log.at(-2)).toBe('start end')
  })

  test('no items, no rounds', () => {
    expect(simulate(each(), { ...always('succeeded'), items: () => 0 }).ends).toEqual({ each: 'succeeded', end: 'succeeded' })
  })

  test('one item that fails ends the loop, or is left out', () => {
    const third = {
      items: () => 5,
      outcome: ({ id: one }: WorkflowNode, [round]: readonly number[]) =>
        (one === 'x' && round === 2 ? 'failed' : 'succeeded') as WorkflowOutcome,
    }
    const ends = simulate(each(), third)
    expect(ends).toMatchObject({ result: { is: 'failed', because: { node_id: 'each' } } })
    expect(ends.run.nodes.get('each')?.failure?.details.message).toBe(`item 3: x failed: ${failure_contract.details.message}`)
    const goes = simulate(each({ on_item_failure: 'continue' }), third)
    expect([goes.result.is, goes.ends['y@2'], goes.ends['y@4']]).toEqual(['completed', 'skipped', 'succeeded'])
  })

  const again = (most_rounds: number) =>
    flow([{ id: 'again', kind: 'repeat', until: { left: '1', comparison: 'exists' }, most_rounds }, tool('x', { within: 'again' })], [])

  test('a loop ends with its condition, or fails after its last round', () => {
    const done = simulate(again(5), { ...always('succeeded'), until: (_loop, round) => round === 2 })
    expect([done.result.is, Object.keys(done.ends)]).toEqual(['completed', ['again', 'x@0', 'x@1', 'x@2']])
    const never = simulate(again(2), { ...always('succeeded'), until: () => false })
    expect(never).toMatchObject({ result: { is: 'failed', because: { node_id: 'again' } } })
    expect(never.run.nodes.get('again')?.failure?.details.message).toBe('the condition was still not met after 2 rounds')
  })

  test('ten thousand items take no longer each than ten', () => {
    let visits = 0
    const { result } = simulateMany(10_000, () => {
      visits += 1
    })
    expect(result).toBe('completed')
    // Only open rounds are looked at.
    expect(visits).toBeLessThan(10_000 * 100)
  })
})

/** One scheduler over many items, with a state that is changed in place. */
function simulateMany(count: number, visited: () => void) {
  const definition = flow([{ id: 'each', kind: 'for_each', items: '[]', concurrency: 8 }, tool('x', { within: 'each' })], [])
  const nodes = new Map<string, never>()
  const get = nodes.get.bind(nodes)
  nodes.get = (key: string) => {
    visited()
    return get(key)
  }
  const put = (node_id: string, iteration: readonly number[], state: string) =>
    nodes.set(nodeKey(node_id, iteration), {
      node_id,
      iteration,
      state,
      outcome: state === 'completed' ? 'succeeded' : null,
      attempt: 1,
    } as never)
  const scheduler = new WorkflowScheduler(definition, { nodes }, { items: () => count, until: () => null })
  for (;;) {
    const next = scheduler.next({ nodes })
    if (next.is !== 'running') return { result: next.is }
    for (const step of next.steps) {
      if (step.do === 'end_loop') put(step.node_id, step.iteration, 'completed')
      else put(step.node_id, step.iteration, step.node_id === 'x' ? 'completed' : 'running')
    }
  }
}

describe('any workflow', () => {
  /** A graph without cycles, with conditions, joins, failures that matter and failures that do not, and a loop around some nodes. */
  const anyFlow = fc
    .record({
      kinds: fc.array(fc.constantFrom('tool' as const, 'condition' as const), { minLength: 2, maxLength: 9 }),
      pairs: fc.array(fc.tuple(fc.nat(8), fc.nat(8), fc.nat(1)), { maxLength: 14 }),
      joins: fc.array(fc.constantFrom('all' as const, 'any' as const), { minLength: 9, maxLength: 9 }),
      looped: fc.nat(4),
      items: fc.nat(3),
    })
    .map(({ kinds, pairs, joins, looped, items }) => {
      const isLooped = (at: number) => at > 0 && at <= looped && at < kinds.length
      const nodes = kinds.map((kind, at): WorkflowNode => {
        const common = { id: `n${at}`, join: joins[at] ?? 'all', ...(isLooped(at) ? { within: 'loop' } : {}) }
        return kind === 'tool'
          ? (tool(`n${at}`, { ...common, on_failure: 'continue', retry: { attempts: 2, backoff_seconds: 0 } }) as WorkflowNode)
          : { ...common, kind: 'condition', condition: { left: '1', comparison: 'exists' } }
      })
      if (kinds.some((_kind, at) => isLooped(at)))
        nodes.push({ id: 'loop', kind: 'for_each', items: '[]', concurrency: 2, on_item_failure: 'continue' })
      const seen = new Set<string>()
      const edges = pairs.flatMap(([one, other, which]) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const source = nodes[from]
        if (from === to || to >= kinds.length || !source || isLooped(from) !== isLooped(to)) return []
        const when = nodeOutcomes[source.kind][which] ?? 'succeeded'
        if (seen.has(`${from} ${to} ${when}`)) return []
        seen.add(`${from} ${to} ${when}`)
        return [{ from: `n${from}`, to: `n${to}`, when }]
      })
      return { definition: flow(nodes, edges), items }
    })

  /** The same node always ends the same way. */
  const endOf = (seed: number) => (node: WorkflowNode, iteration: readonly number[], attempt: number) => {
    const outcomes = nodeOutcomes[node.kind]
    const hash = [...`${node.id} ${iteration} ${attempt} ${seed}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
    return outcomes[hash % outcomes.length] ?? 'succeeded'
  }

  test('ends, whatever ends first, and the same way; each node ends once, after what it waits for', () => {
    fc.assert(
      fc.property(anyFlow, fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), ({ definition, items }, seed, order) => {
        expect(checkWorkflow(definition)).toEqual([])
        const rules = { outcome: endOf(seed), items: () => items }
        let turn = 0
        const choose = () => order[turn++ % order.length] ?? 0
        const [first, other, crashed] = [
          simulate(definition, rules),
          simulate(definition, { ...rules, choose }),
          simulate(definition, { ...rules, choose, crashes: true }),
        ]
        expect(first.result).toEqual({ is: 'completed' })
        expect([other.ends, other.result]).toEqual([first.ends, first.result])
        expect([crashed.ends, crashed.result]).toEqual([first.ends, first.result])
        for (const { id: to, join } of definition.nodes) {
          const sources = definition.edges.filter((edge) => edge.to === to).map(({ from }) => from)
          for (const [at, line] of join === 'all' ? other.log.entries() : []) {
            const [, round = ''] = new RegExp(`^start ${to}(@.*)?$`).exec(line) ?? [null]
            if (line !== `start ${to}${round}`) continue
            // All nodes before it have ended, or were skipped.
            const before = other.log.slice(0, at).filter((one) => !one.startsWith('start '))
            for (const from of sources) expect(before.some((one) => one.endsWith(` ${from}${round}`))).toBe(true)
          }
        }
        const starts = other.log.filter((line) => line.startsWith('start '))
        const retries = other.log.filter((line) => line.startsWith('failed ')).length
        expect(starts.length - new Set(starts).size).toBeLessThanOrEqual(retries)
      }),
      { numRuns: 300 },
    )
  })
})
