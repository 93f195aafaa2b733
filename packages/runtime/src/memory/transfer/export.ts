// All memories with their earlier versions, and the user's decisions and corrections, as JSON.
import type { Memory, UserCorrection } from '@tandem/contract/memory'
import type { Corrections } from '../record/corrections.ts'
import { writeExport } from './export-file.ts'
import type { TransferPorts } from './ports.ts'

const page = 1_000

export function exportMemories({ memories, decisions, corrections }: TransferPorts): { readonly json: string; readonly memories: number } {
  const list: Memory[] = []
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = memories.ids(after, page)
    if (ids.length === 0) break
    list.push(...memories.all(ids))
    after = ids.at(-1) ?? null
  }
  const versions = list.flatMap(({ id }) => memories.versions(id))
  const json = writeExport({ memories: list, versions, decisions: decisions.all(), corrections: allOf(corrections) })
  return { json, memories: list.length }
}

/** The oldest first. */
function allOf(corrections: Corrections): readonly UserCorrection[] {
  const list: UserCorrection[] = []
  for (;;) {
    const more = corrections.page(null, list.at(-1)?.id ?? null, page)
    list.push(...more)
    if (more.length < page) return list.toReversed()
  }
}
