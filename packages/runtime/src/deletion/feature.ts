import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { timestamp } from '../clock/clock.ts'
import type { TeamFeature } from '../cooperation/feature.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { ConversationRecord } from '../journal/conversations.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Recall } from '../recall/recall.ts'
import { openDeletions } from './deletions.ts'
import { type Erasure, openErasure } from './erasure.ts'
import { belongings, familyOf, known } from './family.ts'
import { isLate, nextAction } from './next-action.ts'

export interface DeletionNeeds {
  readonly checkpoints: Pick<Checkpoints, 'eraseRuns' | 'countOf'>
  readonly recall: Pick<Recall, 'indexed' | 'wake'>
  readonly teams: Pick<TeamFeature, 'unmergedCopies' | 'endCopies'>
  clearMemories(conversation_id: string): void
  /** Also while its session has ended: it continues when the user signs in again. Not if the user signed out. */
  hasAccount(): boolean
  runs(): { cancel(run_id: string, reason: string | null): Promise<Outcome<RunRecord>>; isActive(): boolean }
}

const minute_ms = 60_000

/** Deletes conversations, and erases them when they can no longer be restored. */
export function openDeletionFeature(ground: FeatureContext, needs: DeletionNeeds): Feature {
  const { store, journal, clock, life } = ground
  const { sql } = store
  const erasure: Erasure = openErasure({ ...needs, ...needs.teams, store, log: ground.log, isRunActive: () => needs.runs().isActive() })
  const deletions = openDeletions({
    ...{ store, journal, events: ground.events },
    cancel: (run_id, reason) => needs.runs().cancel(run_id, reason),
  })

  function isUnsent(conversation: number): boolean {
    return (
      needs.hasAccount() &&
      sql.get`
        SELECT 1 FROM outbox o JOIN agent_run_steps s ON s.run = o.run AND s.seq = o.seq JOIN runs r ON r.no = s.run
        WHERE r.conversation = ${conversation} AND o.entity_type = 'agent_run_steps' AND s.kind = 'conversation.deleted'
          AND EXISTS (SELECT 1 FROM sync_state WHERE user_id IS NOT NULL) LIMIT 1` !== undefined
    )
  }

  function pulledAt(): number | null {
    if (!needs.hasAccount()) return null
    return sql.get<{ pulled_at: number | null }>`SELECT pulled_at FROM sync_state`?.pulled_at ?? 0
  }

  /** Nothing is sent or received, so this device does not wait for it; other devices do not learn of the deletion. */
  function isSignedOut(): boolean {
    return !needs.hasAccount() && sql.get`SELECT 1 FROM sync_state WHERE user_id IS NOT NULL` !== undefined
  }

  function deletedOnes(): readonly ConversationRecord[] {
    const rows = sql.all<{ conversation_id: string }>`SELECT conversation_id FROM conversations WHERE deleted_at IS NOT NULL`
    return known(
      journal.conversations.get,
      rows.map(({ conversation_id }) => conversation_id),
    )
  }

  /** By a member of the family. */
  const lateRounds = new Map<string, number>()

  /** One at a time: also if a job takes longer than its interval. */
  async function round(signal: AbortSignal): Promise<void> {
    const deleted = deletedOnes()
    const branches = deleted.length === 0 ? [] : belongings(store).filter((one) => one.as === 'branch')
    const due: (readonly string[])[] = []
    const seen = new Set<string>()
    for (const { conversation_id } of deleted) {
      if (seen.has(conversation_id)) continue
      const ids = familyOf([conversation_id], branches)
      for (const id of ids) seen.add(id)
      // One that is being erased, or was, reads nothing and can no longer be restored.
      const family = known(journal.conversations.get, ids).filter((one) => !journal.conversations.wasErased(one.conversation_id))
      if (family.length === 0) continue
      const open = deletions.openRuns(family.filter(({ deleted_at }) => deleted_at !== null))
      const erase_at = Math.max(...family.map((one) => one.erase_at ?? Number.POSITIVE_INFINITY))
      const late_rounds = isLate(erase_at, clock.now()) ? (lateRounds.get(conversation_id) ?? 0) + 1 : 0
      lateRounds.set(conversation_id, late_rounds)
      const state = {
        ...{ erase_at, late_rounds },
        open_runs: open.length > 0,
        unsent: family.some(({ no }) => isUnsent(no)),
        pulled_at: pulledAt(),
      }
      const action = nextAction(state, clock.now())
      if (action === 'stop_runs') for (const { run_id } of open) await needs.runs().cancel(run_id, 'The conversation was deleted.')
      if (action !== 'erase') continue
      due.push(family.map((one) => one.conversation_id))
      lateRounds.delete(conversation_id)
    }
    await erasure.run(due, signal)
  }

  function isDue(): boolean {
    return (
      sql.get`
        SELECT 1 FROM conversations WHERE deleted_at IS NOT NULL AND erase_at <= ${clock.now()}
        UNION ALL SELECT 1 FROM erased_conversations WHERE stage <> 'erased' LIMIT 1` !== undefined
    )
  }

  return {
    name: 'deletion',
    commands: {
      async conversation_preview_delete({ conversation_ids }) {
        const found = deletions.families(conversation_ids)
        if (!found.ok) return found
        const ids = found.value.map(({ conversation_id }) => conversation_id)
        const run_ids = found.value.flatMap(({ no }) => journal.runsOf(no).map(({ run_id }) => run_id))
        const { memories = 0 } =
          sql.get<{ memories: number }>`
            SELECT count(*) AS memories FROM memories WHERE only_in_conversation = 0 AND state = 'active'
              AND conversation_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))` ?? {}
        const open_run_ids = deletions.openRuns(found.value).map(({ run_id }) => run_id)
        const recovery_points = needs.checkpoints.countOf(run_ids)
        const unmerged_copies = [...(await needs.teams.unmergedCopies(run_ids))]
        const signed_out = isSignedOut()
        return { ok: true, value: { conversation_ids: ids, open_run_ids, recovery_points, memories, unmerged_copies, signed_out } }
      },
      async conversation_delete({ conversation_ids, stop = false }) {
        const done = await deletions.delete(conversation_ids, stop)
        if (!done.ok) return done
        needs.recall.wake()
        return { ok: true, value: { conversation_ids: done.value.conversation_ids, erased_from: timestamp(done.value.erase_at) } }
      },
      conversation_restore({ conversation_ids }) {
        const done = deletions.restore(conversation_ids)
        if (!done.ok) return done
        needs.recall.wake()
        return { ok: true, value: { conversation_ids: done.value } }
      },
    },
    jobs: life === 'resident' ? [{ name: 'erase_conversations', every_ms: minute_ms, first_ms: minute_ms / 2, run: round }] : [],
    // Without a window, nothing else would erase them. Most of the time nothing is due.
    stop: async () => {
      if (life === 'errand' && isDue()) await round(new AbortController().signal)
    },
    status: () => ({ works: true }),
  }
}
