// Messages as a device would write them, valid by the contract, about a kilobyte each.
import { randomUUID } from 'node:crypto'
import type { Change } from '@tandem/contract/sync'

const text = 'Notes of a day: what was asked, what was found, and what remains to be done. '.repeat(9)

export function messages(count: number, first: number): Change[] {
  return Array.from({ length: count }, (_, index) => {
    const ts = new Date(Date.UTC(2026, 0, 1) + first + index).toISOString()
    const message_id = randomUUID()
    const conversation_id = `0199bbbb-0000-7000-8000-${String(Math.floor((first + index) / 100)).padStart(12, '0')}`
    const payload = {
      message_id,
      conversation_id,
      agent_id: 'agent',
      run_id: null,
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `${first + index} ${text}`,
      attachments: [],
      created_at: ts,
    }
    return { entity_type: 'messages', entity_id: message_id, op: 'upsert', version: 1, updated_at: ts, source_ts: ts, payload }
  })
}
