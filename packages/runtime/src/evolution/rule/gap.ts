// Which kind of gap a repeated behavior shows, by a table. Pure.
import type { GapKind, ManualRemediationKind } from '@tandem/contract/learning'

export interface Repeated {
  readonly what: 'sequence' | 'constraint' | ManualRemediationKind
  readonly repetitions: number
  readonly runs: number
  readonly days: number
  /** Something has to be read, judged or written on the way; of a sequence. */
  readonly judged: boolean
  /** It forbids something that a policy can express; of a constraint. */
  readonly forbids: boolean
  /** A skill of the registry does it. */
  readonly matches: boolean
  /** That skill is bound to the agent already. */
  readonly bound: boolean
}

interface GapRow {
  readonly what: readonly Repeated['what'][]
  readonly if: Partial<Pick<Repeated, 'judged' | 'forbids' | 'matches' | 'bound'>>
  readonly kind: GapKind | null
}

/** The first row that fits decides. */
export const gapTable: readonly GapRow[] = [
  { what: ['sequence', 'edited_file'], if: { matches: true, bound: true }, kind: null },
  { what: ['sequence', 'edited_file'], if: { matches: true }, kind: 'skill_gap' },
  { what: ['sequence'], if: { judged: true }, kind: 'skill_gap' },
  { what: ['sequence'], if: {}, kind: 'workflow_gap' },
  { what: ['constraint'], if: { forbids: true }, kind: 'policy_gap' },
  { what: ['constraint'], if: {}, kind: 'knowledge_gap' },
  { what: ['denied_call', 'restored_checkpoint', 'canceled_run'], if: {}, kind: 'policy_gap' },
  { what: ['edited_arguments', 'corrected_agent', 'edited_file'], if: {}, kind: 'knowledge_gap' },
]

/** Fewer say little; what happens on one day only may be one task. */
const fewestRepetitions = { runs: 3, days: 2 } as const

/** Null if it is no gap. */
export function gapOf(repeated: Repeated): GapKind | null {
  if (repeated.runs < fewestRepetitions.runs || repeated.days < fewestRepetitions.days) return null
  const fits = ({ what, if: wanted }: GapRow) =>
    what.includes(repeated.what) &&
    (wanted.judged ?? repeated.judged) === repeated.judged &&
    (wanted.forbids ?? repeated.forbids) === repeated.forbids &&
    (wanted.matches ?? repeated.matches) === repeated.matches &&
    (wanted.bound ?? repeated.bound) === repeated.bound
  return gapTable.find(fits)?.kind ?? null
}

/** A dismissed gap is shown again when it has been repeated twice as often. */
export function staysDismissed(dismissed_at: number | null, repetitions: number): boolean {
  return dismissed_at !== null && repetitions < 2 * dismissed_at
}

/** More runs on more days make it more certain; it never is entirely. */
export function confidenceOf({ runs, days }: Pick<Repeated, 'runs' | 'days'>): number {
  return Math.round(100 * (1 - 0.5 ** (Math.min(runs, days + 2) / 3))) / 100
}
