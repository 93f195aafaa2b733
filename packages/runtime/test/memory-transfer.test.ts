// Export and import between two devices: importing an export leads to the same state, with history, decisions and corrections.
import { DatabaseSync } from 'node:sqlite'
import type { Memory } from '@tandem/contract/memory'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

const timeout = 300_000

const script = () => ({ text: 'Fine.' })
const [here, there] = [await startTestAgent(script), await startTestAgent(script)]
const agent_id = await here.agent()
await there.agent()
afterAll(async () => {
  await here.stop()
  await there.stop()
})

async function all(device: TestAgent): Promise<readonly Memory[]> {
  const { items, next_cursor } = await device.call('memory_list', { limit: 200 })
  expect(next_cursor).toBe(null)
  return items.toReversed()
}

async function empty(device: TestAgent): Promise<void> {
  // Those that state the same go together.
  for (let [first] = await all(device); first; [first] = await all(device)) await device.call('memory_forget', { memory_id: first.id })
  expect(JSON.parse((await device.call('memory_export', {})).json)).toEqual({
    ...{ format: 'tandem-memory', version: 2 },
    ...{ memories: [], versions: [], decisions: [], corrections: [] },
  })
}

beforeEach(async () => {
  await empty(here)
  await empty(there)
})

const contents = [
  'I live in Porto.',
  'I live in Braga.',
  'I prefer short answers.',
  'I prefer long answers.',
  'I prefer tabs over spaces.',
  'My editor is Vim.',
  'My editor is Emacs.',
  'I no longer use Vim.',
  'The printer broke in March.',
] as const

const content = fc.constantFrom(...contents)
const nth = fc.nat({ max: 30 })
const action = fc.oneof(
  fc.record({
    does: fc.constant('add' as const),
    content,
    memory_kind: fc.constantFrom('semantic' as const, 'preference' as const, 'decision' as const),
    owner: fc.constantFrom(null, agent_id),
    subject: fc.constantFrom('user', 'workspace:party'),
  }),
  fc.record({ does: fc.constant('edit' as const), nth, content }),
  fc.record({ does: fc.constantFrom('confirm' as const, 'reinstate' as const, 'forget' as const), nth }),
  fc.record({ does: fc.constant('decide' as const), nth, over: nth }),
  fc.record({ does: fc.constant('correct' as const), nth, content }),
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** What does not fit the state is refused, and changes nothing. */
async function act(one: Action): Promise<void> {
  const list = await all(here)
  const { commands } = here.runtime
  if (one.does === 'add') {
    const { content: text, memory_kind, owner, subject } = one
    await here.call('memory_add', { agent_id: owner, content: text, memory_kind, subject })
    return
  }
  const memory = list[one.nth % Math.max(1, list.length)]
  if (!memory) return
  const { id: memory_id } = memory
  if (one.does === 'edit') await commands.call('memory_edit', { memory_id, content: one.content })
  if (one.does === 'confirm') await commands.call('memory_confirm', { memory_id })
  if (one.does === 'reinstate') await commands.call('memory_reinstate', { memory_id })
  if (one.does === 'forget') await commands.call('memory_forget', { memory_id })
  if (one.does === 'correct')
    await here.call('memory_record_user_correction', { agent_id, corrected_memory_id: memory_id, wrong: 'x', right: one.content })
  if (one.does === 'decide') {
    const others = list.filter(
      ({ id, subject, agent_id: owner }) => id !== memory_id && subject === memory.subject && owner === memory.agent_id,
    )
    const over = others[one.over % Math.max(1, others.length)]
    if (over) await here.call('memory_decide_conflict', { kept_memory_id: memory_id, over_memory_ids: [over.id] })
  }
}

test('importing an export leads to the same state, and importing it again changes nothing', { timeout }, async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), async (actions) => {
        for (const one of actions) await act(one)
        const { json, memories } = await here.call('memory_export', {})
        const file = JSON.parse(json)
        const counts = { versions: file.versions.length, decisions: file.decisions.length, corrections: file.corrections.length }
        expect(await there.call('memory_import', { json })).toEqual({ added: memories, known: 0, ...counts, refused: [] })
        expect(JSON.parse((await there.call('memory_export', {})).json)).toEqual(file)
        const nothing = { added: 0, known: memories, versions: 0, decisions: 0, corrections: 0, refused: [] }
        for (const device of [here, there]) {
          expect(await device.call('memory_import', { json })).toEqual(nothing)
          expect(JSON.parse((await device.call('memory_export', {})).json)).toEqual(file)
        }
      })
      .beforeEach(async () => {
        await empty(here)
        await empty(there)
      }),
    { numRuns: 60 },
  )
})

