import Type, { type Static } from 'typebox'
import { pageQuery } from '../http/list.ts'
import { limits } from '../limits/index.ts'
import { Count, Id, Key, listOf, object, oneOf, Timestamp } from '../shape.ts'
import { logLevels } from './index.ts'

export const LogLevel = oneOf(logLevels)

const record = {
  ts: Timestamp,
  level: LogLevel,
  message: Type.String({ minLength: 1, maxLength: 16_384 }),
  device_id: Type.Optional(Key),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The component that logs: sync, mcp, a tool' })),
  run_id: Type.Optional(Id),
  fields: listOf(object({ name: Type.String({ minLength: 1, maxLength: 100 }), value: Type.String({ maxLength: 4_096 }) }), {
    maxItems: 50,
  }),
}

export const LogRecord = object(record)
export type LogRecord = Static<typeof LogRecord>

export const LogBatch = object({ records: listOf(LogRecord, { minItems: 1, maxItems: limits.log_batch }) })
export type LogBatch = Static<typeof LogBatch>

export const LogBatchReply = object({ accepted: Count })
export type LogBatchReply = Static<typeof LogBatchReply>

export const StoredLogRecord = object({ id: Id, received_at: Timestamp, ...record })
export type StoredLogRecord = Static<typeof StoredLogRecord>

export const LogListQuery = object({
  ...pageQuery,
  level: Type.Optional(oneOf(logLevels, { description: 'This level and those above it' })),
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
  device_id: Type.Optional(Key),
  source: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  run_id: Type.Optional(Id),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the message' })),
})
export type LogListQuery = Static<typeof LogListQuery>
