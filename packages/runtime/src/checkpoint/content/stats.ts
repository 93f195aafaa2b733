// What stands at a path, without following it. Nothing is an answer, not an error.
import { type BigIntStats, lstatSync, readlinkSync, type Stats } from 'node:fs'

/** Null where nothing is, also where a part of the path is a file. Throws where looking is not allowed. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** The same with whole nanoseconds; null also where looking is not allowed. */
export function exactStatsOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    // Its times are as exact as they are known already.
    return null
  }
}

/** Null when it went in between. */
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
