// Forwards a stream of server-sent events. Complete events pass unchanged; only those with usage are parsed. Pure.
import { lastUsageIn, parseJson, type ReportedUsage, usageOf } from './usage.ts'

export interface EventStream {
  /** What can be forwarded after `chunk`: only complete events, so that a broken stream never leaves half of one behind. */
  push(chunk: Buffer): Buffer
  /** The rest when the stream has ended well. */
  end(): Buffer
  readonly seen: ReportedUsage
  /** Bytes of the model's text so far, used if no usage is reported. */
  readonly text_bytes: number
  /** The stream has announced its end: without that, the response is incomplete. */
  readonly complete: boolean
  /** No partial event was forwarded: another event may be inserted here. */
  readonly between: boolean
}

/** An event longer than this is forwarded in pieces. */
const heldMax = 4 * 1024 * 1024
const parsedMax = 256 * 1024
const nothing = Buffer.alloc(0)

/** `strip` removes events that contain only usage: the caller did not request them. */
export function openEventStream({ strip }: { strip: boolean }): EventStream {
  let seen: ReportedUsage = {}
  let text_bytes = 0
  let complete = false
  let held: Buffer[] = []
  let heldBytes = 0
  let inPieces = false
  /** Whether the last event, if it ended with CR, was forwarded: an LF that follows belongs to it. */
  let awaitsNewline: 'passed' | 'taken' | undefined

  function look(events: Buffer): Buffer {
    text_bytes += textIn(events)
    complete ||= tellsEnd(events)
    if (valueAfter(events, '"usage"', openBrace) < 0) return events
    const kept: Buffer[] = []
    for (const event of eventsIn(events)) {
      const taken = readUsage(event) && strip
      if (!taken) kept.push(event)
      awaitsNewline &&= taken ? 'taken' : 'passed'
    }
    return Buffer.concat(kept)
  }

  /** Returns whether the event contains usage and nothing else. */
  function readUsage(event: Buffer): boolean {
    if (valueAfter(event, '"usage"', openBrace) < 0) return false
    if (event.length > parsedMax) {
      seen = { ...seen, ...lastUsageIn(event.toString('utf8')) }
      return false
    }
    const message = parseJson(dataOf(event))
    seen = { ...seen, ...usageOf(message) }
    return (
      typeof message === 'object' &&
      message !== null &&
      'choices' in message &&
      Array.isArray(message.choices) &&
      message.choices.length === 0
    )
  }

  function release(): Buffer {
    const whole = held.length === 1 ? held[0] : Buffer.concat(held)
    held = []
    heldBytes = 0
    return whole ?? nothing
  }

  function take(chunk: Buffer): Buffer {
    if (chunk.length === 0) return nothing
    const tail = held.at(-1)
    const overlap = tail === undefined ? nothing : tail.subarray(tail.length - 1)
    const joined = overlap.length > 0 ? Buffer.concat([overlap, chunk]) : chunk
    const end = lastBoundary(joined) - overlap.length
    if (end <= 0) {
      held.push(chunk)
      heldBytes += chunk.length
      if (heldBytes <= heldMax) return nothing
      inPieces = true
      const piece = release()
      seen = { ...seen, ...lastUsageIn(piece.toString('utf8')) }
      return piece
    }
    held.push(chunk.subarray(0, end))
    const events = release()
    awaitsNewline = events.at(-1) === carriage ? 'passed' : undefined
    if (end < chunk.length) {
      held.push(chunk.subarray(end))
      heldBytes = chunk.length - end
    }
    if (!inPieces) return look(events)
    // The rest of an event whose start was already forwarded.
    inPieces = false
    seen = { ...seen, ...lastUsageIn(events.toString('utf8')) }
    complete ||= tellsEnd(events)
    return events
  }

  return {
    push(arrived) {
      const before = awaitsNewline
      awaitsNewline = undefined
      if (before === undefined || arrived[0] !== newline) return take(arrived)
      const rest = take(arrived.subarray(1))
      return before === 'taken' ? rest : Buffer.concat([arrived.subarray(0, 1), rest])
    },
    end() {
      if (heldBytes === 0) return nothing
      const rest = release()
      if (inPieces) return rest
      const data = dataOf(rest).trim()
      if (data === '[DONE]' || parseJson(data) !== undefined) return look(rest)
      // Half an event: useless to any client.
      complete &&= data === ''
      return nothing
    },
    get seen() {
      return seen
    },
    get text_bytes() {
      return text_bytes
    },
    get complete() {
      return complete
    },
    get between() {
      return !inPieces
    },
  }
}

const [newline, carriage, quote, backslash, openBrace] = [0x0a, 0x0d, 0x22, 0x5c, 0x7b]

/** Where the last blank line ends; 0 if there is none. A line ends with LF, CRLF or CR. */
function lastBoundary(bytes: Buffer): number {
  const end = Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\n\r'), bytes.lastIndexOf('\r\r')) + 2
  if (end === 1) return 0
  return bytes[end - 1] === carriage && bytes[end] === newline ? end + 1 : end
}

function* eventsIn(bytes: Buffer): Generator<Buffer> {
  let start = 0
  for (let at = 1; at < bytes.length; at += 1) {
    const [before, here] = [bytes[at - 1], bytes[at]]
    const blank = (before === newline && (here === newline || here === carriage)) || (before === carriage && here === carriage)
    if (!blank) continue
    if (here === carriage && bytes[at + 1] === newline) at += 1
    yield bytes.subarray(start, at + 1)
    start = at + 1
    at += 1
  }
  if (start < bytes.length) yield bytes.subarray(start)
}

function dataOf(event: Buffer): string {
  return event
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    .join('\n')
}

/** Where the value of a key starts, if one of its values starts with `first`; otherwise -1. */
function valueAfter(bytes: Buffer, key: string, first: number): number {
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at)) {
    at += key.length
    while (bytes[at] === 0x20) at += 1
    if (bytes[at] !== 0x3a) continue
    at += 1
    while (bytes[at] === 0x20) at += 1
    if (bytes[at] === first) return at
  }
  return -1
}

const endings = ['[DONE]', '"message_stop"', '"response.completed"', '"response.failed"', '"response.incomplete"', '"type":"error"']

function tellsEnd(events: Buffer): boolean {
  if (valueAfter(events, '"finish_reason"', quote) >= 0 || valueAfter(events, '"error"', openBrace) >= 0) return true
  return endings.some((ending) => events.includes(ending))
}

/** The fields with the model's text, in every dialect. */
const speech = ['"content"', '"text"', '"delta"', '"arguments"', '"partial_json"', '"thinking"', '"reasoning_content"']

function textIn(events: Buffer): number {
  let total = 0
  for (const key of speech) {
    let rest = events
    for (let at = valueAfter(rest, key, quote); at >= 0; at = valueAfter(rest, key, quote)) {
      let end = at + 1
      while (end < rest.length && rest[end] !== quote) end += rest[end] === backslash ? 2 : 1
      total += end - at - 1
      rest = rest.subarray(Math.min(end, rest.length))
    }
  }
  return total
}
