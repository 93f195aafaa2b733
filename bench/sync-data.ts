// The same data for every subject: 1 KiB of payload each.
import type { Change } from '@tandem/contract/sync'

const prose = 'The "quick" brown fox\nkept its notes; nobody asked why, so it went on. Ünïcode too. '.repeat(20)
const payloads = Array.from({ length: 100 }, (_, index) => payload(index))

/** Ids in the order of creation, as devices create them. */
export function syncPayloads(prefix: string, count: number): Change[] {
  const time = '2026-01-01T00:00:00.000Z'
  return Array.from({ length: count }, (_, index) => ({
    entity_type: 'messages',
    entity_id: `${prefix}-${String(index).padStart(6, '0')}`,
    op: 'upsert',
    version: 1,
    updated_at: time,
    source_ts: time,
    payload: payloads[index % payloads.length] ?? {},
  }))
}

function payload(index: number): Change['payload'] {
  const tokens = { input: 1_000 + index, output: 77 }
  const fields = { role: 'assistant', conversation_id: `conversation-${index % 7}`, tokens, tags: ['a', 'b'] }
  const room = 1_024 - sizeOf({ ...fields, text: '' })
  let text = prose.slice(index, index + room)
  while (sizeOf(text) - 2 > room) text = text.slice(0, -1)
  return { ...fields, text: text.padEnd(text.length + room - (sizeOf(text) - 2), '.') }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
