import Type, { type Static } from 'typebox'
import { syncStates } from '../../event/index.ts'
import { Count, Key, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { rejectionCodes } from '../../sync/merge.ts'
import { Change, EntityType } from '../../sync/schema.ts'
import { type Command, listParams } from '../command.ts'

export const SyncStatus = object({
  state: oneOf(syncStates),
  /** A summary for the user. */
  text: Text,
  pending_changes: Count,
  quarantined_changes: Count,
  /** Written by a newer version of Tandem; they need an update of this one. */
  unread_changes: Count,
  offline_since: nullable(Timestamp),
  /** Why it stopped, and what to do; null if there is no problem. */
  reason: nullable(Text),
  cursor_ts: nullable(Timestamp),
  last_push_ts: nullable(Timestamp),
  last_pull_ts: nullable(Timestamp),
})
export type SyncStatus = Static<typeof SyncStatus>

/** A change that the cloud rejected. It blocks nothing and is kept until the user decides. */
export const QuarantinedChange = object({
  no: Count,
  entity_type: EntityType,
  entity_id: Key,
  op: Change.properties.op,
  /** `deleted_elsewhere`: another device deleted it, and its tombstone was already purged. */
  code: oneOf([...rejectionCodes, 'deleted_elsewhere']),
  message: Text,
  /** What it would have written, as JSON text. */
  payload: Type.String({ contentMediaType: 'application/json' }),
  quarantined_at: Timestamp,
})
export type QuarantinedChange = Static<typeof QuarantinedChange>

const of = object({ no: Count })
const result = object({ status: SyncStatus })

export const syncCommands = {
  sync_status: {
    summary: 'Show the synchronization status in plain words.',
    params: object({}),
    result,
  },
  sync_now: {
    summary: 'Synchronize now, without waiting for the next scheduled attempt; returns when it is done.',
    params: object({}),
    result,
  },
  sync_list_quarantine: {
    summary: 'List the changes that the server rejected, oldest first, each with its reason.',
    params: listParams({}),
    result: pageOf(QuarantinedChange),
  },
  sync_retry_quarantined: {
    summary: 'Send a quarantined change again, as a new write.',
    params: of,
    result,
  },
  sync_discard_quarantined: {
    summary: 'Discard a quarantined change: the version in the account is used.',
    params: of,
    result,
  },
} satisfies Record<string, Command>
