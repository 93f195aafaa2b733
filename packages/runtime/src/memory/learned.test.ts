import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { openFeatureContext } from '../feature/open-feature-context.ts'
import { type Learned, openLearned } from './learned.ts'
import { type GraphRecords, openGraphRecords } from './record/graph-records.ts'
import { type Memories, type NewMemory, openMemories } from './record/memories.ts'
import { openOutdated } from './record/outdated.ts'
import { openProfiles, type Profiles } from './record/profiles.ts'
import { openMemoryTerms } from './record/terms.ts'

const agent_id = 'agent-1'
/** More than are read at once. */
const many = 2_001

let home: string
let ground: FeatureContext
let memories: Memories
let profiles: Profiles
let graph: GraphRecords
let learned: Learned

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'learned-'))
  ground = openFeatureContext({ home, environment: {}, clock: systemClock, life: 'errand', log: () => undefined })
  const { store, journal } = ground
  memories = openMemories(store, openMemoryTerms(store), () => undefined)
  profiles = openProfiles(store)
  graph = openGraphRecords(store)
  learned = openLearned({
    ...{ store, journal, memories, profiles, graph, outdated: openOutdated(store), life: 'errand', log: () => undefined },
    ...{ agent: () => undefined, isRecallable: () => true, isExcluded: () => false },
  })
})
afterEach(async () => {
  await ground.scheduler.stop()
  ground.store.close()
  rmSync(home, { recursive: true })
})

function add(fields: Partial<NewMemory>, day = 1) {
  return memories.add({
    ...{ agent_id, conversation_id: null, memory_kind: 'preference', subject: 'user', content: 'I prefer short mails.' },
    ...{ source_type: 'memory_flush', authority: 'person', confidence: 0.8, origin_key: null },
    ...{ created_at: new Date(Date.UTC(2026, 0, day)).toISOString(), ...fields },
  })
}

function preferences() {
  learned.refresh('user_model')
  return profiles.userModel(agent_id, null)?.preference_signals.map(({ value }) => value)
}

function people(conversation_id: string | null) {
  learned.refresh('graph')
  return graph
    .entities(agent_id, conversation_id)
    .filter(({ entity_kind }) => entity_kind === 'stakeholder')
    .map(({ canonical_name }) => canonical_name)
}

test('what the user said about themselves stays known, whatever else is remembered later', () => {
  ground.store.transaction(() => {
    const old = add({})
    for (let no = 0; no < many; no += 1)
      add({ memory_kind: 'decision', subject: 'workspace:shop', content: `Shelf ${no} is green.`, conversation_id: 'c-1' }, 2)
    learned.after([old], agent_id)
  })
  expect(preferences()).toEqual(['I prefer short mails.'])
})

test('what was added by hand stays in the graph, whatever is learned in conversations later', () => {
  const about = { memory_kind: 'relationship' as const, subject: 'entity:Ana Reis', content: 'Ana Reis expects updates via Slack.' }
  ground.store.transaction(() => {
    const old = add(about)
    for (let no = 0; no < many; no += 1)
      add({ memory_kind: 'decision', subject: 'workspace:shop', content: `Shelf ${no} is green.`, conversation_id: 'c-1' }, 2)
    learned.after([old], agent_id)
  })
  expect(people(null)).toEqual(['Ana Reis'])
})

test('a conversation has the people that its own active memories mention', () => {
  const relationship = (content: string, conversation_id: string) =>
    add({ memory_kind: 'relationship', subject: 'user', content, conversation_id })
  ground.store.transaction(() => {
    const here = relationship('Ana Reis expects updates via Slack.', 'c-1')
    const there = relationship('Ben Holt expects updates via Signal.', 'c-2')
    const over = relationship('Cora Lind expects updates via Teams.', 'c-1')
    memories.move(over.id, 'supersede', 'replaced')
    learned.after([here, there, over], agent_id)
  })
  expect([people('c-1'), people('c-2'), people(null)]).toEqual([
    expect.arrayContaining(['Ana Reis']),
    expect.arrayContaining(['Ben Holt']),
    [],
  ])
  expect(people('c-1')).not.toContain('Cora Lind')
})

test('what follows from memories is computed soon after, and after a start if an earlier process did not get to it', async () => {
  const { store, journal } = ground
  const outdated = openOutdated(store)
  const fields = { memory_kind: 'relationship' as const, content: 'Ana Reis expects updates via Slack.' }
  // This process only notes that something is outdated.
  store.transaction(() => learned.after([add(fields)], agent_id))
  expect([outdated.first('graph'), graph.entities(agent_id)]).toEqual([{ part: 'graph', agent_id, conversation_id: null }, []])
  const ports = {
    store,
    journal,
    memories,
    profiles,
    graph,
    outdated,
    agent: () => undefined,
    isRecallable: () => true,
    isExcluded: () => false,
  }
  const next = openLearned({ ...ports, life: 'resident', log: () => undefined })
  next.continue()
  await expect.poll(() => graph.entities(agent_id).map(({ canonical_name }) => canonical_name)).toContain('Ana Reis')
  await expect.poll(() => outdated.first()).toBeUndefined()
  store.transaction(() => next.after([add({ ...fields, content: 'Ben Holt expects updates via Signal.' })], agent_id))
  await expect.poll(() => graph.entities(agent_id).map(({ canonical_name }) => canonical_name)).toContain('Ben Holt')
  next.stop()
})

test('what is written while something is computed in slices is part of the result, whenever it comes', () => {
  const { store, journal } = ground
  const outdated = openOutdated(store)
  const ports = { journal, memories, profiles, graph, outdated, agent: () => undefined, isRecallable: () => true, isExcluded: () => false }
  const all = () => ({
    ...{ entities: graph.entities(agent_id, null), edges: graph.edges(agent_id, null) },
    ...{ user: profiles.userModel(agent_id, null), rest: outdated.first() },
  })
  // Each look at the clock takes a millisecond, and the next slice is taken by hand.
  let elapsed = 0
  let slice: () => void = () => expect.fail('nothing is due')
  const clock = {
    ...store.clock,
    elapsed: () => elapsed++,
    after(_ms: number, work: () => void) {
      slice = work
      return () => undefined
    },
  }
  const next = openLearned({ ...ports, store: { ...store, clock }, life: 'resident', log: (line) => expect.fail(line) })
  const people = ['Ana', 'Ben', 'Cora', 'Dina', 'Emil', 'Fritz'].flatMap((first) =>
    ['Reis', 'Holt', 'Lind'].map((last) => `${first} ${last}`),
  )
  for (const [at, person] of people.entries()) {
    store.transaction(() => {
      const channel = at % 2 === 0 ? 'Slack' : 'Signal'
      const about = add({ memory_kind: 'relationship', content: `${person} expects updates via ${channel}.` })
      next.after([about, add({ content: `I prefer mails to ${person} in the morning.` })], agent_id)
    })
    for (let count = 0; count < at; count += 1) slice()
  }
  expect(outdated.first()).toBeDefined()
  while (outdated.first()) slice()
  next.stop()
  const inSlices = all()
  expect(inSlices.user?.preference_signals).toHaveLength(people.length)
  // Computing all of it again, at once, changes nothing.
  store.transaction(() => learned.after(memories.page({}, null, 100), agent_id))
  learned.refresh()
  expect(all()).toEqual(inSlices)
})
