// `runtime.json` of a runtime that may be running. A file that a crash left behind is recognized by its process id.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuntimeFile, runtimeFileName } from '@tandem/contract/command'

/** Null if there is none, if it is broken, or if its process has ended. */
export function readRuntimeFile(home: string): RuntimeFile | null {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(home, runtimeFileName), 'utf8'))
  } catch {
    // Missing or incomplete: there is no runtime to attach to.
    return null
  }
  return isRuntimeFile(value) && isAlive(value.pid) ? value : null
}

/** The token is only ever sent to loopback, whatever the file contains. */
function isRuntimeFile(value: unknown): value is RuntimeFile {
  if (typeof value !== 'object' || value === null) return false
  const { pid, url, token } = value as Record<string, unknown>
  return (
    Number.isSafeInteger(pid) &&
    Number(pid) > 0 &&
    typeof url === 'string' &&
    /^http:\/\/127\.0\.0\.1:\d+\/$/.test(url) &&
    typeof token === 'string' &&
    /^[\w-]{43}$/.test(token)
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is running too, although we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
