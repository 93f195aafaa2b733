// Adds what an export contains. On a device without memories this leads to the state of the export; doing it again changes nothing. What was
// on the device before wins: a file may come from anywhere, whatever rank it claims.
import type { Memory, MemoryExportPart } from '@tandem/contract/memory'
import type { ResolutionCycle } from '../resolution-cycle.ts'
import { statementKey } from '../rule/resolve/same.ts'
import { scopeOf } from '../rule/resolve/standing.ts'
import { isHarmless, type RefusedItem, readExport } from './export-file.ts'
import type { TransferPorts } from './ports.ts'

export interface Imported {
  readonly memories: readonly Memory[]
  readonly known: number
  readonly versions: number
  readonly decisions: number
  readonly corrections: number
  readonly refused: RefusedItem[]
}

export interface ImportPorts extends TransferPorts {
  readonly cycle: ResolutionCycle
  isRecallable(memory: Memory): boolean
  /** Profiles and relationships, in the transaction of the import. */
  learned(memories: readonly Memory[]): void
}

type ReadFile = Extract<ReturnType<typeof readExport>, { ok: true }>

const page = 1_000

export type ImportResult = { readonly ok: true; readonly value: Imported } | { readonly ok: false; readonly message: string }

/** Nothing was written: the import starts again with fewer memories that may compete. */
class Displaced extends Error {
  readonly by: readonly string[]
  constructor(by: readonly string[]) {
    super('an imported memory displaces one that was here before')
    this.by = by
  }
}

/**
 * A memory that was here before keeps its text, its history and its place, and a file decides nothing about it: an imported memory that would
 * displace it waits for the user's review instead. All valid items are written, or none. Not within a transaction.
 */
export function importMemories(ports: ImportPorts, json: string): ImportResult {
  const file = readExport(json)
  if (!file.ok) return file
  /** Memories of the file that do not compete. */
  const waiting = new Set<string>()
  for (;;) {
    try {
      return { ok: true, value: ports.store.transaction(() => imported(ports, file, waiting)) }
    } catch (error) {
      if (!(error instanceof Displaced)) throw error
      const known = waiting.size
      for (const id of error.by) waiting.add(id)
      if (waiting.size === known) throw error
    }
  }
}

function imported(ports: ImportPorts, file: ReadFile, waiting: ReadonlySet<string>): Imported {
  const { memories, cycle, isRecallable } = ports
  const before = memories.all([...idsOf(memories)]).filter(isRecallable)
  const written = write(ports, file, waiting)
  cycle.apply(written.memories)
  const isKept = keptBy(memories, isRecallable)
  const displaced = before.filter((memory) => !isKept(memory))
  if (displaced.length > 0) throw new Displaced(displacing(memories, written.memories, displaced, waiting))
  ports.learned(written.memories)
  return written
}

function* idsOf(memories: TransferPorts['memories']): Iterable<string> {
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = memories.ids(after, page)
    yield* ids
    after = ids.at(-1) ?? null
    if (ids.length < page) return
  }
}

/** Whether a memory is still used, itself or by another that states the same. */
function keptBy(memories: TransferPorts['memories'], isRecallable: (memory: Memory) => boolean): (memory: Memory) => boolean {
  const all = memories.all([...idsOf(memories)])
  const used = new Set(all.filter(isRecallable).map(statementOf))
  return (memory) => used.has(statementOf(memory))
}

const statementOf = (memory: Memory) => `${scopeOf(memory)}\n${statementKey(memory)}`

/** What came with the file and has a part in it: what ended them or contradicts them, or else everything about the same. */
function displacing(
  memories: TransferPorts['memories'],
  written: readonly Memory[],
  displaced: readonly Memory[],
  waiting: ReadonlySet<string>,
): readonly string[] {
  const came = new Set(written.map(({ id }) => id).filter((id) => !waiting.has(id)))
  const statements = new Set(displaced.map(statementOf))
  const scopes = new Set(displaced.map(scopeOf))
  const about = memories.all([...idsOf(memories)]).filter((memory) => scopes.has(scopeOf(memory)))
  const same = new Set(about.filter((memory) => statements.has(statementOf(memory))).map(({ id }) => id))
  const ids = about
    .filter(({ id, supersedes, conflicts_with }) => came.has(id) && [...supersedes, ...conflicts_with].some((other) => same.has(other)))
    .filter((memory) => !statements.has(statementOf(memory)))
    .map(({ id }) => id)
  return ids.length > 0 ? ids : about.map(({ id }) => id).filter((id) => came.has(id))
}

function write({ memories, decisions, corrections }: TransferPorts, file: ReadFile, waiting: ReadonlySet<string>): Imported {
  const { valid } = file
  const refused = [...file.refused]
  const refuse = (part: MemoryExportPart, position: number, reason: string) => void refused.push({ part, position, reason })
  /** As the file has them, by their ids. */
  const added = new Map<string, Memory>()
  const written: Memory[] = []
  const counts = { known: 0, versions: 0, decisions: 0, corrections: 0 }

  for (const [, memory] of valid.memories) {
    if (memories.get(memory.id)) {
      counts.known += 1
      continue
    }
    const trust = isHarmless(memory) && !waiting.has(memory.id) ? {} : { authority: 'untrusted' as const, confirmed_by_user: false }
    added.set(memory.id, memory)
    written.push(memories.add({ ...memory, ...trust, origin_key: `import:${memory.id}` }))
  }
  /** Whether a memory is here that this file did not bring. */
  const wasHere = (id: string) => !added.has(id) && memories.get(id) !== undefined

  for (const [position, earlier] of valid.versions) {
    const memory = added.get(earlier.id)
    if (wasHere(earlier.id)) continue
    if (!memory) refuse('versions', position, 'its memory was not imported')
    else if (earlier.version >= memory.version) refuse('versions', position, 'it is not earlier than its memory')
    else if (memories.addVersion(earlier)) counts.versions += 1
  }
  for (const [position, decision] of valid.decisions) {
    const { id, kept_memory_id, over_memory_ids } = decision
    if (decisions.has(id)) continue
    if (!added.has(kept_memory_id)) refuse('decisions', position, 'the memory that it keeps was not imported')
    else if (over_memory_ids.some(wasHere)) refuse('decisions', position, 'it is about a memory that was already stored')
    else {
      decisions.add(decision)
      counts.decisions += 1
    }
  }
  for (const [position, correction] of valid.corrections) {
    if (corrections.has(correction.id)) continue
    if (!added.has(correction.memory_id)) refuse('corrections', position, 'its memory was not imported')
    else {
      corrections.add(correction)
      counts.corrections += 1
    }
  }
  return { memories: written, ...counts, refused }
}
