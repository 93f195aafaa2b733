// JSON as text: what was asked for is kept letter for letter unless it is laid out for reading.

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Not yet.
    return false
  }
}

/** Laid out over lines; what is no JSON stays as it is. Numbers JavaScript can't hold would change, so such text stays too. */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value) === text || sameWithoutSpace(text, JSON.stringify(value)) ? JSON.stringify(value, null, 2) : text
}

function sameWithoutSpace(left: string, right: string): boolean {
  return left.replaceAll(/\s/g, '') === right.replaceAll(/\s/g, '')
}
