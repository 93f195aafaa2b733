// A pull: what changed after a cursor, in commit order.
import { limits } from '@tandem/contract/limits'
import { entityTypes, isEntityType, type PullQuery } from '@tandem/contract/sync'
import { refuse } from '../http/refusal.ts'
import { faultOf, refuseFaults, timestamp } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import { beginning, type Page, type PageQuery, readPage, toStamp, toTimestamp } from './store.ts'

export type PullPorts = Pick<Services, 'database'>

/** The reply as the bytes of its JSON: records are sent as stored. */
export async function pull(ports: PullPorts, userId: string, query: PullQuery): Promise<Buffer> {
  const { cursor_ts, snapshot_ts } = query
  const faults = [...faultOf(timestamp, '/query/cursor_ts', cursor_ts), ...faultOf(timestamp, '/query/snapshot_ts', snapshot_ts)]
  refuseFaults([...faults, ...faultOf(entityTypeList, '/query/entity_types', query.entity_types)])
  const place = placeOf(query)
  const wish: PageQuery = {
    cursor: place.cursor,
    limit: query.limit ?? limits.pull_rows_default,
    entity_types: query.entity_types?.split(',') ?? null,
    // The current state is complete: a device that lost its store gets its own writes too.
    not_from: place.full ? null : (query.device_id ?? null),
  }
  const page = await ports.database.asUser(userId, (sql) => readPage(sql, userId, wish), 'by_index')
  refuseLost(place, page)
  const rest = { has_more: page.has_more, cursor_ts: toTimestamp(cursorAfter(place, page)), epoch: page.epoch, ...snapshotOf(place, page) }
  return Buffer.concat([opening, page.records, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)])
}

function entityTypeList(value: string): string | undefined {
  const unknown = value.split(',').find((name) => !isEntityType(name))
  return unknown === undefined
    ? undefined
    : `must only contain entity types; ${unknown.slice(0, 100)} is not one of ${Object.keys(entityTypes).join(', ')}`
}

const opening = Buffer.from('{"changes":[')

/** The position of a pull. A full one started from the beginning; `snapshot` is the head it saw then, unknown on its first page. */
interface PullPosition {
  readonly cursor: number
  readonly full: boolean
  readonly snapshot: number | undefined
}

function placeOf({ cursor_ts, snapshot_ts }: Pick<PullQuery, 'cursor_ts' | 'snapshot_ts'>): PullPosition {
  const cursor = cursor_ts === undefined ? beginning : toStamp(cursor_ts)
  if (cursor === beginning) return { cursor, full: true, snapshot: undefined }
  return { cursor, full: snapshot_ts !== undefined, snapshot: snapshot_ts === undefined ? undefined : toStamp(snapshot_ts) }
}

/** A full pull is never refused, so that every recovery ends. */
function refuseLost({ cursor, snapshot }: PullPosition, { head, purged }: Page): void {
  if (cursor === beginning) return
  if (snapshot !== undefined && snapshot > head) {
    throw refuse('cursor_ahead', `\`snapshot_ts\` is later than ${toTimestamp(head)}, the last write this server knows`)
  }
  if (cursor > head) throw refuse('cursor_ahead', `\`cursor_ts\` is later than ${toTimestamp(head)}, the last write this server knows`)
  if (cursor < purged && (snapshot === undefined || snapshot < purged)) {
    throw refuse('cursor_expired', `deletions up to ${toTimestamp(purged)} are no longer stored, and \`cursor_ts\` is earlier`)
  }
}

/**
 * The end of the page. After the last row it is the head, which is later if the newest tombstones were purged: with a cursor before
 * them, the next pull would always be refused.
 */
function cursorAfter({ cursor }: PullPosition, { last, has_more, head }: Page): number {
  return has_more ? (last ?? cursor) : Math.max(cursor, head)
}

function snapshotOf({ full, snapshot }: PullPosition, { head }: Page): { snapshot_ts?: string } {
  return full ? { snapshot_ts: toTimestamp(snapshot ?? head) } : {}
}
