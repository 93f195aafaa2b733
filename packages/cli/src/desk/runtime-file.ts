// `runtime.json` of a runtime that may be running. What a crash left behind is recognized by its process.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuntimeFile, runtimeFileName } from '@tandem/contract/command'

/** Null when there is none, when it is broken, or when its process is gone. */
export function readRuntimeFile(home: string): RuntimeFile | null {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(join(home, runtimeFileName), 'utf8'))
  } catch {
    // None, or half of one: nobody to attach to either way.
    return null
  }
  return isRuntimeFile(value) && isAlive(value.pid) ? value : null
}

/** The token goes to loopback and nowhere else, whatever the file says. */
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
    // Another person's process is alive too, though we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
