// Memories as JSON: an export contains everything, and importing it again changes nothing.
import { type Memory, memoryKinds } from '@tandem/contract/memory'
import { Memory as MemorySchema } from '@tandem/contract/memory/schema'
import { Check } from 'typebox/value'
import type { Store } from '../store/store.ts'
import type { Memories } from './record/memories.ts'
import { sensitiveNames } from './rule/authority.ts'
import { hasSecret } from './rule/secret/secrets.ts'

const format = 'tandem-memory'
const version = 1

export interface Imported {
  readonly memories: readonly Memory[]
  readonly known: number
  readonly refused: { position: number; reason: string }[]
}

export type ImportResult = { readonly ok: true; readonly value: Imported } | { readonly ok: false; readonly message: string }

export function exportMemories(memories: Memories): { readonly json: string; readonly memories: number } {
  const list: Memory[] = []
  for (let after: string | null = null; ; ) {
    const ids: readonly string[] = memories.ids(after, 1_000)
    if (ids.length === 0) break
    list.push(...memories.all(ids))
    after = ids.at(-1) ?? null
  }
  return { json: JSON.stringify({ format, version, memories: list }), memories: list.length }
}

/**
 * A file may come from anywhere, whatever it claims: an item that names a host, a path, a command or a permission waits for the user to
 * confirm it, unless this device knows it already. All valid items are written, or none.
 */
export function importMemories(store: Pick<Store, 'transaction'>, memories: Memories, json: string): ImportResult {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return { ok: false, message: 'it is not valid JSON' }
  }
  if (!isExport(parsed))
    return { ok: false, message: `it is not an export of memories: it must have "format": "${format}" and "version": ${version}` }
  const items = parsed.memories
  return store.transaction<ImportResult>(() => {
    const written: Memory[] = []
    const refused: { position: number; reason: string }[] = []
    let known = 0
    for (const [position, item] of items.entries()) {
      const reason = problemOf(item)
      if (reason !== null) {
        refused.push({ position, reason })
        continue
      }
      const memory = item as Memory
      if (memories.get(memory.id)) {
        known += 1
        continue
      }
      const isHarmless =
        sensitiveNames(textOf(memory), null).length === 0 && !memory.procedure?.steps.some(({ command }) => command !== null)
      const trust = isHarmless ? {} : { authority: 'untrusted' as const, confirmed_by_user: false }
      written.push(memories.add({ ...memory, ...trust, origin_key: `import:${memory.id}` }))
    }
    return { ok: true, value: { memories: written, known, refused } }
  })
}

function isExport(value: unknown): value is { memories: unknown[] } {
  if (typeof value !== 'object' || value === null) return false
  const { format: kind, version: number, memories: list } = value as Record<string, unknown>
  return kind === format && number === version && Array.isArray(list)
}

function problemOf(item: unknown): string | null {
  if (!Check(MemorySchema, item)) return `it is not a memory: it needs all fields of one, with one of the kinds ${memoryKinds.join(', ')}`
  const memory = item as Memory
  if (hasSecret(textOf(memory)) || memory.quotes.some(({ excerpt }) => hasSecret(excerpt))) return 'it contains a secret'
  return null
}

/** Everything of it that may reach a prompt. */
function textOf({ content, procedure }: Memory): string {
  return [
    content,
    ...(procedure?.steps.flatMap(({ tool, shape, command }) => [tool.replaceAll('.', ' '), shape, command ?? '']) ?? []),
  ].join('\n')
}