async function add(text: string): Promise<string> {
  return (await here.call('memory_add', { agent_id: null, content: text, memory_kind: 'semantic' })).memory.id
}

test('a memory that was already stored keeps its history, and no decision of a file goes against it', { timeout }, async () => {
  const [kept, over] = [await add('The office is on the first floor.'), await add('The office is on the second floor.')]
  const before = (await here.call('memory_export', {})).json
  await here.call('memory_edit', { memory_id: over, content: 'The office is on the third floor.' })
  await here.call('memory_decide_conflict', { kept_memory_id: kept, over_memory_ids: [over] })
  const { json } = await here.call('memory_export', {})
  const onlyOver = { ...JSON.parse(before), memories: JSON.parse(before).memories.filter(({ id }: Memory) => id === over) }
  expect(await there.call('memory_import', { json: JSON.stringify(onlyOver) })).toMatchObject({ added: 1 })
  expect(await there.call('memory_import', { json })).toEqual({
    ...{ added: 1, known: 1, versions: 1, decisions: 0, corrections: 0 },
    refused: [{ part: 'decisions', position: 0, reason: 'it is about a memory that was already stored' }],
  })
  expect(await there.call('memory_get', { memory_id: over })).toMatchObject({
    memory: { content: 'The office is on the second floor.', state: 'active', version: 1 },
    versions: [],
    decisions: [],
  })
})

test('a secret, an unknown memory and a later version are refused wherever they are; the rest is imported', { timeout }, async () => {
  const memory_id = await add('The office is on the first floor.')
  await here.call('memory_edit', { memory_id, content: 'The office is on the second floor.' })
  await here.call('memory_record_user_correction', { agent_id, corrected_memory_id: memory_id, wrong: 'x', right: 'It is on the roof.' })
  const file = JSON.parse((await here.call('memory_export', {})).json)
  const [earlier] = file.versions
  const [correction] = file.corrections
  const secret = 'my password: hunter2-Zx81-canary'
  const stranger = '01a00000-0000-7000-8000-000000000001'
  const versions = [{ ...earlier, content: secret }, { ...earlier, id: stranger }, { ...earlier, version: 99 }, ...file.versions]
  const decisions = [{ id: stranger, kept_memory_id: stranger, over_memory_ids: [memory_id], created_at: earlier.created_at }, { id: 'x' }]
  const corrections = [
    { ...correction, id: stranger, wrong: secret },
    { ...correction, memory_id: stranger, id: stranger },
    ...file.corrections,
  ]
  const json = JSON.stringify({ ...file, versions, decisions, corrections })
  const { refused, ...counts } = await there.call('memory_import', { json })
  expect(counts).toEqual({ added: 2, known: 0, versions: file.versions.length, decisions: 0, corrections: 1 })
  expect(refused.map(({ part, position, reason }) => `${part} ${position}: ${reason}`).toSorted()).toEqual([
    'corrections 0: it contains a secret',
    'corrections 1: its memory was not imported',
    'decisions 0: the memory that it keeps was not imported',
    'decisions 1: it is not a decision about a conflict',
    'versions 0: it contains a secret',
    'versions 1: its memory was not imported',
    'versions 2: it is not earlier than its memory',
  ])
  expect(JSON.parse((await there.call('memory_export', {})).json)).toEqual(file)
})

