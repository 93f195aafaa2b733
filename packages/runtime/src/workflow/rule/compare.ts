// The comparisons of conditions. `matches` is not here: an untrusted pattern is matched in the evaluator.
import type { Comparison } from '@tandem/contract/workflow'

export function compare(comparison: Exclude<Comparison, 'matches'>, left: unknown, right: unknown): boolean {
  switch (comparison) {
    case 'equals':
      return isSame(left, right)
    case 'not_equals':
      return !isSame(left, right)
    case 'contains':
      if (Array.isArray(left)) return left.some((item) => isSame(item, right))
      return typeof left === 'string' && left.includes(textOf(right))
    case 'greater':
      return order(left, right) > 0
    case 'less':
      return order(left, right) < 0
    case 'exists':
      return left !== undefined && left !== null
    case 'empty':
      return isEmpty(left)
  }
}

/** In a definition, numbers are written as text: 0 and "0" are the same. */
function isSame(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && isScalar(right)) return left.trim() === String(right)
  if (typeof right === 'string' && isScalar(left)) return right.trim() === String(left)
  return areEqual(left ?? null, right ?? null)
}

/** Two JSON values, whatever the order of their fields. They may be nested more deeply than functions can call each other. */
function areEqual(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [one, other] = pair
    if (one === other) continue
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
    const keys = Object.keys(one)
    if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false
      pairs.push([(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]])
    }
  }
  return true
}

function isScalar(value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

/** As numbers if both are, otherwise as texts, such as dates. What does not exist is neither greater nor less. */
function order(left: unknown, right: unknown): number {
  if (left === undefined || left === null || right === undefined || right === null) return 0
  const [one, other] = [numberOf(left), numberOf(right)]
  if (one !== null && other !== null) return one - other
  const [first, second] = [textOf(left), textOf(right)]
  return first === second ? 0 : first > second ? 1 : -1
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
