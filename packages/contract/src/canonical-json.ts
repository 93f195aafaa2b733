// One text per JSON value: object keys sorted by code unit, no white space. Equal values have equal texts on every device.

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined }

export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const sorted = inOrder(value)
  return sorted === undefined ? spelled(value) : JSON.stringify(sorted)
}

/** Keys whose order cannot be chosen: JavaScript puts integers first, and `__proto__` is not an ordinary key. */
const willful = /^(?:\d+|__proto__)$/

/**
 * The same value with sorted keys, so that the engine can serialize it in one call, which is twice as fast as serializing it here.
 * Undefined if the keys of an object cannot be sorted.
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
