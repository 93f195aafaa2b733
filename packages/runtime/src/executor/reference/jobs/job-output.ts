// The output of a job: written to its file before it is sent to anyone, and read from any offset while it grows.
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { jobLimits } from '@tandem/contract/executor'
import type { Clock } from '../../../clock/clock.ts'

export interface JobOutput {
  readonly bytes: number
  /** False if it exceeds the limit: the rest is dropped. */
  write(chunk: Uint8Array): boolean
  /** Nothing more is written. */
  close(): void
  /** From an offset up to its end, or until there was no new output for a while. */
  read(from: number, signal: AbortSignal): AsyncGenerator<Buffer>
}

const pieceBytes = 256 * 1024

/** It stores at most this many bytes. */
export function createOutput(file: string, clock: Clock, most: number): JobOutput {
  return followedOutput(file, clock, { handle: openSync(file, 'w', 0o600), most })
}

/** Of a job that is over. */
export function storedOutput(file: string, clock: Clock): JobOutput {
  return followedOutput(file, clock, null)
}

export function outputBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function followedOutput(file: string, clock: Clock, writing: { readonly handle: number; readonly most: number } | null): JobOutput {
  let handle = writing?.handle ?? null
  const most = writing?.most ?? 0
  let bytes = writing === null ? outputBytes(file) : 0
  let next = Promise.withResolvers<void>()

  function changed(): void {
    next.resolve()
    next = Promise.withResolvers()
  }

  /** False if nothing changed in time. */
  async function change(awaited: Promise<void>, signal: AbortSignal): Promise<boolean> {
    const quiet = Promise.withResolvers<boolean>()
    const end = () => quiet.resolve(false)
    const cancel = clock.after(jobLimits.quiet_ms, end)
    signal.addEventListener('abort', end, { once: true })
    try {
      return await Promise.race([awaited.then(() => true), quiet.promise])
    } finally {
      cancel()
      signal.removeEventListener('abort', end)
    }
  }

  return {
    get bytes() {
      return bytes
    },
    write(chunk) {
      if (handle === null) return false
      const part = chunk.subarray(0, most - bytes)
      // Synchronously: a command that is faster than the disk waits, and nothing piles up in memory.
      for (let at = 0; at < part.length; ) at += writeSync(handle, part, at)
      bytes += part.length
      changed()
      return part.length === chunk.length
    },
    close() {
      if (handle === null) return
      fsyncSync(handle)
      closeSync(handle)
      handle = null
      changed()
    },
    async *read(from, signal) {
      await using opened = await open(file, 'r')
      for (let at = from; !signal.aborted; ) {
        const awaited = next.promise
        if (at < bytes) {
          const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes - at))
          const { bytesRead } = await opened.read(piece, 0, piece.length, at)
          if (bytesRead === 0) return
          at += bytesRead
          yield piece.subarray(0, bytesRead)
        } else if (handle === null || !(await change(awaited, signal))) return
      }
    },
  }
}
