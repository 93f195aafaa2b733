// JSON as text: kept exactly unless it is formatted for reading.

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Not JSON, or not complete yet.
    return false
  }
}

/** Formatted on several lines. Text that is not JSON, or has numbers that JavaScript cannot represent, stays unchanged. */
export function prettyJson(text: string): string {
  if (!isJson(text)) return text
  const value: unknown = JSON.parse(text)
  return JSON.stringify(value) === text || sameWithoutSpace(text, JSON.stringify(value)) ? JSON.stringify(value, null, 2) : text
}

function sameWithoutSpace(left: string, right: string): boolean {
  return left.replaceAll(/\s/g, '') === right.replaceAll(/\s/g, '')
}
