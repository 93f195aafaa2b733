// The steps of one run that this window has, and what is derived from them. Steps may arrive twice, from a list and from a subscription.
import { type Card, projectCards, projectLines, type StepLine } from '@tandem/contract/card'
import { type RunState, type RunStep, stepLine } from '@tandem/contract/run'
import { translated } from '../language/language.ts'

const { lineOf } = translated('lines', { lineOf: stepLine })

export interface RunJournal {
  readonly run_id: string
  readonly conversation_id: string
  /** In order, without duplicates. */
  readonly steps: readonly RunStep[]
  readonly cards: readonly Card[]
  /** Steps that have no card. */
  readonly lines: readonly StepLine[]
  readonly state: RunState
}

export function addSteps(journal: RunJournal | undefined, fresh: readonly RunStep[]): RunJournal | undefined {
  const known = journal?.steps ?? []
  const added = isNext(known, fresh) ? fresh : notYet(known, fresh)
  const [first] = added
  if (!first) return journal
  const steps = [...known, ...added]
  if (added !== fresh) steps.sort((left, right) => left.seq - right.seq)
  const cards = sameWhereUnchanged(journal?.cards ?? [], projectCards(steps))
  const status = cards.find((card) => card.kind === 'RunStatus')
  const state = status?.state ?? journal?.state ?? 'running'
  return {
    run_id: first.run_id,
    conversation_id: first.conversation_id,
    steps,
    cards,
    lines: projectLines(steps, lineOf),
    state,
  }
}

const cuts = new WeakMap<RunJournal, Map<number, RunJournal | null>>()

/** What the journal had before a step, as the history of a branch; null if nothing. A part of a run has no state of its own. */
export function cutJournal(journal: RunJournal, seq: number): RunJournal | null {
  const known = cuts.get(journal) ?? new Map<number, RunJournal | null>()
  cuts.set(journal, known)
  const before = known.get(seq)
  if (before !== undefined) return before
  const cut = addSteps(
    undefined,
    journal.steps.filter((step) => step.seq < seq),
  )
  const shown = cut ? { ...cut, state: 'completed' as const, cards: cut.cards.filter(({ kind }) => kind !== 'RunStatus') } : null
  known.set(seq, shown)
  return shown
}

/** The common case: new steps follow the known ones. */
function isNext(known: readonly RunStep[], fresh: readonly RunStep[]): boolean {
  let last = known.at(-1)?.seq ?? -1
  for (const { seq } of fresh) {
    if (seq <= last) return false
    last = seq
  }
  return true
}

function notYet(known: readonly RunStep[], fresh: readonly RunStep[]): readonly RunStep[] {
  const seen = new Set(known.map(({ seq }) => seq))
  return fresh.filter(({ seq }) => !seen.has(seq) && seen.add(seq))
}

/** The last step of the gapless sequence from the start: a subscription continues after it. */
export function lastSeq(journal: RunJournal | undefined): number {
  return journal?.steps.at(-1)?.seq ?? -1
}

/** A card that did not change stays the same object, so that only changed cards are rendered again. */
function sameWhereUnchanged(before: readonly Card[], after: readonly Card[]): readonly Card[] {
  const known = new Map(before.map((card) => [card.card_id, card]))
  return after.map((card) => {
    const old = known.get(card.card_id)
    return old && isSame(old, card) ? old : card
  })
}

function isSame(left: Card, right: Card): boolean {
  for (const key of Object.keys(right) as (keyof Card)[]) if (left[key] !== right[key]) return false
  return true
}
