// The record of a change: the JSON that it is stored and leaves as.
import type { Change } from '@tandem/contract/sync'

export interface ChangeRecord {
  /** Everything before the payload. ASCII, as all that a change may say of itself is. */
  readonly marks: string
  /** Canonical JSON as UTF-8. */
  readonly payload: Buffer
}

export function recordOf(change: Omit<Change, 'payload'>, payload: Buffer): ChangeRecord {
  const { entity_type, entity_id, op, version, updated_at, source_ts } = change
  const marks = JSON.stringify({ entity_type, entity_id, op, version, updated_at, source_ts })
  return { marks: `${marks.slice(0, -1)}${payloadName}`, payload }
}

/** The same of one that is stored. What stands before its payload holds no such name. */
export function recordFrom(text: string): ChangeRecord {
  const end = text.indexOf(payloadName) + payloadName.length
  return { marks: text.slice(0, end), payload: Buffer.from(text.slice(end, -1)) }
}

const payloadName = ',"payload":'

export function bytesOfRecord({ marks, payload }: ChangeRecord): number {
  return marks.length + payload.length + 1
}

export function recordText({ marks, payload }: ChangeRecord): string {
  return `${marks}${payload.toString()}}`
}

/**
 * The texts of all, with `separator` between them. JSON text holds no control characters: a NUL travels as its escape, which a text column
 * takes, and a separator that is one can not occur in it.
 */
export function joinRecords(records: readonly ChangeRecord[], separator: string): Buffer {
  const ending = `}${separator}`
  const bytes = Buffer.allocUnsafeSlow(records.reduce((sum, record) => sum + bytesOfRecord(record) + separator.length, 0))
  let length = 0
  for (const { marks, payload } of records) {
    length += bytes.write(marks, length, 'latin1')
    length += payload.copy(bytes, length)
    length += bytes.write(ending, length, 'latin1')
  }
  return bytes.subarray(0, Math.max(0, length - separator.length))
}
