import { limits } from '../../limits/index.ts'
import { LogBatch, LogBatchReply, LogListQuery, StoredLogRecord } from '../../log/schema.ts'
import { pageOf } from '../../shape.ts'
import { IdempotencyHeaders } from '../list.ts'
import { route } from '../route.ts'
import { early, ids, later } from './sample.ts'

const record = {
  ts: early,
  level: 'warn',
  message: 'the MCP server did not respond to three pings in a row',
  device_id: 'mara-laptop',
  source: 'mcp',
  run_id: ids.run,
  fields: [{ name: 'server_id', value: 'calendar' }],
}

export const logRoutes = {
  logs_report: route({
    id: 'logs_report',
    method: 'POST',
    path: '/api/v1/logs',
    tag: 'logs',
    summary: 'Send logs',
    auth: 'user',
    headers: IdempotencyHeaders,
    body: LogBatch,
    replies: { 202: LogBatchReply },
    problems: [],
    body_limit: limits.log_bytes,
    rate: 'logs',
    idempotent: true,
    examples: { body: { records: [record] }, reply: { accepted: 1 } },
  }),
  logs_list: route({
    id: 'logs_list',
    method: 'GET',
    path: '/api/v1/logs',
    tag: 'logs',
    summary: 'List logs',
    description:
      'Newest first. since is included, until is not. A page may contain fewer items than limit and, with q, even none: a search reads a limited number of records per page. Only a next_cursor of null ends the list.',
    auth: 'user',
    query: LogListQuery,
    replies: { 200: pageOf(StoredLogRecord) },
    problems: [],
    rate: 'read',
    examples: {
      query: { level: 'warn', since: early },
      reply: { items: [{ id: ids.log, received_at: later, ...record }], next_cursor: null },
    },
  }),
}
