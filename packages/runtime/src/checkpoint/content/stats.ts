// The stats of a path, without following links. A missing path is a result, not an error.
import { type BigIntStats, lstatSync, readlinkSync, type Stats } from 'node:fs'

/** Null if nothing exists there, also if a part of the path is a file. Throws if access is denied. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** The same with nanoseconds; null also if access is denied. */
export function exactStatsOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    // The times known so far are used instead.
    return null
  }
}

/** Null if it was removed in between. */
export function readLink(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

export function isGone(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
