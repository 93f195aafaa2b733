// The parts of an edge that is written as text: `build -> report when failed`.

import { nodeNames } from './suggested-values.ts'
import type { Suggestion } from './suggestion.ts'
import type { WorkflowOutline } from './workflow-outline.ts'

/** `part` is what is written of the last part. */
export function suggestedEdgeParts(
  written: string,
  outline: WorkflowOutline,
): { readonly part: string; readonly options: readonly Suggestion[] } | null {
  const [, from, to, space, when, outcome] = /^(\w*)(?:\s*->\s*(\w*)(?:(\s+)(w?h?e?n?)(?:\s+(\w*))?)?)?$/.exec(written) ?? []
  if (from === undefined) return null
  if (outcome !== undefined) return { part: outcome, options: outline.outcomesOf(from).map((label) => ({ label })) }
  if (space !== undefined) return { part: when ?? '', options: [{ label: 'when', insert: 'when ' }] }
  if (to !== undefined) return { part: to, options: nodeNames(outline.nodes().filter(({ id }) => id !== from)) }
  return { part: from, options: nodeNames(outline.nodes()).map((one) => ({ ...one, insert: `${one.label} -> ` })) }
}