test('a file of version 1 is imported; a newer one and other files are refused', { timeout }, async () => {
  await add('The office is on the first floor.')
  const { memories } = JSON.parse((await here.call('memory_export', {})).json)
  const old = JSON.stringify({ format: 'tandem-memory', version: 1, memories })
  expect(await there.call('memory_import', { json: old })).toMatchObject({ added: 1, refused: [] })
  for (const other of [
    { format: 'tandem-memory', version: 3, memories, versions: [], decisions: [], corrections: [] },
    { format: 'tandem-memory', version: 2, memories },
    { format: 'other', version: 1, memories },
    [],
  ]) {
    expect(await there.runtime.commands.call('memory_import', { json: JSON.stringify(other) })).toMatchObject({
      ok: false,
      error: { code: 'invalid_params', message: expect.stringContaining('it is not an export of memories') },
    })
  }
})

test('an import that fails in the middle leaves nothing', { timeout }, async () => {
  const [kept, over] = [await add('The office is on the first floor.'), await add('The office is on the second floor.')]
  await here.call('memory_decide_conflict', { kept_memory_id: kept, over_memory_ids: [over] })
  const { json } = await here.call('memory_export', {})
  const database = new DatabaseSync(`${there.runtime.home}/tandem.db`)
  database.exec(`CREATE TRIGGER full BEFORE INSERT ON memory_decisions BEGIN SELECT RAISE(ABORT, 'no space'); END`)
  expect(await there.runtime.commands.call('memory_import', { json })).toMatchObject({ ok: false })
  expect(await all(there)).toEqual([])
  database.exec('DROP TRIGGER full')
  database.close()
  expect(await there.call('memory_import', { json })).toMatchObject({ added: 2, decisions: 1, refused: [] })
})

test('a forgotten memory is not named by the decisions about others', { timeout }, async () => {
  const texts = ['The office is on the first floor.', 'The office is on the second floor.', 'The office is on the third floor.']
  const [kept = '', gone = '', over = ''] = await Promise.all(texts.map(add))
  await here.call('memory_decide_conflict', { kept_memory_id: kept, over_memory_ids: [gone, over] })
  await here.call('memory_forget', { memory_id: gone })
  expect((await here.call('memory_get', { memory_id: kept })).decisions).toMatchObject([{ kept_memory_id: kept, over_memory_ids: [over] }])
  await here.call('memory_forget', { memory_id: over })
  expect((await here.call('memory_get', { memory_id: kept })).decisions).toEqual([])
})

test('what was on the device before wins over a file, whatever the file claims', { timeout }, async () => {
  const said = (device: TestAgent, text: string, memory_kind: 'semantic' | 'preference' = 'semantic') =>
    device.call('memory_add', { agent_id: null, content: text, memory_kind }).then(({ memory }) => memory.id)
  const own = await said(there, 'I live in Porto.')
  const same = await said(there, 'My editor is Vim.')
  await said(here, 'My editor is Vim.')
  const foreign = await said(here, 'I live in Braga.')
  const corrected = await here.call('memory_record_user_correction', {
    ...{ agent_id, corrected_memory_id: foreign, wrong: 'Braga', right: 'I live in Faro.' },
  })
  const file = JSON.parse((await here.call('memory_export', {})).json)
  // Also by a link to it.
  const linking = { ...file.memories[0], id: '01a00000-0000-7000-8000-000000000001', content: 'I have moved to Lagos.', supersedes: [own] }
  const json = JSON.stringify({ ...file, memories: [...file.memories, linking] })
  expect(await there.call('memory_import', { json })).toMatchObject({ added: 4, refused: [] })
  const memoryOf = async (memory_id: string) => there.call('memory_get', { memory_id })
  expect(await memoryOf(own)).toMatchObject({ memory: { state: 'active', version: 1, conflicts_with: [] }, not_used_because: null })
  for (const id of [corrected.memory.id, linking.id])
    expect((await memoryOf(id)).memory).toMatchObject({ authority: 'untrusted', confirmed_by_user: false })
  // What states the same does not wait for a review.
  const editors = (await there.call('memory_list', { words: ['Vim'] })).items
  expect(editors.map(({ authority }) => authority)).toEqual(['person', 'person'])
  expect(editors.filter(({ state }) => state === 'active')).toHaveLength(1)
  expect(same).toBe(editors.find(({ id }) => id === same)?.id)
  expect(await there.call('memory_import', { json })).toMatchObject({ added: 0, known: 4 })
})
