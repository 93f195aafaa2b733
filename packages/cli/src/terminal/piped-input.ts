// Whether something is piped or redirected into the command.
import { fstatSync } from 'node:fs'

/** False for a terminal, for /dev/null and without standard input: nothing would ever be read there. */
export function isPiped(): boolean {
  try {
    const facts = fstatSync(0)
    return facts.isFIFO() || facts.isFile() || facts.isSocket()
  } catch {
    // Standard input is closed.
    return false
  }
}
