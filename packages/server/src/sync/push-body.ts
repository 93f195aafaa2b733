// The body of a push, read without making objects of its payloads: nobody here looks into them, and they are most of it.
import { isUtf8 } from 'node:buffer'
import { afterSpace, CanonicalReader, isAt } from './canonical-bytes.ts'
import { PayloadText } from './payload-text.ts'
import { openScratch } from './scratch.ts'

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
/** In the place of a payload. */
const digit = 0x30
const nowhere = -1
const scratch = openScratch()

/**
 * What `JSON.parse` makes of the body, with a `PayloadText` where a payload is opaque: a part of `body`, which is changed for it. Undefined
 * where there is none to be had, or where the body is no JSON; then it is for `JSON.parse` to say, which finds in it what it would have.
 */
export function readPushBody(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined
  const reader = new CanonicalReader(body)
  const cuts = payloadsIn(body, reader)
  const request = cuts && cuts.length > 0 ? assembled(body, cuts) : undefined
  if (request === undefined) reader.undo()
  return request
}

/** A payload of the body, by the place of its change. */
interface Cut {
  readonly index: number
  readonly start: number
  readonly end: number
  readonly json: Buffer
}

/** The body without its payloads is read as ever; that it is JSON, with what was cut out, says that it was cut in the right places. */
function assembled(body: Buffer, cuts: readonly Cut[]): unknown {
  const rest = scratch(body.length)
  let from = 0
  let length = 0
  for (const { start, end } of cuts) {
    length += body.copy(rest, length, from, start)
    rest[length] = digit
    length += 1
    from = end
  }
  length += body.copy(rest, length, from)
  try {
    const request: { changes: { entity_type: unknown; op: unknown; payload: unknown }[] } = JSON.parse(rest.toString('utf8', 0, length))
    for (const { index, json } of cuts) {
      const change = request.changes[index]
      if (!change) return undefined
      change.payload = isOpaque(change) ? new PayloadText(json) : JSON.parse(json.toString())
    }
    return request
  } catch {
    return undefined
  }
}

/** Items of `todos` are merged, and what a deletion says is hashed with the word. */
function isOpaque({ entity_type, op }: { entity_type: unknown; op: unknown }): boolean {
  return op === 'upsert' && entity_type !== 'todos'
}

/** Undefined where the body is not what it should be, or says something twice, or spells a name in a roundabout way. */
function payloadsIn(body: Buffer, reader: CanonicalReader): Cut[] | undefined {
  const cuts: Cut[] = []
  let index = 0

  function readPayload(start: number): number {
    const json = body[start] === openBrace ? reader.object(start) : undefined
    if (!json) return endOfValue(body, start)
    cuts.push({ index, start, end: reader.end, json })
    return reader.end
  }

  function readChanges(start: number): number {
    if (body[start] !== openBracket) return nowhere
    let at = afterSpace(body, start + 1)
    if (body[at] === closeBracket) return at + 1
    for (; ; index += 1) {
      const end = body[at] === openBrace ? readFields(body, at, payloadName, readPayload) : endOfValue(body, at)
      if (end === nowhere) return nowhere
      at = afterSpace(body, end)
      if (body[at] === closeBracket) return at + 1
      if (body[at] !== comma) return nowhere
      at = afterSpace(body, at + 1)
    }
  }

  const start = afterSpace(body, 0)
  return body[start] === openBrace && readFields(body, start, changesName, readChanges) !== nowhere ? cuts : undefined
}

const changesName = Buffer.from('"changes"')
const payloadName = Buffer.from('"payload"')

/** Goes over the fields of the object at `start`, with `read` for the one that is wanted; gives the place behind it. */
function readFields(body: Buffer, start: number, wanted: Buffer, read: (at: number) => number): number {
  let met = false
  let at = afterSpace(body, start + 1)
  if (body[at] === closeBrace) return at + 1
  for (;;) {
    const nameEnd = endOfName(body, at)
    if (nameEnd === nowhere) return nowhere
    const isWanted = nameEnd - at === wanted.length && isAt(body, at, wanted)
    at = afterSpace(body, nameEnd)
    if (body[at] !== colon || (isWanted && met)) return nowhere
    at = afterSpace(body, at + 1)
    const end = isWanted ? read(at) : endOfValue(body, at)
    if (end === nowhere) return nowhere
    met ||= isWanted
    at = afterSpace(body, end)
    if (body[at] === closeBrace) return at + 1
    if (body[at] !== comma) return nowhere
    at = afterSpace(body, at + 1)
  }
}

function endOfName(body: Buffer, start: number): number {
  if (body[start] !== quote) return nowhere
  for (let at = start + 1; at < body.length; at += 1) {
    if (body[at] === quote) return at + 1
    if (body[at] === backslash) return nowhere
  }
  return nowhere
}

/** Of whatever kind, by its brackets and quotes alone. */
function endOfValue(body: Buffer, start: number): number {
  let depth = 0
  let at = start
  while (at < body.length) {
    const byte = body[at]
    if (byte === quote) {
      at = endOfString(body, at)
      if (at === nowhere || depth === 0) return at
      continue
    }
    if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      // The end of what a bare word or number stands in.
      if (depth === 0) return at
      depth -= 1
      if (depth === 0) return at + 1
    } else if (byte === comma && depth === 0) return at
    at += 1
  }
  return nowhere
}

function endOfString(body: Buffer, start: number): number {
  let at = start + 1
  while (at < body.length) {
    if (body[at] === quote) return at + 1
    at += body[at] === backslash ? 2 : 1
  }
  return nowhere
}
