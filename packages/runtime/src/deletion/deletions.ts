// Deleting and restoring conversations. Deleting hides them on all devices at once; this device erases them later.
import { isTerminalRunState } from '@tandem/contract/run'
import type { Events } from '../event/events.ts'
import { conversationNotFound } from '../feature/not-found.ts'
import type { Outcome } from '../feature/outcome.ts'
import { type ConversationRecord, restorable_ms } from '../journal/conversations.ts'
import type { Journal } from '../journal/journal.ts'
import { ownRun } from '../journal/own-run.ts'
import { emptyUsage, type RunRecord } from '../journal/run-record.ts'
import type { Store } from '../store/store.ts'
import { belongings, familyOf, known } from './family.ts'

export interface DeletionPorts {
  readonly store: Store
  readonly journal: Journal
  readonly events: Pick<Events, 'emit'>
  cancel(run_id: string, reason: string | null): Promise<Outcome<RunRecord>>
}

export interface Deletions {
  /** With their branches and members. */
  families(conversation_ids: readonly string[]): Outcome<readonly ConversationRecord[]>
  /** Runs of this device that are running or waiting. */
  openRuns(conversations: readonly ConversationRecord[]): readonly RunRecord[]
  delete(conversation_ids: readonly string[], stop: boolean): Promise<Outcome<{ conversation_ids: string[]; erase_at: number }>>
  restore(conversation_ids: readonly string[]): Outcome<string[]>
}

export function openDeletions({ store, journal, events, cancel }: DeletionPorts): Deletions {
  const { conversations } = journal

  function families(conversation_ids: readonly string[]): Outcome<readonly ConversationRecord[]> {
    for (const id of conversation_ids) {
      const erased = conversations.wasErased(id)
      if (erased || !conversations.get(id)) return conversationNotFound(id, erased)
    }
    return { ok: true, value: known(conversations.get, familyOf(conversation_ids, belongings(store))) }
  }

  function openRuns(list: readonly ConversationRecord[]): readonly RunRecord[] {
    return list.flatMap(({ no }) =>
      journal.runsOf(no).filter(({ state, device_id }) => device_id === store.device_id && !isTerminalRunState(state)),
    )
  }

  /** Windows and terminals get it as an event, other devices as a step of a run of this device. A conversation that has none gets one that only records this. */
  function record(conversation: ConversationRecord, deleted: boolean): void {
    const { no, conversation_id, agent_id, title } = conversation
    events.emit('conversation_changed', { agent_id, conversation_id }, { change: deleted ? 'deleted' : 'restored' })
    const step = { kind: 'conversation.deleted' as const, deleted }
    const own = ownRun(journal, store.device_id, conversation_id)
    if (own) journal.append(own.run_id, step)
    if (own || journal.runsOf(no).length === 0) return
    const { run_id } = journal.start({ conversation: no, agent_id, title, model: 'none', sandbox_mode: 'strict', message_id: null })
    journal.append(run_id, step)
    journal.append(run_id, { kind: 'run.canceled', usage: emptyUsage, reason: 'This run only records that the conversation was deleted.' })
  }

  return {
    families,
    openRuns,
    async delete(conversation_ids, stop) {
      const found = families(conversation_ids)
      if (!found.ok) return found
      const open = openRuns(found.value)
      if (stop) for (const { run_id } of open) await cancel(run_id, 'The conversation was deleted.')
      return store.transaction((): Outcome<{ conversation_ids: string[]; erase_at: number }> => {
        // Another window may have changed it meanwhile.
        const now = families(conversation_ids)
        if (!now.ok) return now
        const [left] = openRuns(now.value)
        if (left) {
          const title = conversations.at(left.conversation)?.title ?? left.title
          const message = `a run of "${title}" is ${left.state === 'paused' ? 'waiting' : 'running'} (${left.run_id}): stop it first`
          return { ok: false, code: 'run_busy', message }
        }
        const deleted_at = store.clock.now()
        const times = { deleted_at, erase_at: deleted_at + restorable_ms }
        for (const one of now.value) {
          if (one.deleted_at !== null) continue
          conversations.remove(one.conversation_id, times)
          record(one, true)
        }
        const deletedIds = now.value.map(({ conversation_id }) => conversation_id)
        const erase_at = Math.max(...deletedIds.map((id) => conversations.get(id)?.erase_at ?? 0))
        return { ok: true, value: { conversation_ids: deletedIds, erase_at } }
      })
    },
    restore(conversation_ids) {
      return store.transaction((): Outcome<string[]> => {
        const found = families(conversation_ids)
        if (!found.ok) return found
        for (const one of found.value) {
          // A part of the family may be erased already: the rest can be restored.
          if (one.deleted_at === null || conversations.wasErased(one.conversation_id)) continue
          conversations.remove(one.conversation_id, null)
          record(one, false)
        }
        return { ok: true, value: found.value.map(({ conversation_id }) => conversation_id) }
      })
    },
  }
}
