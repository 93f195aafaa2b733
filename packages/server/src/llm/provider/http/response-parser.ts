// Parses one HTTP/1.1 response from the bytes of a connection. Pure: bytes in, head and body out. As strict as possible: what two parsers
// could interpret differently is invalid, and a connection that sent something invalid is never used again.

export interface ReplyHead {
  readonly status: number
  /** In lower case; without cookies. */
  readonly headers: Readonly<Record<string, string>>
}

/** The data is not an HTTP/1.1 response. */
export class InvalidResponseError extends Error {
  readonly code = 'EPROTO'
}

const headMax = 64 * 1024
const lineMax = 8 * 1024
const trailersMax = 16 * 1024
const nothing = Buffer.alloc(0)

type Stage = 'head' | 'length' | 'until_close' | 'chunk_size' | 'chunk' | 'chunk_end' | 'trailers' | 'done'

export class ResponseParser {
  /** When it is complete. */
  head: ReplyHead | undefined
  /** How many milliseconds another response may follow on this connection; 0 if none may. */
  keeps_ms = 0

  #stage: Stage = 'head'
  /** Bytes left in the body, or in the chunk. */
  #left = 0
  /** The start of a head or a line whose end has not arrived yet. */
  #held: Buffer = nothing
  #trailerBytes = 0

  /** The response is complete. */
  get done(): boolean {
    return this.#stage === 'done'
  }

