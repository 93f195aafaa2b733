import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { openStore } from '../store/store.ts'
import { openInjection } from './injection.ts'
import { openMemories } from './record/memories.ts'
import { openProfiles } from './record/profiles.ts'
import { openMemoryTerms } from './record/terms.ts'

const home = mkdtempSync(join(tmpdir(), 'injection-'))
const store = openStore({ home, clock: systemClock })
// The run is not in the journal of this test.
store.sql.run`PRAGMA foreign_keys = OFF`
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

test('what a prompt has is recorded also if the search took too long; what is found later is added after it', async () => {
  const memories = openMemories(store, openMemoryTerms(store), () => undefined)
  const add = (content: string, memory_kind: 'preference' | 'semantic') =>
    memories.add({
      ...{ agent_id: null, conversation_id: null, memory_kind, subject: 'user', content, source_type: 'user_statement' },
      ...{ authority: 'person', confidence: 1, origin_key: null },
    })
  const [preference, fact] = [add('I prefer tea.', 'preference'), add('I live in Porto.', 'semantic')]
  const answers = [
    { hits: [], isLate: true },
    { hits: [{ id: fact.id }], isLate: false },
  ]
  const ports = {
    ...{ store, memories, profiles: openProfiles(store), life: 'resident', refresh: () => undefined },
    journal: {
      conversations: { get: () => undefined },
      messages: { latest: () => [{ role: 'user', text: 'Where do I live?', set_aside: false }] },
    },
    recall: { search: async () => answers.shift() },
    settings: () => ({ use_in_runs: true, prompt_tokens: 1_000 }),
    ...{ isExcluded: () => false, expiryOf: () => null, isRecallable: () => true },
  }
  const injection = openInjection(ports as unknown as Parameters<typeof openInjection>[0])
  const run = { no: 1, agent_id: 'a', conversation_id: 'c', conversation: 1 } as RunRecord
  const uses = () => [preference, fact].map(({ id }) => memories.get(id)?.use_count)
  const given = () => injection.of(run).items.map(({ id }) => id)

  const first = await injection.text(run, 1_000)
  expect([first.includes('I prefer tea.'), given(), uses()]).toEqual([true, [preference.id], [1, 0]])
  expect(injection.record?.(run)).toMatchObject({ memories: { items: [{ id: preference.id }] } })

  const second = await injection.text(run, 1_000)
  expect([second.startsWith(first), second.includes('I live in Porto.')]).toEqual([true, true])
  expect([given(), uses()]).toEqual([
    [preference.id, fact.id],
    [1, 1],
  ])

  // From now on the prompt stays the same, and nothing is searched.
  expect([await injection.text(run, 1_000), uses(), answers]).toEqual([second, [1, 1], []])
})
