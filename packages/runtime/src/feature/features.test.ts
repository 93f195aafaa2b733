import { expect, test } from 'vitest'
import type { RunRecord } from '../journal/run-record.ts'
import type { Feature, PromptSection } from './feature.ts'
import { openFeatures } from './features.ts'
import { inTime } from './patience.ts'

const run = { run_id: 'r' } as RunRecord

function ground(life: 'resident' | 'errand' = 'resident') {
  const logged: string[] = []
  const told: string[] = []
  const features = openFeatures({
    life,
    registry: { add: (tools) => void told.push(...tools.map(({ name }) => `tool ${name}`)) },
    scheduler: { add: ({ name }) => void told.push(`job ${name}`) },
    lifecycle: { listen: ({ name, from }) => void told.push(`listener ${name} from ${from}`) },
    settings: { add: ({ name }) => void told.push(`settings ${name}`) },
    log: (line) => void logged.push(line),
  })
  return { features, logged, told }
}

const section = (order: number, stable: boolean): PromptSection => ({ order, stable, max_tokens: 1, text: async () => '' })

test('what a feature brings is registered where it belongs', () => {
  const { features, told } = ground()
  const added = features.add({
    name: 'toy',
    own: 7,
    tools: [{ name: 'toy.play' } as never],
    jobs: [{ name: 'toy_job', every_ms: 1, run: () => undefined }],
    settings: { name: 'toy' } as never,
    on: { from: 'now', hears: {} },
  })
  expect(added.own).toBe(7)
  expect(told).toEqual(['tool toy.play', 'job toy_job', 'settings toy', 'listener toy from now'])
  expect(() => features.add({ name: 'toy' })).toThrow('two features are called toy')
})

test('two features do not answer the same command', () => {
  const { features } = ground()
  const commands = { tool_list: () => ({ ok: false as const, code: 'not_available' as const, message: '' }) }
  features.add({ name: 'one', commands })
  expect(Object.keys(features.commands())).toEqual(['tool_list'])
  features.add({ name: 'other', commands })
  expect(() => features.commands()).toThrow('tool_list is answered twice, the second time by other')
})

test('stable sections come first, each group by its order', () => {
  const { features } = ground()
  const all = [section(2, false), section(3, true), section(1, false), section(4, true)]
  for (const [at, prompt] of all.entries()) features.add({ name: String(at), prompt })
  expect(features.promptSections().map(({ order, stable }) => [stable, order])).toEqual([
    [true, 3],
    [true, 4],
    [false, 1],
    [false, 2],
  ])
})

test('one feature that fails keeps no other from doing its part', async () => {
  const { features, logged } = ground()
  const ended: string[] = []
  const failing: Feature = {
    name: 'failing',
    bindings: () => Promise.reject(new Error('no')),
    endRun: () => Promise.reject(new Error('no')),
    status() {
      throw new Error('broken')
    },
  }
  features.add(failing)
  features.add({
    name: 'fine',
    bindings: async () => [{ skill_name: 's', content_sha256: 'a', binding_policy: 'always' }],
    endRun: (run_id) => void ended.push(run_id),
    status: () => ({ works: true, note: 'well' }),
  })
  features.add({ name: 'silent' })
  expect(await features.bindings(run)).toEqual([{ skill_name: 's', content_sha256: 'a', binding_policy: 'always' }])
  await features.endRun('r')
  expect(ended).toEqual(['r'])
  expect(features.states()).toEqual([
    { name: 'failing', works: false, note: 'Error: broken' },
    { name: 'fine', works: true, note: 'well' },
    { name: 'silent', works: true },
  ])
  expect(logged).toEqual(['failing: what it binds to run r is not known: Error: no', 'failing: after run r: Error: no'])
})

test('the last one added stops first', async () => {
  const { features } = ground()
  const stopped: string[] = []
  for (const name of ['a', 'b', 'c']) features.add({ name, stop: () => void stopped.push(name) })
  await features.stop()
  expect(stopped).toEqual(['c', 'b', 'a'])
})

test('one that can not be stopped keeps no other from stopping', async () => {
  const { features, logged } = ground()
  const stopped: string[] = []
  features.add({ name: 'a', stop: () => void stopped.push('a') })
  features.add({ name: 'b', stop: () => Promise.reject(new Error('no')) })
  await features.stop()
  expect([stopped, logged]).toEqual([['a'], ['b could not be stopped: Error: no']])
})

test('a process that lives for one command has no jobs', () => {
  const { features, told } = ground('errand')
  features.add({ name: 'toy', jobs: [{ name: 'toy_job', every_ms: 1, run: () => undefined }] })
  expect(told).toEqual([])
})

test('a feature that hangs does not hold up a run', async () => {
  await expect(inTime(new Promise(() => undefined), 5)).rejects.toThrow('no answer within 5 ms')
  expect(await inTime('now')).toBe('now')
})
