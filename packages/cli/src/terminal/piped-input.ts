// What is piped or redirected into a command.
import { fstatSync } from 'node:fs'

type InputKind = 'pipe' | 'file' | 'socket' | 'none'

/** `none` for a terminal, for /dev/null and without standard input: nothing would ever be read there. */
function inputKind(): InputKind {
  try {
    const facts = fstatSync(0)
    return facts.isFIFO() ? 'pipe' : facts.isFile() ? 'file' : facts.isSocket() ? 'socket' : 'none'
  } catch {
    // Standard input is closed.
    return 'none'
  }
}

export function isPiped(): boolean {
  return inputKind() !== 'none'
}

/** A program that starts this one often leaves a socket open without ever writing to it. */
const silence_ms = 2_000

export type PipedInput = { readonly bytes: Buffer } | { readonly complaint: string }

/** Everything until the end; empty if nothing was piped. A shell's pipe is awaited as long as it takes, and that is reported. */
export async function readPipedInput(most: number, input: NodeJS.ReadStream = process.stdin, kind = inputKind()): Promise<PipedInput> {
  if (kind === 'none') return { bytes: Buffer.alloc(0) }
  const pieces: Buffer[] = []
  let size = 0
  const silent = Promise.withResolvers<'silent'>()
  const timer = setTimeout(() => {
    if (kind === 'socket') silent.resolve('silent')
    else console.error('Reading standard input until its end. To start without it, add </dev/null.')
  }, silence_ms)
  const reader = input[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([reader.next(), silent.promise])
      if (next === 'silent' || next.done) return { bytes: Buffer.concat(pieces) }
      clearTimeout(timer)
      const piece = Buffer.from(next.value)
      size += piece.length
      if (size > most) return { complaint: `standard input is larger than ${most / 1024 / 1024} MiB, the limit for attachments` }
      pieces.push(piece)
    }
  } finally {
    clearTimeout(timer)
    // Otherwise an open socket would keep the process alive.
    input.destroy()
  }
}
