// Logs of devices: received in batches, retained for a while.
import type { LogBatch, LogBatchReply, LogListQuery, StoredLogRecord } from '@tandem/contract/log'
import { runIdempotently, type StoredReply } from '../http/idempotency.ts'
import { encodeCursor, type Page, pageOf, pageSize } from '../http/page.ts'
import { faultOf, instant, refuseFaults, text } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import { idInBatch } from './batch-id.ts'
import * as store from './store.ts'

export interface Logs {
  report(userId: string, key: string | undefined, batch: LogBatch): Promise<StoredReply<202, LogBatchReply>>
  list(userId: string, query: LogListQuery): Promise<Page<StoredLogRecord>>
}

export function openLogs({ database, now }: Pick<Services, 'database' | 'now'>): Logs {
  return {
    async report(userId, key, batch) {
      refuseFaults(
        batch.records.flatMap(({ ts, message, source }, at) => [
          ...faultOf(instant, `/records/${at}/ts`, ts),
          ...faultOf(text, `/records/${at}/message`, message),
          ...faultOf(text, `/records/${at}/source`, source),
        ]),
      )
      return database.asUser(userId, (sql) =>
        runIdempotently(sql, { user_id: userId, key, route: 'logs_report', request: batch }, async () => {
          await store.insertLogs(sql, userId, received(batch, now()))
          return { status: 202, body: { accepted: batch.records.length } }
        }),
      )
    },

    async list(userId, query) {
      refuseFaults([
        ...faultOf(instant, '/query/since', query.since),
        ...faultOf(instant, '/query/until', query.until),
        ...faultOf(text, '/query/source', query.source),
        ...faultOf(text, '/query/q', query.q),
      ])
      const size = pageSize(query)
      const { records, found, searched_to } = await database.asUser(userId, (sql) => store.listLogs(sql, userId, query, size))
      const page = pageOf('logs', records, size, ({ ts, id }) => [ts, id], found)
      if (page.next_cursor !== null || !searched_to) return page
      return { ...page, next_cursor: encodeCursor('logs', [searched_to.ts, searched_to.id]) }
    },
  }
}

function received({ records }: LogBatch, now: number): StoredLogRecord[] {
  const received_at = new Date(now).toISOString()
  return records.map((record, at) => ({ id: idInBatch(now, at), received_at, ...record }))
}
