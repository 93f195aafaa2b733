// Converts a version to its `ETag` and back.

export function etagOf(version: number): string {
  return `"${version}"`
}

/** The version that an `If-Match` requires; `any` for `*`; undefined for anything else. */
export function versionFromIfMatch(ifMatch: string): number | 'any' | undefined {
  if (ifMatch === '*') return 'any'
  const digits = /^"([1-9][0-9]{0,15})"$/.exec(ifMatch)?.[1]
  const version = Number(digits)
  return Number.isSafeInteger(version) ? version : undefined
}
