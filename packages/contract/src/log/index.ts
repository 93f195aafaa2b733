export type { LogBatch, LogBatchReply, LogListQuery, LogRecord, StoredLogRecord } from './schema.ts'

/** From the least to the most serious. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The levels that a list with the minimum `level` shows. */
export function levelsFrom(level: LogLevel): LogLevel[] {
  return logLevels.slice(logLevels.indexOf(level))
}
