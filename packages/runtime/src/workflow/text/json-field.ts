// Fields that are stored as JSON text and written as plain values.
import { wholeReference } from '@tandem/contract/workflow'
import { textLimits } from './text-node.ts'

/** By the kind of the node. `compensation` has its own `arguments`. */
export const jsonFieldOf: Readonly<Record<string, string>> = { tool: 'arguments', workflow: 'inputs', transform: 'input' }

/** A tool and a workflow need named values; a text can only be the placeholder of them. */
export function namedValuesProblem(value: unknown): string | null {
  if (isRecord(value) || (typeof value === 'string' && wholeReference(value) !== null)) return null
  return 'must be an object, or one placeholder in quotes; do not write it as JSON text'
}

/** The plain value of a JSON text; undefined if the readable form cannot contain it. */
export function plainValue(json: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isWritable(value, textLimits.depth - 10) ? { value } : undefined
  } catch {
    return undefined
  }
}

/** JSON text can contain 1e999, which is read as infinity. */
function isWritable(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((part) => isWritable(part, levels - 1))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
