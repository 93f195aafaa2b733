// The arguments that name a workflow run, or a node in one of its rounds.
import { isId } from '../terminal/options.ts'

const listRuns = 'List the workflow runs and their ids with tandem workflows runs.'
export const oneRun = `specify one workflow run by its id. ${listRuns}`
export const runAndNode = `specify a workflow run by its id, and one of its nodes. ${listRuns}`

export const roundProblem = '--round must be the number of a round, counted from 1; in a loop within a loop one for each, such as 1.2'

/** Null if it is not a node of a run. */
export function runNodeOf([workflow_run_id, node_id, ...more]: readonly string[]): { workflow_run_id: string; node_id: string } | null {
  if (!isId(workflow_run_id) || node_id === undefined || !isNode(node_id) || more.length > 0) return null
  return { workflow_run_id, node_id }
}

export function isNode(word: string): boolean {
  return /^[a-z][a-z0-9_]{0,63}$/.test(word)
}

/** Users count rounds from 1, outermost first; null if it is not a round. */
export function iterationOf(said: string | undefined): number[] | null {
  if (said === undefined) return []
  return /^[1-9]\d{0,5}(?:\.[1-9]\d{0,5}){0,3}$/.test(said) ? said.split('.').map((round) => Number(round) - 1) : null
}
