// An edge as text: `build -> test` or `build -> report when failed`.
import type { WorkflowEdge } from './schema.ts'

/** As JSON Schema can express it, too. */
export const edgePattern = '^\\s*(\\w+)\\s*->\\s*(\\w+)(?:\\s+when\\s+(\\w+))?\\s*$'

/** Its names are not checked. Null if the text does not have the form of an edge. */
export function edgeOfText(text: string): { readonly from: string; readonly to: string; readonly when?: string } | null {
  const [, from, to, when] = new RegExp(edgePattern).exec(text) ?? []
  if (from === undefined || to === undefined) return null
  return { from, to, ...(when === undefined ? {} : { when }) }
}

export function edgeText({ from, to, when }: WorkflowEdge): string {
  return `${from} -> ${to}${when === undefined ? '' : ` when ${when}`}`
}
