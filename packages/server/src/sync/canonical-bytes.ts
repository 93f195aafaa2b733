// Canonical JSON from bytes to bytes, without a value in between: most payloads only need their fields put in order. What takes more than
// that is left to the contract's `canonicalJson`, whose text this is wherever it gives one.

import { openScratch } from './scratch.ts'

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [zero, nine, minus] = [0x30, 0x39, 0x2d]

const scratch = openScratch()
const unsorted = openScratch()

/** Deeper ones are for somebody who can say what is wrong with them. */
const deepest = 32
/** Fields of an object that is not in order. */
const mostUnsorted = 64
/** Whole numbers with no more digits are written as they were read. */
const plainDigits = 15
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))
/** What may stand in a string without a backslash, but for the quote that ends it. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => Number(byte >= 0x20 && byte !== quote && byte !== backslash))
/** What JSON puts behind a backslash where it has a choice. */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) => Number('"\\bfnrt'.includes(String.fromCharCode(byte))))
/** `\u00` and two digits, for each character that has no shorter form. */
const controls = new Set(
  Array.from({ length: 0x20 }, (_, code) => JSON.stringify(String.fromCharCode(code)).slice(1, -1)).filter((text) => text.length === 6),
)

/** Puts the objects in a text in order, each in its own place. The text has to be UTF-8. */
export class CanonicalReader {
  /** As it came. */
  readonly #source: Buffer
  /** Nothing is written further on than has been read: what would become longer is not taken. */
  readonly #target: Buffer
  #at = 0
  #to = 0
  /** Of each field of the open objects: where its name begins and ends in the target, and where its value ends. */
  readonly #fields: number[] = []

