// The variables of an env file that a configuration names.
import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { systemErrorText } from '@tandem/contract/system-error'

const longest = 64 * 1024

/** A string is the fault. Values are secrets; a fault repeats none. */
export function readEnvFile(path: string): Readonly<Record<string, string>> | string {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return 'it is not a file'
    if (stats.size > longest) return `it is larger than ${longest / 1024} KiB`
    return Object.fromEntries(
      Object.entries(parseEnv(readFileSync(path, 'utf8'))).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  } catch (error) {
    return systemErrorText(error)
  }
}
