// Steps that have no card, shown as lines between the cards.
import { type RunStep, stepLine } from '../run/index.ts'
import { sortSteps, stepsAfterRestore } from './project.ts'

export interface StepLine {
  readonly step_id: string
  readonly seq: number
  readonly ts: string
  readonly text: string
  /** Reverted by a restore. */
  readonly set_aside: boolean
}

/** The lines of one run, in the order of its steps. Steps may arrive more than once and in any order. `lineOf`: in another language. */
export function projectLines(steps: readonly RunStep[], lineOf: typeof stepLine = stepLine): StepLine[] {
  if (!steps.some((step) => lineOf(step) !== null)) return []
  const ordered = sortSteps(steps)
  const last = ordered.findLastIndex(({ kind }) => kind === 'checkpoint.restored')
  const restore = ordered[last]
  const before = restore?.kind === 'checkpoint.restored' ? stepsAfterRestore(ordered.slice(0, last), restore) : []
  const standing = new Set([...before, ...ordered.slice(last + 1)].map(({ step_id }) => step_id))
  return ordered.flatMap((step) => {
    const text = lineOf(step)
    const { step_id, seq, ts } = step
    return text === null ? [] : [{ step_id, seq, ts, text, set_aside: !standing.has(step_id) }]
  })
}
