// What a proxy that allows nothing answers, in HTTP and SOCKS 5, with the words of the sandbox library. Pure: bytes in, bytes out.

/** What the client says next. */
export type Stage = 'hello' | 'login' | 'request'

export interface Answer {
  readonly bytes: Uint8Array
  /** Where the client wanted to connect, as `host:port`; null if it has not said so, or not properly. */
  readonly target: string | null
  /** Null: the connection ends. */
  readonly next: Stage | null
  /** How many of the bytes were read. */
  readonly taken: number
}

const longestHead = 64 * 1024
const body = 'Connection blocked by network allowlist'
const marks = 'Content-Type: text/plain\r\nX-Proxy-Error: blocked-by-allowlist\r\n'
const malformed = ended('HTTP/1.1 400 Bad Request\r\n\r\n')

/** Undefined until there are more bytes. */
export function answerTo(stage: Stage, bytes: Buffer): Answer | undefined {
  if (bytes.length === 0) return undefined
  if (stage === 'hello') return bytes[0] === 5 ? helloAnswer(bytes) : httpAnswer(bytes)
  return stage === 'login' ? loginAnswer(bytes) : socksAnswer(bytes)
}

function httpAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return bytes.length > longestHead ? malformed : undefined
  const [, method = '', target = ''] = /^(\S+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes.toString('latin1', 0, end + 2)) ?? []
  if (method === 'CONNECT') {
    const named = targetOf(`http://${target}`, null)
    return named === null ? malformed : ended(`HTTP/1.1 403 Forbidden\r\n${marks}\r\n${body}`, named)
  }
  const scheme = /^(https?):\/\//i.exec(target)?.[1]?.toLowerCase()
  const named = scheme === undefined ? null : targetOf(target.replace(/^https:/i, 'http:'), scheme === 'https' ? '443' : '80')
  if (named === null) return malformed
  return ended(`HTTP/1.1 403 Forbidden\r\n${marks}Content-Length: ${body.length + 1}\r\nConnection: close\r\n\r\n${body}\n`, named)
}

/** `10.1` and `0x7f.1` become the addresses that they mean. */
function targetOf(url: string, usualPort: string | null): string | null {
  const parsed = URL.parse(url)
  if (!parsed || parsed.hostname === '') return null
  // The parser removes the port that is usual for `http:`, whatever was written.
  const written = /^http:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)/i.exec(url)?.[1]
  const port = parsed.port || (written === undefined ? usualPort : '80')
  return port === null ? null : `${parsed.hostname}:${port}`
}

/** The methods that the client offers: a name with a password is taken, whatever it is, and so is nothing. */
function helloAnswer(bytes: Buffer): Answer | undefined {
  const length = 2 + (bytes[1] ?? 0)
  if (bytes.length < 2 || bytes.length < length) return undefined
  const methods = bytes.subarray(2, length)
  if (methods.includes(2)) return { bytes: Uint8Array.of(5, 2), target: null, next: 'login', taken: length }
  if (methods.includes(0)) return { bytes: Uint8Array.of(5, 0), target: null, next: 'request', taken: length }
  return { bytes: Uint8Array.of(5, 0xff), target: null, next: null, taken: length }
}

function loginAnswer(bytes: Buffer): Answer | undefined {
  const name = bytes[1] ?? 0
  const length = 3 + name + (bytes[2 + name] ?? 0)
  if (bytes.length < 3 + name || bytes.length < length) return undefined
  return { bytes: Uint8Array.of(1, 0), target: null, next: 'request', taken: length }
}

function socksAnswer(bytes: Buffer): Answer | undefined {
  const [, command, , kind] = bytes
  if (bytes.length < 5) return undefined
  const size = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? (bytes[4] ?? 0) : 0
  const from = kind === 3 ? 5 : 4
  const length = from + size + 2
  if (size === 0 || command !== 1) return { bytes: reply(7), target: null, next: null, taken: bytes.length }
  if (bytes.length < length) return undefined
  const address = bytes.subarray(from, from + size)
  const host = kind === 3 ? address.toString('latin1') : kind === 1 ? address.join('.') : `[${groupsOf(address).join(':')}]`
  return { bytes: reply(2), target: targetOf(`http://${host}:${bytes.readUInt16BE(from + size)}`, null), next: null, taken: length }
}

function groupsOf(address: Buffer): readonly string[] {
  return Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16))
}

/** 2: not allowed by the rules. 7: the command is not known. */
function reply(status: number): Uint8Array {
  return Uint8Array.of(5, status, 0, 1, 0, 0, 0, 0, 0, 0)
}

function ended(text: string, target: string | null = null): Answer {
  return { bytes: Buffer.from(text, 'latin1'), target, next: null, taken: longestHead }
}
