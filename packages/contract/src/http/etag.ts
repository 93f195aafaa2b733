// The version of a thing as its `ETag`, and back.

export function etagOf(version: number): string {
  return `"${version}"`
}

/** The version an `If-Match` asks for; `any` for `*`; undefined for a text that is neither. */
export function versionAskedFor(ifMatch: string): number | 'any' | undefined {
  if (ifMatch === '*') return 'any'
  const digits = /^"([1-9][0-9]{0,15})"$/.exec(ifMatch)?.[1]
  const version = Number(digits)
  return Number.isSafeInteger(version) ? version : undefined
}
