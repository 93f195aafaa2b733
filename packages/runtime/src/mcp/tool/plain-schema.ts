// Makes an untrusted JSON Schema safe to check values against: no references, no slow patterns, no unlimited depth. The model reads the
// same schema; the server checks the call against its own.
import { mcpLimits } from '../limits.ts'

export type PlainSchema = { readonly [keyword: string]: unknown }

const mostNodes = 4_000
const deepestReference = 6

/** Keywords that contain one schema, a list of schemas, or schemas by name. Other known keywords are copied as data. */
const one = new Set(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalItems'])
const many = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const named = new Set(['properties', 'dependentSchemas'])
const data = new Set(
  'type enum const default title description format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties required examples deprecated'.split(
    ' ',
  ),
)

/** The root always describes an object, as the protocol requires. */
export function plainSchema(schema: unknown): PlainSchema {
  const root = isObject(schema) ? schema : {}
  let left = mostNodes

  function plain(node: unknown, references: number): unknown {
    if (typeof node === 'boolean') return node
    left -= 1
    if (!isObject(node) || left < 0) return {}
    const copy: Record<string, unknown> = {}
    if (typeof node.$ref === 'string') {
      const target = references < deepestReference ? lookUp(root, node.$ref) : undefined
      const resolved = target === undefined ? {} : plain(target, references + 1)
      if (isObject(resolved)) Object.assign(copy, resolved)
    }
    for (const [keyword, value] of Object.entries(node)) {
      if (one.has(keyword)) copy[keyword] = Array.isArray(value) ? value.map((each) => plain(each, references)) : plain(value, references)
      else if (many.has(keyword) && Array.isArray(value)) copy[keyword] = value.map((each) => plain(each, references))
      else if (named.has(keyword) && isObject(value)) copy[keyword] = byName(value, references)
      else if (data.has(keyword)) copy[keyword] = value
    }
    if (typeof node.pattern === 'string') Object.assign(copy, patternOf(node.pattern, copy.description))
    return copy
  }

  function byName(schemas: Record<string, unknown>, references: number): Record<string, unknown> {
    return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, plain(each, references)]))
  }

  if (depthOf(schema) > mcpLimits.schema_depth) return { type: 'object' }
  const copy = plain(root, 0)
  return left < 0 || !isObject(copy) ? { type: 'object' } : { ...copy, type: 'object' }
}

/** The depth of a JSON value, computed without recursion; stops soon after the limit. */
export function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  let depth = 0
  while (level.length > 0 && depth <= mcpLimits.schema_depth) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    depth += 1
  }
  return depth
}

function lookUp(root: Record<string, unknown>, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let node: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(node) || !Object.hasOwn(node, key)) return undefined
    node = node[key]
  }
  return node
}

/** A potentially slow pattern is described in words instead. */
function patternOf(pattern: string, description: unknown): Record<string, unknown> {
  if (isSafePattern(pattern)) return { pattern }
  const told = `Must match the pattern ${pattern.slice(0, 200)}`
  return { description: typeof description === 'string' ? `${description} ${told}` : told }
}

/** At most one unbounded repetition, no repeated group, no look-around, no back reference: at worst, time is quadratic in the length. */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > 200 || /\)[*+?{]|\(\?[=!<]|\\[1-9k]/.test(pattern)) return false
  if ([...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some(([, from, to]) => Number(from) > 1_000 || Number(to ?? 0) > 1_000)) return false
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
  if ((bare.match(/[*+]|\{\d+,\d*\}/g) ?? []).length > 1) return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    // Not a valid pattern here: the server may use it, we do not.
    return false
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
