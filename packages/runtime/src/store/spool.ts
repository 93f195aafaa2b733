// Output of any size: its beginning and end in memory, all of it in a file up to a limit, so that a gigabyte needs little memory.
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const edge = 32 * 1024
/** Beyond this size, only the end is kept. */
const fileCap = 256 * 1024 * 1024

export interface Spool {
  write(chunk: Uint8Array): void
  /** The output so far, without ending it. */
  peek(): SpooledText
  end(): SpooledText
  /** Deletes the file, for output that no one will read. */
  discard(): void
}

export interface SpooledText {
  /** All of it if it is short, otherwise its beginning. */
  readonly head: string
  /** The end of long output; empty if `head` is everything. */
  readonly tail: string
  readonly bytes: number
  /** Whether something is missing between `head` and `tail`. */
  readonly truncated: boolean
  /** The file with all of it, if `truncated`. */
  readonly file: string | null
  /** How much of it is in the file: beyond a limit, only the beginning. */
  readonly file_bytes: number
  readonly sha256: string
}

/** The file is created only when the output exceeds `head`. */
export function openSpool(folder: string, name: string): Spool {
  const file = join(folder, name)
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let headBytes = 0
  let tail = Buffer.alloc(0)
  let bytes = 0
  let descriptor: number | null = null
  let written = 0

  function keep(chunk: Uint8Array): void {
    const room = Math.min(chunk.length, edge - headBytes)
    if (room > 0) {
      head.push(chunk.slice(0, room))
      headBytes += room
    }
    const rest = chunk.subarray(Math.max(0, room))
    if (rest.length === 0) return
    tail = rest.length >= edge ? Buffer.from(rest.subarray(rest.length - edge)) : Buffer.concat([tail, rest])
    if (tail.length > 2 * edge) tail = Buffer.from(tail.subarray(tail.length - edge))
    store(rest)
  }

  function store(rest: Uint8Array): void {
    if (descriptor === null) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      descriptor = openSync(file, 'w', 0o600)
      for (const part of head) writeSync(descriptor, part)
      written = headBytes
    }
    const room = Math.min(rest.length, fileCap - written)
    if (room > 0) {
      writeSync(descriptor, rest.subarray(0, room))
      written += room
    }
  }

  function seen(): SpooledText {
    const truncated = bytes > headBytes + Math.min(tail.length, edge)
    const end = tail.subarray(Math.max(0, tail.length - edge))
    return {
      head: decode(truncated ? head : [...head, end]),
      tail: truncated ? decode([end]) : '',
      bytes,
      truncated,
      file: truncated ? file : null,
      file_bytes: truncated ? written : 0,
      sha256: hash.copy().digest('hex'),
    }
  }

  function close(): void {
    if (descriptor !== null) closeSync(descriptor)
    descriptor = null
  }

  return {
    write(chunk) {
      bytes += chunk.length
      hash.update(chunk)
      keep(chunk)
    },
    peek: seen,
    end() {
      close()
      const text = seen()
      if (!text.truncated && written > 0) unlinkSync(file)
      return text
    },
    discard() {
      close()
      if (written > 0) unlinkSync(file)
      written = 0
    },
  }
}

/** A cut can split a character; it is dropped rather than shown broken. */
function decode(parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts).toString('utf8')
  return text.replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, '')
}
