// A long thread, written into a home before its runtime opens: one completed run of many calls.
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openBus } from '../packages/runtime/src/event/bus.ts'
import { openEvents } from '../packages/runtime/src/event/events.ts'
import { openJournal } from '../packages/runtime/src/journal/journal.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'

/** The id of its conversation. Each call makes two parts: itself and its result. */
export function writeLongThread(home: string, workspace: string, calls: number): string {
  const store = openStore({ home, clock: systemClock })
  const bus = openBus((error) => {
    throw error
  })
  const journal = openJournal(store, openEvents(store, bus), bus)
  const conversation = journal.conversations.create({ agent_id: 'agent', title: 'A long thread', workspace })
  const ids = { conversation: conversation.no, agent_id: 'agent' }
  const { run_id } = journal.start({ ...ids, title: 'Read much', model: 'scripted', sandbox_mode: 'workspace', message_id: null })
  store.transaction(() => {
    for (let call = 0; call < calls; call += 1) {
      const call_id = `c${call}`
      const args = JSON.stringify({ path: `file-${call}.md` })
      const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool: 'fs.read', arguments: args })
      journal.settle(run_id, {
        call_id,
        call_seq: seq,
        tool: 'fs.read',
        duration_ms: 1,
        outcome: 'succeeded',
        output: readOf(`file-${call}.md`, `text ${call}`),
        output_file: null,
        truncated: false,
        failure_contract: null,
        checkpoint_id: null,
      })
    }
    journal.append(run_id, { kind: 'run.completed', usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: true } })
  })
  store.close()
  return conversation.conversation_id
}

/** The id of a conversation with many short messages, without runs. */
export function writeManyMessages(home: string, workspace: string, count: number): string {
  const store = openStore({ home, clock: systemClock })
  const bus = openBus((error) => {
    throw error
  })
  const journal = openJournal(store, openEvents(store, bus), bus)
  const conversation = journal.conversations.create({ agent_id: 'agent', title: 'Many messages', workspace })
  store.transaction(() => {
    for (let turn = 1; turn <= count; turn += 1) {
      const [role, author] = turn % 2 === 1 ? (['user', 'person'] as const) : (['assistant', 'agent'] as const)
      journal.messages.write({ conversation: conversation.no, run: null, role, author, text: `Message ${turn}.` })
    }
  })
  store.close()
  return conversation.conversation_id
}

/** As fs.read returns it. */
function readOf(path: string, content: string) {
  const lines = { total_lines: 1, start_line: 1, end_line: 1, next_offset: null }
  const form = { encoding: 'utf-8', bom: false, line_ending: 'none', size: content.length, sha256: null }
  return { kind: 'text', path, ...form, ...lines, content, notes: [] }
}
