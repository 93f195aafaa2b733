export type { LogBatch, LogBatchReply, LogListQuery, LogRecord, StoredLogRecord } from './schema.ts'

/** From the least to the most serious. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The levels a list shows when asked for at least `level`. */
export function levelsFrom(level: LogLevel): LogLevel[] {
  return logLevels.slice(logLevels.indexOf(level))
}
