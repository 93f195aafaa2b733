// Fills a device with memories as flushes would have written them, in a process of its own: resolved, with graph and profiles, and indexed.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openLearned } from '../packages/runtime/src/memory/learned.ts'
import { openDecisions } from '../packages/runtime/src/memory/record/decisions.ts'
import { openGraphRecords } from '../packages/runtime/src/memory/record/graph-records.ts'
import { openMemories } from '../packages/runtime/src/memory/record/memories.ts'
import { openOutdated } from '../packages/runtime/src/memory/record/outdated.ts'
import { openProfiles } from '../packages/runtime/src/memory/record/profiles.ts'
import { openMemoryTerms } from '../packages/runtime/src/memory/record/terms.ts'
import { openResolutionCycle } from '../packages/runtime/src/memory/resolution-cycle.ts'
import { isRecallable } from '../packages/runtime/src/memory/rule/resolve/conflict.ts'
import { slotOf } from '../packages/runtime/src/memory/rule/resolve/slots.ts'
import { type BenchMemory, benchMemories } from './memory-data.ts'
import { type MemoryDevice, openMemoryDevice } from './memory-device.ts'

export interface Filled {
  /** Of the databases of Tandem and of recall, without what they need when they are empty. */
  readonly database_bytes: number
  readonly recall_bytes: number
  /** Of the texts alone. */
  readonly text_bytes: number
  readonly active: number
}

const [home = '', url = '', size = '0'] = process.argv.slice(2)
const parts = 10

const empty = openMemoryDevice(home, url)
await empty.recall.settled()
await empty.stop()
const before = bytes()
const device = openMemoryDevice(home, url)
const list = benchMemories(Number(size), 0)
fill(device, list)
await device.recall.settled()
const { texts, vectors } = await device.recall.state()
if (texts !== list.length || vectors !== list.length) throw new Error(`${texts} texts and ${vectors} vectors of ${list.length} are indexed`)
const { memories } = await device.call('memory_status', {})
await device.stop()
const after = bytes()
const filled: Filled = {
  database_bytes: after.database - before.database,
  recall_bytes: after.recall - before.recall,
  text_bytes: list.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
  active: memories.active,
}
process.send?.(filled, () => process.exit(0))

function fill({ store, recall, journal, agents, agent, conversation }: MemoryDevice, all: readonly BenchMemory[]): void {
  const records = openMemories(store, openMemoryTerms(store), (ids) => recall.changed('memories', ids))
  const cycle = openResolutionCycle({ store, memories: records, terms: openMemoryTerms(store), decisions: openDecisions(store) })
  const learned = openLearned({
    ...{ store, journal, agent, memories: records, profiles: openProfiles(store), graph: openGraphRecords(store) },
    ...{ outdated: openOutdated(store), life: 'errand', log: console.error },
    isRecallable: (memory) => isRecallable(memory, records.all(memory.conflicts_with)),
    isExcluded: () => false,
  })
  const conversations = new Map<number, string>()
  const idOf = (no: number) => {
    const id = conversations.get(no) ?? conversation(agents[no % agents.length] ?? '', '/bench').conversation_id
    conversations.set(no, id)
    return id
  }
  const step = Math.ceil(all.length / parts)
  for (let from = 0; from < all.length; from += step) {
    store.transaction(() => {
      const written = all.slice(from, from + step).map(({ agent: owner, conversation: no, revokes, ...given }, index) =>
        records.add({
          ...{ ...given, revokes, authority: 'person', confidence: 0.8, slot: slotOf(given), origin_key: `bench:${from + index}` },
          agent_id: owner === null ? null : (agents[owner] ?? ''),
          ...(no === null
            ? { conversation_id: null, source_type: 'user_statement' }
            : { conversation_id: idOf(no), source_type: 'memory_flush', quotes: [{ message_id: store.newId(), excerpt: given.content }] }),
        }),
      )
      cycle.apply(written)
      for (const agent_id of agents) {
        const theirs = written.filter((memory) => memory.agent_id === null || memory.agent_id === agent_id)
        learned.after(theirs, agent_id)
      }
    })
    learned.refresh()
  }
}

function bytes() {
  const sizeOf = (file: string) => statSync(join(home, file), { throwIfNoEntry: false })?.size ?? 0
  return { database: sizeOf('tandem.db'), recall: sizeOf('recall.db') + sizeOf('recall.db-wal') }
}
