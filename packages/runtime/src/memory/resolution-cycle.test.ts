import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { openDecisions } from './record/decisions.ts'
import { type Memories, openMemories } from './record/memories.ts'
import { openMemoryTerms } from './record/terms.ts'
import { openResolutionCycle, type ResolutionCycle } from './resolution-cycle.ts'

let home: string
let store: Store
let memories: Memories
let cycle: ResolutionCycle
/** How many memories were asked for their revoking words, by cycle. */
let asked: number[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'resolution-cycle-'))
  store = openStore({ home, clock: systemClock })
  asked = []
  const records = openMemories(store, openMemoryTerms(store), () => undefined)
  memories = {
    ...records,
    revokes(ids) {
      asked.push(ids.length)
      return records.revokes(ids)
    },
  }
  cycle = openResolutionCycle({ store, memories, terms: openMemoryTerms(store), decisions: openDecisions(store) })
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function arrives(day: number, content: string, revokes: readonly string[] | null = null) {
  const memory = memories.add({
    ...{ agent_id: null, conversation_id: null, memory_kind: 'decision', subject: 'workspace:shop', content, revokes },
    ...{ source_type: 'memory_flush', authority: 'person', confidence: 0.8, origin_key: null },
    created_at: new Date(Date.UTC(2026, 0, day)).toISOString(),
  })
  cycle.apply([memory])
  return memory.id
}

const state = (id: string) => memories.get(id)?.state

test('words that revoked are not searched for again, and what they ended stays ended', () => {
  const danish = arrives(1, 'The site is also in Danish.')
  arrives(2, 'No Danish any more.', ['Danish'])
  for (let day = 3; day < 10; day += 1) arrives(day, `Shelf ${day} is green.`)
  expect(state(danish)).toBe('superseded')
  expect(asked).toEqual(asked.map(() => 1))
})

test('words that revoke also end what was said before them and is read after them', () => {
  arrives(2, 'No Danish any more.', ['Danish'])
  arrives(3, 'Shelf 3 is green.')
  expect(state(arrives(1, 'The site is also in Danish.'))).toBe('superseded')
})
