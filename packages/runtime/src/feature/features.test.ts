import { expect, test } from 'vitest'
import type { RunRecord } from '../journal/run-record.ts'
import type { Feature, PromptSection } from './feature.ts'
import { openFeatures } from './features.ts'
import { withTimeout } from './timeout.ts'

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

test('registers everything that a feature adds', () => {
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
  expect(() => features.add({ name: 'toy' })).toThrow('two features have the name toy')
})

test('refuses two features with the same command', () => {
  const { features } = ground()
  const commands = { tool_list: () => ({ ok: false as const, code: 'not_available' as const, message: '' }) }
  features.add({ name: 'one', commands })
  expect(Object.keys(features.commands())).toEqual(['tool_list'])
  features.add({ name: 'other', commands })
  expect(() => features.commands()).toThrow('tool_list is defined twice, the second time by other')
})

test('puts stable sections first, each group in its order', () => {
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

test('a feature that fails does not affect the others', async () => {
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
  expect(logged).toEqual(['failing: its bindings for run r could not be read: Error: no', 'failing: cleanup after run r failed: Error: no'])
})

test('stops the last one added first', async () => {
  const { features } = ground()
  const stopped: string[] = []
  for (const name of ['a', 'b', 'c']) features.add({ name, stop: () => void stopped.push(name) })
  await features.stop()
  expect(stopped).toEqual(['c', 'b', 'a'])
})

test('a feature that fails to stop does not keep the others from stopping', async () => {
  const { features, logged } = ground()
  const stopped: string[] = []
  features.add({ name: 'a', stop: () => void stopped.push('a') })
  features.add({ name: 'b', stop: () => Promise.reject(new Error('no')) })
  await features.stop()
  expect([stopped, logged]).toEqual([['a'], ['b could not be stopped: Error: no']])
})

test('a process for one command has no jobs', () => {
  const { features, told } = ground('errand')
  features.add({ name: 'toy', jobs: [{ name: 'toy_job', every_ms: 1, run: () => undefined }] })
  expect(told).toEqual([])
})

test('a feature that hangs does not delay a run', async () => {
  await expect(withTimeout(new Promise(() => undefined), 5)).rejects.toThrow('no response within 5 ms')
  expect(await withTimeout('now')).toBe('now')
})
