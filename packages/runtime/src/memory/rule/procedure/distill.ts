// A procedure from the runs that went well: the calls that they have in common, in order. Pure.
import type { ProcedureStep } from '@tandem/contract/memory'
import { argumentShape, parsed } from './shape.ts'
import { type RunTrace, type TracedCall, wentWell } from './trace.ts'

export { type RunTrace, type TracedCall, wentWell } from './trace.ts'

const mostSteps = 100
/** Of a very long run only the end is compared: the comparison takes steps times calls. */
const mostCalls = 2_000
/** A run that makes at least this share of the steps, in order, follows a procedure. */
const followedShare = 0.8

/**
 * The steps; none if no run went well. A literal command is kept only if a person approved it, all runs have exactly this command, and
 * `hasSecret` finds none in it. The order of `runs` does not matter.
 */
export function distillHeuristic(runs: readonly RunTrace[], hasSecret: (text: string) => boolean): readonly ProcedureStep[] {
  const flows = runs
    .filter(wentWell)
    .toSorted((left, right) => (left.run_id < right.run_id ? -1 : 1))
    .map((run) => stepsOf(run.calls, hasSecret))
    .filter((steps) => steps.length > 0)
  const [first, ...others] = flows
  return first ? others.reduce<readonly ProcedureStep[]>(common, first).slice(0, mostSteps) : []
}

/** The steps of one run. */
export function flowOf({ calls }: RunTrace, hasSecret: (text: string) => boolean): readonly ProcedureStep[] {
  return stepsOf(calls, hasSecret)
}

/** How many steps both have, in the same order. */
export function sharedSteps(left: readonly ProcedureStep[], right: readonly ProcedureStep[]): number {
  return pairs(left.map(keyOf), right.map(keyOf)).length
}

/** Whether the shorter one is contained in the longer, and is at least half of it. */
export function isSameProcedure(left: readonly ProcedureStep[], right: readonly ProcedureStep[]): boolean {
  const [shorter, longer] = [Math.min(left.length, right.length), Math.max(left.length, right.length)]
  return shorter * 2 >= longer && sharedSteps(left, right) >= shorter * followedShare
}

/** Whether a run cites the procedure, or makes 80 % of its steps in order. */
export function followsProcedure(procedure: { readonly id: string; readonly steps: readonly ProcedureStep[] }, trace: RunTrace): boolean {
  if (trace.cites.includes(procedure.id)) return true
  if (procedure.steps.length === 0) return false
  const made = trace.calls.slice(-mostCalls).map(({ tool, arguments: json }) => `${tool} ${argumentShape(json)}`)
  const { length } = pairs(procedure.steps.map(keyOf), made)
  return length >= procedure.steps.length * followedShare
}

/** One step for calls of the same kind that follow each other directly: five edits in a row are one step. */
function stepsOf(calls: readonly TracedCall[], hasSecret: (text: string) => boolean): readonly ProcedureStep[] {
  const steps: ProcedureStep[] = []
  for (const call of calls.slice(-mostCalls)) {
    if (call.outcome !== 'succeeded') continue
    const step = { tool: call.tool.slice(0, 500), shape: argumentShape(call.arguments), command: commandOf(call, hasSecret) }
    const last = steps.at(-1)
    if (last && keyOf(last) === keyOf(step) && last.command === step.command) continue
    if (last && keyOf(last) === keyOf(step) && (last.command === null || step.command === null))
      steps[steps.length - 1] = { ...step, command: null }
    else steps.push(step)
  }
  return steps
}

function commandOf({ arguments: json, approved_by_person }: TracedCall, hasSecret: (text: string) => boolean): string | null {
  const value = approved_by_person ? parsed(json) : null
  if (typeof value !== 'object' || value === null || !('command' in value) || typeof value.command !== 'string') return null
  return value.command === '' || value.command.length > 65_536 || hasSecret(value.command) ? null : value.command
}

function common(left: readonly ProcedureStep[], right: readonly ProcedureStep[]): readonly ProcedureStep[] {
  return pairs(left.map(keyOf), right.map(keyOf)).flatMap(([one, other]) => {
    const [first, second] = [left[one], right[other]]
    return first && second ? [{ ...first, command: first.command === second.command ? first.command : null }] : []
  })
}

function keyOf({ tool, shape }: ProcedureStep): string {
  return `${tool} ${shape}`
}

/** The longest common subsequence, as pairs of indexes. */
function pairs(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const isSame = left[row] === right[column]
      lengths[row * width + column] = isSame ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const found: [number, number][] = []
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) found.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  }
  return found
}
