// One text for one JSON value: object keys sorted by code unit, no white space. Two devices that hold equal values hold equal texts.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }

export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const sorted = inOrder(value)
  return sorted === undefined ? spelled(value) : JSON.stringify(sorted)
}

/** Names that an object can't hold in any order we like: JavaScript puts whole numbers first, and `__proto__` is no plain name. */
const willful = /^(?:\d+|__proto__)$/

/**
 * The same value with its keys in order, so that the engine can write it in one go, which is twice as fast as writing it here.
 * Undefined where an object could not be put in order.
 */
function inOrder(value: object): object | undefined {
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      const sorted = typeof item === 'object' && item !== null ? inOrder(item) : item
      if (sorted === undefined && item !== undefined) return undefined
      items.push(sorted)
    }
    return items
  }
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) {
    if (willful.test(key)) return undefined
    const field = (value as Record<string, unknown>)[key]
    const sorted = typeof field === 'object' && field !== null ? inOrder(field) : field
    if (sorted === undefined && field !== undefined) return undefined
    fields[key] = sorted
  }
  return fields
}

function spelled(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(spelled).join(',')}]`
  const fields: string[] = []
  for (const key of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[key]
    if (field !== undefined) fields.push(`${JSON.stringify(key)}:${spelled(field)}`)
  }
  return `{${fields.join(',')}}`
}
