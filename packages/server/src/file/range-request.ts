// Which bytes of a file a request gets, by its conditional and range headers (RFC 9110). Pure.

export interface RangeHeaders {
  readonly range?: string
  readonly 'if-range'?: string
  readonly 'if-none-match'?: string
}

/** `end` is inclusive, as in HTTP. */
export type RangeResult =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const whole: RangeResult = { kind: 'whole' }

export function resolveRange(size: number, etag: string, headers: RangeHeaders): RangeResult {
  if (namesTag(headers['if-none-match'], etag)) return { kind: 'unchanged' }
  if (headers.range === undefined) return whole
  // A date, or a weak tag, does not prove that the bytes are the same.
  if (headers['if-range'] !== undefined && headers['if-range'].trim() !== etag) return whole
  return rangeOf(headers.range, size)
}

/** One range. A header that is malformed, uses another unit or has several ranges is ignored, as the standard allows. */
function rangeOf(header: string, size: number): RangeResult {
  const [, first, last] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header.trim()) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return whole
  if (first === '') return suffixOf(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return whole
  return start >= size ? { kind: 'unsatisfiable' } : { kind: 'part', start, end }
}

function suffixOf(length: number, size: number): RangeResult {
  if (length === 0) return { kind: 'unsatisfiable' }
  // The whole of an empty file: no Content-Range can express it.
  if (size === 0) return whole
  return { kind: 'part', start: Math.max(0, size - length), end: size - 1 }
}

/** Weak comparison, as `If-None-Match` requires. Our tags contain no comma. */
function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
