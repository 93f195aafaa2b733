// What was refused to a command, from the log of the proxy and from the output of programs. For information only; it decides nothing.
import type { Violation } from '../../call/scope.ts'

/** A line of the proxy: `deny network-outbound example.org:443 (host is not on the allow list)`. */
export function networkViolation(line: string): Violation | null {
  const found = /^deny network-outbound (\S+)/.exec(line)
  return found?.[1] ? { attempted: 'network', resource: found[1], blocked: true } : null
}

/** How programs report that a path is read-only; the path is before or after. */
const readOnly = [
  /'([^'\n]+)': Read-only file system/g,
  /(?:^|: )(\/[^:\n]+): Read-only file system/gm,
  /Read-only file system: '([^'\n]+)'/g,
  /EROFS: read-only file system, \w+ '([^'\n]+)'/g,
]

export function writeViolations(text: string): Violation[] {
  const paths = readOnly.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
  return [...new Set(paths)].filter(Boolean).map((resource) => ({ attempted: 'write', resource, blocked: true }))
}

export function withoutRepeats(violations: readonly Violation[]): Violation[] {
  const seen = new Map(violations.map((one) => [`${one.attempted} ${one.resource} ${one.blocked}`, one]))
  return [...seen.values()]
}
