import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Memory } from '@tandem/contract/memory'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { type Decisions, openDecisions } from './record/decisions.ts'
import { type Memories, openMemories } from './record/memories.ts'
import { type MemoryTerms, openMemoryTerms } from './record/terms.ts'
import { openResolutionCycle, type ResolutionCycle } from './resolution-cycle.ts'

interface Device {
  readonly home: string
  readonly store: Store
  readonly memories: Memories
  readonly terms: MemoryTerms
  readonly decisions: Decisions
  readonly cycle: ResolutionCycle
}

let partly: Device
let wholly: Device

beforeAll(() => {
  partly = openDevice((terms) => terms)
  wholly = openDevice((terms) => ({ ...terms, isComplete: () => false }))
})
afterAll(() => {
  for (const { store, home } of [partly, wholly]) {
    store.close()
    rmSync(home, { recursive: true })
  }
})

function openDevice(seen: (terms: MemoryTerms) => MemoryTerms): Device {
  const home = mkdtempSync(join(tmpdir(), 'concerned-'))
  const store = openStore({ home, clock: systemClock })
  const terms = openMemoryTerms(store)
  const memories = openMemories(store, terms, () => undefined)
  const decisions = openDecisions(store)
  return { home, store, memories, terms, decisions, cycle: openResolutionCycle({ store, memories, terms: seen(terms), decisions }) }
}

const contents = [
  'My editor is Zed.',
  'My editor is Helix.',
  'My editor is Helix',
  'I use Zed as my editor.',
  'My shell is fish.',
  'My shell is zsh.',
  'The site is also in Danish.',
  'The site is also in Danish and in Dutch.',
  'No Danish any more.',
  'The blue shelf in the hall holds all old tax letters of the family now.',
  'The blue shelf in the hall holds all old tax letters of the family again.',
  'The default branch is main.',
  'The default branch is trunk.',
  'the the the',
  '??',
]

type Action =
  | { readonly kind: 'add'; readonly content: number; readonly day: number; readonly rank: number; readonly ends: number | null }
  | { readonly kind: 'edit'; readonly which: number; readonly content: number }
  | { readonly kind: 'archive' | 'set_aside' | 'decide' | 'erase'; readonly which: number }

const which = fc.nat(30)
const content = fc.nat(contents.length - 1)
const actions = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('add' as const), content, day: fc.nat(20), rank: fc.nat(3), ends: fc.option(which) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), which, content }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('archive' as const, 'set_aside' as const, 'decide' as const, 'erase' as const), which }),
    },
  ),
  { minLength: 2, maxLength: 14 },
)

test('reading only the memories that can be concerned gives the same as reading all', () => {
  fc.assert(
    fc.property(actions, (list) => {
      const [left, right] = [partly, wholly].map((device) => played(device, list))
      expect(left).toEqual(right)
    }),
    { numRuns: Number(process.env.CASES ?? 40) },
  )
})

/** Everything that a cycle decides, after each action. */
function played(device: Device, list: readonly Action[]): unknown[] {
  const { memories, decisions, store } = device
  const ids = () => memories.ids(null, 100)
  memories.erase(ids())
  decisions.eraseOf(decisions.all().flatMap(({ kept_memory_id, over_memory_ids }) => [kept_memory_id, ...over_memory_ids]))
  return list.map((action, index) => {
    store.transaction(() => act(device, action, index))
    return ids()
      .flatMap((id) => memories.get(id) ?? [])
      .map(({ id, state, state_reason, slot, conflicts_with, supersedes, quotes }) => ({
        ...{ id, state, state_reason, slot, conflicts_with, supersedes, quotes },
      }))
  })
}

function act({ memories, decisions, cycle }: Device, action: Action, index: number): void {
  const all = memories.all(memories.ids(null, 100))
  const chosen = (place: number): Memory | undefined => all[place % Math.max(1, all.length)]
  if (action.kind === 'add') {
    const text = contents[action.content] ?? ''
    const ended = action.ends === null ? undefined : chosen(action.ends)
    const memory = memories.add({
      ...{
        id: `memory-${String(index).padStart(2, '0')}`,
        agent_id: null,
        conversation_id: null,
        memory_kind: 'preference',
        subject: 'user',
      },
      ...{ content: text, source_type: 'memory_flush', confidence: 0.8, confirmed_by_user: action.rank === 3, origin_key: null },
      authority: action.rank === 0 ? 'untrusted' : action.rank === 1 ? 'agent' : 'person',
      revokes: text.startsWith('No ') ? ['Danish'] : null,
      supersedes: ended && action.rank === 3 ? [ended.id] : [],
      created_at: new Date(Date.UTC(2026, 0, 1 + action.day)).toISOString(),
    })
    cycle.apply([memory])
    return
  }
  const memory = chosen(action.which)
  if (!memory) return
  if (action.kind === 'edit') cycle.apply([memories.edit(memory.id, { content: contents[action.content] ?? '' })])
  else if (action.kind === 'erase') {
    // As forgetting does it.
    for (const { id, conflicts_with, supersedes } of memories.referringTo([memory.id]))
      memories.edit(id, {
        conflicts_with: conflicts_with.filter((one) => one !== memory.id),
        supersedes: supersedes.filter((one) => one !== memory.id),
      })
    decisions.eraseOf([memory.id])
    memories.erase([memory.id])
  } else if (action.kind === 'decide') {
    if (memory.conflicts_with.length === 0) return
    const over_memory_ids = [...memory.conflicts_with]
    decisions.add({ id: `decision-${index}`, kept_memory_id: memory.id, over_memory_ids, created_at: '2026-02-01T00:00:00.000Z' })
    cycle.apply([memory])
  } else {
    const moved = memories.move(memory.id, 'archive', action.kind === 'archive' ? 'expired' : 'set_aside')
    if (moved) cycle.apply([moved])
  }
}

test('memories of an earlier version are found once they have their terms', () => {
  const { memories, terms, store } = partly
  memories.erase(memories.ids(null, 100))
  act(partly, { kind: 'add', content: 0, day: 0, rank: 2, ends: null }, 0)
  act(partly, { kind: 'add', content: 4, day: 1, rank: 2, ends: null }, 1)
  store.sql.run`DELETE FROM memory_terms`
  store.sql.run`DELETE FROM memory_numbers`
  const again = openMemoryTerms(store)
  expect(again.isComplete()).toBe(false)
  expect(again.missing('', 1)).toEqual(['memory-00'])
  expect(again.missing('memory-00', 10)).toEqual(['memory-01'])
  for (const memory of memories.all(again.missing('', 10))) again.add(memory)
  expect(again.isComplete()).toBe(true)
  act(partly, { kind: 'add', content: 1, day: 2, rank: 2, ends: null }, 2)
  expect(memories.get('memory-00')).toMatchObject({ state: 'superseded' })
  memories.erase(memories.ids(null, 100))
  expect(store.sql.get`SELECT count(*) AS terms FROM memory_terms`).toEqual({ terms: 0 })
  expect(terms.missing('', 1)).toEqual([])
})
