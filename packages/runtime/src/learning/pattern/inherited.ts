// What a failure did not say, but a later one about the same thing does. Pure.
import { isSlip } from './condition.ts'
import type { FailureFact } from './failures.ts'
import { isLookup, isOneLiner } from './lookup.ts'
import { nameSame } from './trail.ts'

interface InheritanceRule {
  readonly name: string
  /** Also for calls that only find something out. */
  readonly ofLookups: boolean
  /** `earlier` can have the condition of `later`, which names the same thing. */
  applies(earlier: FailureFact, later: FailureFact): boolean
}

/** A file that cannot be read as code or data because both sides of a merge are in it. */
const unreadable: readonly (string | null)[] = ['syntax_error', 'invalid_json', null]

export const inheritanceRules: readonly InheritanceRule[] = [
  {
    name: 'conflict_markers',
    ofLookups: true,
    applies: (earlier, later) => unreadable.includes(earlier.condition) && later.condition === 'merge_conflict',
  },
  {
    name: 'unknown_text',
    ofLookups: false,
    applies: (earlier, later) => earlier.condition === null && !consequences.includes(later.condition),
  },
]

/** What usually follows from something else is not its reason. */
const consequences: readonly (string | null)[] = [
  null,
  'missing_file',
  'missing_command',
  'missing_script',
  'not_cached',
  'syntax_error',
  'invalid_json',
]

/** Of one failure. */
const mostCompared = 50

export function withInherited(failures: readonly FailureFact[]): readonly FailureFact[] {
  return failures.map((failure, at) => {
    if (failure.kind !== 'call' || failure.expected || !unreadable.includes(failure.condition)) return failure
    if (failure.trail.specifics.size === 0) return failure
    const rules = inheritanceRules.filter(({ ofLookups }) => ofLookups || !(isLookup(failure) || isOneLiner(failure)))
    const later = failures
      .slice(at + 1, at + 1 + mostCompared)
      .filter((one) => one.kind === 'call' && !one.expected && !isSlip(one.condition))
    const found = rules.flatMap(({ applies }) => later.find((one) => applies(failure, one) && nameSame(failure, one)) ?? [])
    return found[0] ? { ...failure, condition: found[0].condition } : failure
  })
}
