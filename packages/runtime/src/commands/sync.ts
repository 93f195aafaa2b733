import type { QuarantinedChange } from '@tandem/contract/command'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../feature/cursor.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Quarantined } from '../sync/quarantine.ts'
import type { QuarantineOutcome, SyncService } from '../sync/service.ts'

export interface SyncFeature {
  service(): Promise<SyncService>
  signedIn(): boolean
}

export function syncHandlers({ service, signedIn }: SyncFeature): CommandTable {
  async function settled(work: (sync: SyncService) => QuarantineOutcome) {
    const sync = await service()
    const outcome = work(sync)
    return outcome.ok ? { ok: true as const, value: { status: sync.status() } } : outcome
  }

  return {
    async sync_status() {
      return { ok: true, value: { status: (await service()).status() } }
    },
    async sync_now() {
      if (!signedIn()) return signedOut
      return { ok: true, value: { status: await (await service()).now() } }
    },
    async sync_list_quarantine(paging) {
      const from = positionOf('sync_list_quarantine', paging, ['number'])
      if (!from.ok) return from
      const entries = (await service()).quarantine({ after: Number(from.value?.[0] ?? 0), limit: limitOf(paging) + 1 })
      return { ok: true, value: pageOf('sync_list_quarantine', entries.map(shown), ({ no }) => [no], paging) }
    },
    sync_retry_quarantined: ({ no }) => settled((sync) => sync.retry(no)),
    sync_discard_quarantined: ({ no }) => settled((sync) => sync.discard(no)),
  }
}

const signedOut: Outcome<never> = { ok: false, code: 'signed_out', message: 'you are not signed in on this device' }

function shown({ no, entity_type, entity_id, code, message, change, quarantined_at }: Quarantined): QuarantinedChange {
  const { op, payload } = change
  return { no, entity_type, entity_id, op, code, message, payload: JSON.stringify(payload), quarantined_at }
}
