// Finds the usage in a response that passes in pieces, at any position. Nothing else is kept or parsed.
import { lastUsageIn, type ReportedUsage } from './usage.ts'

export interface UsageFinder {
  push(chunk: Buffer): void
  /** The last one found. */
  usage(): ReportedUsage | undefined
}

const marker = Buffer.from('"usage"')
/** No usage object is nearly as long. */
const longest = 16 * 1024

export function findUsage(): UsageFinder {
  /** The end of the data so far, in which a marker may have started. */
  let rest = Buffer.alloc(0)
  let seen: ReportedUsage | undefined

  return {
    push(chunk) {
      const text = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let from = 0
      for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, from)) {
        const found = lastUsageIn(text.toString('latin1', at, at + longest))
        // Its end may not have arrived yet.
        if (!found && text.length - at < longest) {
          rest = Buffer.from(text.subarray(at))
          return
        }
        seen = found ?? seen
        from = at + marker.length
      }
      rest = Buffer.from(text.subarray(Math.max(from, text.length - marker.length + 1)))
    },
    usage: () => seen,
  }
}
