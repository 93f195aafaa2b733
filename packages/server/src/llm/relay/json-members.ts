// Finds the members of a JSON object in its bytes. Only the names are decoded and nothing is built, so that a body of
// many megabytes costs one pass, and what we do not read can be forwarded unchanged: big numbers, repeated keys, `__proto__`.

/** Offsets into the bytes; ends are exclusive. */
export interface Member {
  readonly key_start: number
  readonly value_start: number
  readonly value_end: number
  /** The comma before it, if it is not the first. */
  readonly comma: number | undefined
  /** Where the next member starts, if it is not the last. */
  readonly next: number | undefined
}

export type Members = ReadonlyMap<string, readonly Member[]>

const deepest = 1_000
/** Longer than any name we look for, escapes included. */
const longestKey = 200

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The members in `wanted` of the object in `bytes[from, to)`; undefined if that is not a JSON object. Strings are not validated. */
export function membersOf(bytes: Buffer, wanted: ReadonlySet<string>, from = 0, to = bytes.length): Members | undefined {
  const found = new Map<string, { -readonly [Name in keyof Member]: Member[Name] }[]>()
  let at = space(bytes, from)
  if (bytes[at] !== openBrace) return undefined
  at = space(bytes, at + 1)
  let before: number | undefined
  let last: { next: number | undefined } | undefined
  while (bytes[at] !== closeBrace || before !== undefined) {
    if (last) last.next = at
    last = undefined
    const key_start = at
    const key_end = string(bytes, at)
    at = key_end < 0 ? -1 : space(bytes, key_end)
    if (at < 0 || bytes[at] !== colon) return undefined
    const value_start = space(bytes, at + 1)
    const value_end = value(bytes, value_start)
    if (value_end < 0) return undefined
    const key = nameOf(bytes, key_start, key_end)
    if (key !== undefined && wanted.has(key)) {
      const member = { key_start, value_start, value_end, comma: before, next: undefined }
      const same = found.get(key)
      if (same) same.push(member)
      else found.set(key, [member])
      last = member
    }
    at = space(bytes, value_end)
    if (bytes[at] === closeBrace) break
    if (bytes[at] !== comma) return undefined
    before = at
    at = space(bytes, at + 1)
  }
  return space(bytes, at + 1) >= to ? found : undefined
}

function nameOf(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start > longestKey) return undefined
  const text = bytes.toString('utf8', start + 1, end - 1)
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return undefined
  }
}

function space(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at += 1
  return at
}

/** The end of the string that starts at `from`, or -1. */
function string(bytes: Buffer, from: number): number {
  if (bytes[from] !== quote) return -1
  let at = from + 1
  for (;;) {
    at = bytes.indexOf(quote, at)
    if (at < 0) return -1
    let escapes = 0
    while (bytes[at - 1 - escapes] === backslash) escapes += 1
    at += 1
    if (escapes % 2 === 0) return at
  }
}

/** The end of the value that starts at `from`, or -1. Without recursion: the sender controls the depth. */
function value(bytes: Buffer, from: number): number {
  const open: number[] = []
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === openBrace || byte === openBracket) {
      const close = byte === openBrace ? closeBrace : closeBracket
      at = space(bytes, at + 1)
      if (bytes[at] !== close) {
        if (open.push(close) > deepest) return -1
        if (close === closeBrace) at = afterColon(bytes, at)
        if (at < 0) return -1
        continue
      }
      at += 1
    } else at = byte === quote ? string(bytes, at) : scalar(bytes, at)
    if (at < 0) return -1

    for (;;) {
      const close = open.at(-1)
      if (close === undefined) return at
      at = space(bytes, at)
      if (bytes[at] === comma) {
        at = space(bytes, at + 1)
        if (close === closeBrace) at = afterColon(bytes, at)
        if (at < 0) return -1
        break
      }
      if (bytes[at] !== close) return -1
      open.pop()
      at += 1
    }
  }
}

/** Where the value of the key at `from` starts, or -1. */
function afterColon(bytes: Buffer, from: number): number {
  const end = string(bytes, from)
  if (end < 0) return -1
  const at = space(bytes, end)
  return bytes[at] === colon ? space(bytes, at + 1) : -1
}

const scalars = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

function scalar(bytes: Buffer, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte !== undefined && isScalar(byte); byte = bytes[at]) at += 1
  return scalars.test(bytes.toString('latin1', from, at)) ? at : -1
}

/** Letters, digits, signs and the point. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x45
  )
}
