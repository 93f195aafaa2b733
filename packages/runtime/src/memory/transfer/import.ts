// Adds what an export contains. On a device without memories this leads to the state of the export; doing it again changes nothing.
import type { Memory, MemoryExportPart } from '@tandem/contract/memory'
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

export type ImportResult = { readonly ok: true; readonly value: Imported } | { readonly ok: false; readonly message: string }

/**
 * A memory that was here before keeps its text and its history, and a file decides nothing about it. All valid items are written, or none.
 */
export function importMemories({ store, memories, decisions, corrections }: TransferPorts, json: string): ImportResult {
  const file = readExport(json)
  if (!file.ok) return file
  const { valid } = file
  return store.transaction(() => {
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
      const trust = isHarmless(memory) ? {} : { authority: 'untrusted' as const, confirmed_by_user: false }
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
    return { ok: true, value: { memories: written, ...counts, refused } }
  })
}