  /** Changes `bytes`; one reader at a time. */
  constructor(bytes: Buffer) {
    this.#source = scratch(bytes.length).subarray(0, bytes.length)
    this.#target = bytes
    bytes.copy(this.#source)
  }

  /** Where the object ends that was read last. */
  get end(): number {
    return this.#at
  }

  /** The canonical text of the object that begins at `at`; undefined where it is no JSON, or takes more than to be put in order. */
  object(at: number): Buffer | undefined {
    this.#at = at
    this.#to = at
    this.#fields.length = 0
    if (this.#object(0)) return this.#target.subarray(at, this.#to)
    this.#source.copy(this.#target, at, at, this.#to)
    return undefined
  }

  /** The bytes as they came. */
  undo(): void {
    this.#source.copy(this.#target)
  }

  #value(depth: number): boolean {
    switch (this.#source[this.#at]) {
      case quote:
        return this.#string()
      case openBrace:
        return depth < deepest && this.#object(depth + 1)
      case openBracket:
        return depth < deepest && this.#list(depth + 1)
      default:
        return this.#wholeNumber() || this.#word() || this.#otherNumber()
    }
  }

  #object(depth: number): boolean {
    const source = this.#source
    const target = this.#target
    const fields = this.#fields
    const from = this.#to
    const first = fields.length
    let inOrder = true
    this.#take()
    if (source[this.#at] === closeBrace) return this.#take()
    for (;;) {
      const name = this.#to
      if (source[this.#at] !== quote || !this.#string() || !isPlain(target, name, this.#to)) return false
      const nameEnd = this.#to
      this.#skipSpace()
      if (source[this.#at] !== colon) return false
      this.#take()
      if (!this.#value(depth)) return false
      if (
        fields.length > first &&
        compareNames(target, fields[fields.length - 3] ?? 0, fields[fields.length - 2] ?? 0, name, nameEnd) >= 0
      ) {
        inOrder = false
      }
      fields.push(name, nameEnd, this.#to)
      this.#skipSpace()
      if (source[this.#at] === closeBrace) break
      if (source[this.#at] !== comma) return false
      this.#take()
    }
    this.#take()
    const done = inOrder || this.#sort(from, first)
    fields.length = first
    return done
  }

  /** The fields of the object that was written from `from` on. A name that comes twice is for somebody who knows which one counts. */
  #sort(from: number, first: number): boolean {
    const target = this.#target
    const fields = this.#fields
    const order: number[] = []
    for (let field = first; field < fields.length; field += 3) order.push(field)
    // Fields are few; of many, others take care.
    if (order.length > mostUnsorted) return false
    for (let next = 1; next < order.length; next += 1) {
      const field = order[next] ?? 0
      let place = next
      for (; place > 0; place -= 1) {
        const other = order[place - 1] ?? 0
        const compared = compareNames(target, fields[other] ?? 0, fields[other + 1] ?? 0, fields[field] ?? 0, fields[field + 1] ?? 0)
        if (compared === 0) return false
        if (compared < 0) break
        order[place] = other
      }
      order[place] = field
    }

    const before = unsorted(this.#to - from)
    target.copy(before, 0, from, this.#to)
    let to = from + 1
    for (const field of order) {
      to += before.copy(target, to, (fields[field] ?? 0) - from, (fields[field + 2] ?? 0) - from)
      target[to] = comma
      to += 1
    }
    target[to - 1] = closeBrace
    return true
  }

  #list(depth: number): boolean {
    const source = this.#source
    this.#take()
    if (source[this.#at] === closeBracket) return this.#take()
    for (;;) {
      if (!this.#value(depth)) return false
      this.#skipSpace()
      if (source[this.#at] === closeBracket) return this.#take()
      if (source[this.#at] !== comma) return false
      this.#take()
    }
  }

  /** Taken where it is spelled as JSON is written here: escaped only where it must be, and then in the shortest way. */
  #string(): boolean {
    const source = this.#source
    let end = this.#at + 1
    for (;;) {
      // Past the end is 0, which no string may hold.
      while (plain[source[end] ?? 0] === 1) end += 1
      if (source[end] === quote) return this.#move(end + 1)
      if (source[end] !== backslash) return false
      if (escapes[source[end + 1] ?? 0] === 1) end += 2
      else if (controls.has(source.toString('latin1', end, end + 6))) end += 6
      else return false
    }
  }

  #wholeNumber(): boolean {
    const source = this.#source
    const digits = this.#at + (source[this.#at] === minus ? 1 : 0)
    let end = digits
    while (isDigit(source[end])) end += 1
    if (end === digits || end - digits > plainDigits) return false
    // A zero may begin nothing but itself, and has no sign.
    if ((source[digits] === zero && end - this.#at > 1) || isNumeric(source[end])) return false
    return this.#move(end)
  }

  #otherNumber(): boolean {
    const source = this.#source
    let end = this.#at
    while (isNumeric(source[end])) end += 1
    const text = source.toString('latin1', this.#at, end)
    if (!number.test(text)) return false
    const written = JSON.stringify(Number(text))
    if (written.length > text.length) return false
    this.#to += this.#target.write(written, this.#to, 'latin1')
    this.#at = end
    return true
  }

  #word(): boolean {
    for (const word of words) {
      if (!isAt(this.#source, this.#at, word)) continue
      this.#to += word.copy(this.#target, this.#to)
      this.#at += word.length
      return true
    }
    return false
  }

  /** What stands up to `end`, as it is. While nothing was left out before it, it stands in its place already. */
  #move(end: number): true {
    const length = end - this.#at
    if (this.#at !== this.#to) this.#source.copy(this.#target, this.#to, this.#at, end)
    this.#at = end
    this.#to += length
    return true
  }

  /** One byte as it is, and the space behind it not. */
  #take(): true {
    this.#target[this.#to++] = this.#source[this.#at++] ?? 0
    this.#skipSpace()
    return true
  }

  #skipSpace(): void {
    this.#at = afterSpace(this.#source, this.#at)
  }
}

/** The first place from `at` on that is no white space of JSON. */
export function afterSpace(source: Buffer, at: number): number {
  let next = at
  for (;;) {
    const byte = source[next]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return next
    next += 1
  }
}

export function isAt(source: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (source[at + index] !== wanted[index]) return false
  return true
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine
}

/** Digits, signs, a point, an exponent: all that a number is made of. */
function isNumeric(byte: number | undefined): boolean {
  return isDigit(byte) || byte === minus || byte === 0x2b || byte === 0x2e || byte === 0x65 || byte === 0x45
}

/** ASCII without escapes: then the order of bytes is that of code units. */
function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === backslash || byte >= 0x80) return false
  }
  return true
}

/** Names with their quotes, which count for nothing. */
function compareNames(bytes: Buffer, left: number, leftEnd: number, right: number, rightEnd: number): number {
  const leftLength = leftEnd - left - 2
  const rightLength = rightEnd - right - 2
  const shared = Math.min(leftLength, rightLength)
  for (let index = 1; index <= shared; index += 1) {
    const difference = (bytes[left + index] ?? 0) - (bytes[right + index] ?? 0)
    if (difference !== 0) return difference
  }
  return leftLength - rightLength
}
