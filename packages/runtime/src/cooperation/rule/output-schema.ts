// A schema that a model wrote, for the answer of another one. It is checked before it is used: a pattern could take forever, and a reference
// could lead anywhere.

import { validationText } from '@tandem/contract/validation'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { jsonIn } from './member-text.ts'

const mostCharacters = 16_384
const refused = new Set(['pattern', 'patternProperties', '$ref', '$dynamicRef', '$recursiveRef', 'format'])

/** Why the schema cannot be used; null if it can. */
export function schemaProblem(schema: unknown): string | null {
  const text = JSON.stringify(schema)
  if (text === undefined || schema === null || typeof schema !== 'object' || Array.isArray(schema)) return 'it must be an object'
  if (text.length > mostCharacters) return `it has ${text.length} characters, and ${mostCharacters} are allowed`
  const found = refusedWord(schema, 0)
  return found === null ? null : found === '' ? 'it is nested too deeply' : `${found} is not supported`
}

function refusedWord(value: unknown, depth: number): string | null {
  if (depth > 20) return ''
  if (Array.isArray(value)) return value.map((one) => refusedWord(one, depth + 1)).find((word) => word !== null) ?? null
  if (value === null || typeof value !== 'object') return null
  for (const [key, inner] of Object.entries(value)) {
    // A property of the answer may have any name.
    if (refused.has(key) && (typeof inner === 'string' || key === 'patternProperties')) return key
    const word = refusedWord(inner, depth + 1)
    if (word !== null) return word
  }
  return null
}

export interface ReadOutput {
  /** As JSON text; null if the answer does not match. */
  readonly output: string | null
  readonly problem: string | null
}

export function readOutput(answer: string, schema: string): ReadOutput {
  const value = jsonIn(answer)
  if (value === undefined) return { output: null, problem: 'the answer is not JSON' }
  try {
    const parsed = JSON.parse(schema) as TSchema
    if (Check(parsed, value)) return { output: JSON.stringify(value), problem: null }
    return { output: null, problem: `the answer does not match the schema: ${validationText(Errors(parsed, value), 'the answer', 3)}` }
  } catch (error) {
    return { output: null, problem: `the schema cannot be used: ${error instanceof Error ? error.message : String(error)}` }
  }
}