  /** Takes data and returns which of it is body. Throws BrokenReply. */
  push(bytes: Buffer): Buffer {
    const pieces: Buffer[] = []
    let at = 0
    while (at < bytes.length) {
      switch (this.#stage) {
        case 'head':
          at = this.#readHead(bytes, at)
          break
        case 'until_close':
          pieces.push(bytes.subarray(at))
          at = bytes.length
          break
        case 'length':
        case 'chunk': {
          const end = Math.min(bytes.length, at + this.#left)
          pieces.push(bytes.subarray(at, end))
          this.#left -= end - at
          if (this.#left === 0) this.#stage = this.#stage === 'length' ? 'done' : 'chunk_end'
          at = end
          break
        }
        case 'chunk_size':
        case 'chunk_end':
        case 'trailers':
          at = this.#readLine(bytes, at)
          break
        case 'done':
          // Unsolicited data: it cannot be assigned to a request.
          this.keeps_ms = 0
          at = bytes.length
          break
      }
    }
    return pieces.length === 1 ? (pieces[0] ?? nothing) : pieces.length === 0 ? nothing : Buffer.concat(pieces)
  }

  /** The other side has closed the connection; returns whether this completes the response. */
  close(): boolean {
    if (this.#stage === 'until_close') this.#stage = 'done'
    return this.done
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#held.length
    const all = before === 0 ? bytes.subarray(at) : Buffer.concat([this.#held, bytes.subarray(at)])
    const end = all.indexOf('\r\n\r\n')
    if ((end < 0 ? all.length : end) > headMax) throw new InvalidResponseError('headers that are too long')
    if (end < 0) {
      this.#held = all
      return bytes.length
    }
    this.#held = nothing
    const { version, status, headers } = readHead(all.toString('latin1', 0, end))
    // Only an informational response; the final one follows.
    if (status >= 100 && status < 200) {
      if (status === 101) throw new InvalidResponseError('another protocol')
    } else {
      this.head = { status, headers }
      this.#frame(status, headers)
      this.keeps_ms = this.#stage === 'until_close' ? 0 : keepMilliseconds(version, headers)
    }
    return at + end + 4 - before
  }

  #frame(status: number, headers: Readonly<Record<string, string>>): void {
    const { 'transfer-encoding': encoding, 'content-length': length } = headers
    if (encoding !== undefined) {
      if (length !== undefined) throw new InvalidResponseError('both a content length and chunks')
      if (encoding.toLowerCase() !== 'chunked') throw new InvalidResponseError('an unknown transfer encoding')
      this.#stage = 'chunk_size'
    } else if (length !== undefined) {
      if (!/^\d{1,15}$/.test(length)) throw new InvalidResponseError('an invalid content length')
      this.#left = Number(length)
      this.#stage = this.#left === 0 ? 'done' : 'length'
    } else this.#stage = 'until_close'
    if (status === 204 || status === 304) this.#stage = 'done'
  }

  #readLine(bytes: Buffer, at: number): number {
    const newline = bytes.indexOf(0x0a, at)
    const end = newline < 0 ? bytes.length : newline + 1
    if (this.#held.length + end - at > lineMax) throw new InvalidResponseError('a line that is too long')
    const line = this.#held.length === 0 ? bytes.subarray(at, end) : Buffer.concat([this.#held, bytes.subarray(at, end)])
    this.#held = newline < 0 ? line : nothing
    if (newline < 0) return end
    if (line.at(-2) !== 0x0d) throw new InvalidResponseError('a line without a line ending')
    this.#takeLine(line.toString('latin1', 0, line.length - 2))
    return end
  }

  #takeLine(line: string): void {
    if (this.#stage === 'chunk_size') {
      const [, digits] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? []
      if (digits === undefined) throw new InvalidResponseError('a chunk without a size')
      this.#left = Number.parseInt(digits, 16)
      this.#stage = this.#left === 0 ? 'trailers' : 'chunk'
    } else if (this.#stage === 'chunk_end') {
      if (line !== '') throw new InvalidResponseError('a chunk longer than its size')
      this.#stage = 'chunk_size'
    } else {
      this.#trailerBytes += line.length
      if (this.#trailerBytes > trailersMax) throw new InvalidResponseError('trailers that are too long')
      if (line === '') this.#stage = 'done'
    }
  }
}

/** Lines of a name, a colon right after it, and a value; matched all at once. */
const wellFormed = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*)*$/

function readHead(text: string): { version: string; status: number; headers: Record<string, string> } {
  const [first = '', ...lines] = text.split('\r\n')
  if (!wellFormed.test(text.slice(first.length))) throw new InvalidResponseError('an invalid header')
  const [, version, status] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/.exec(first) ?? []
  if (version === undefined || status === undefined) throw new InvalidResponseError('not an HTTP/1.1 response')
  const headers: Record<string, string> = new HeaderRecord()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    // Not used here.
    if (name === 'set-cookie') continue
    headers[name] = addedTo(headers[name], name, line.slice(colon + 1).trim())
  }
  return { version, status: Number(status), headers }
}

/** Nothing is inherited. The engine reads and copies such an object faster than one of `Object.create(null)`. */
class HeaderRecord {
  [name: string]: string
}
Object.setPrototypeOf(HeaderRecord.prototype, null)
Reflect.deleteProperty(HeaderRecord.prototype, 'constructor')

/** Of these, only the first counts. */
const single = new Set(['content-type', 'retry-after', 'x-request-id', 'request-id'])

function addedTo(known: string | undefined, name: string, value: string): string {
  if (known === undefined) return value
  if (single.has(name)) return known
  if (name === 'content-length' && known === value) return known
  // A second, different length makes it invalid.
  return `${known}, ${value}`
}

const usualKeep = 60_000
/** It counts from when the response was sent, and the next request takes time to arrive. */
const margin = 1_000

function keepMilliseconds(version: string, headers: Readonly<Record<string, string>>): number {
  const wishes = headers.connection?.toLowerCase() ?? ''
  const kept = version === '1' ? !/\bclose\b/.test(wishes) : /\bkeep-alive\b/.test(wishes)
  if (!kept) return 0
  const seconds = /\btimeout=(\d{1,6})\b/i.exec(headers['keep-alive'] ?? '')?.[1]
  return seconds === undefined ? usualKeep : Math.max(0, Math.min(usualKeep, Number(seconds) * 1_000 - margin))
}
