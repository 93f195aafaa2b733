// Whether what ripgrep found really stands in the file at that path. It walks by names, and a folder that is swapped for a link in the
// right moment would lead it outside; the door can't be led.

import type { FileHandle } from 'node:fs/promises'
import type { ScopedFiles } from '../../call/files.ts'
import { decodeExactly, recognizeText, sampleBytes } from './text-file.ts'

export interface FoundBytes {
  /** Counted as ripgrep does: in UTF-8, without a byte order mark. */
  readonly offset: number
  readonly bytes: Uint8Array
}

/** UTF-16 has to be decoded as a whole to be compared. */
const mostDecoded = 16 * 1024 * 1024

export async function stands(real: string, found: readonly FoundBytes[], files: ScopedFiles): Promise<boolean> {
  try {
    return await files.read(real, async (file) => file.real === real && (await compare(file.handle, file.facts.size, found)))
  } catch (error) {
    // Refused, gone or unreadable by now: then nothing of it is shown.
    if (error instanceof Error && 'reason_code' in error) return false
    throw error
  }
}

async function compare(handle: FileHandle, size: number, found: readonly FoundBytes[]): Promise<boolean> {
  const sample = Buffer.alloc(Math.min(size, sampleBytes))
  await handle.read(sample, 0, sample.length, 0)
  const form = recognizeText(sample)
  if (form?.bom && form.encoding !== 'utf-8') {
    const text = size > mostDecoded ? null : await decodeExactly(await handle.readFile(), form)
    const plain = Buffer.from(text ?? '')
    return found.every(({ offset, bytes }) => plain.subarray(offset, offset + bytes.length).equals(bytes))
  }
  const start = form?.bom ? 3 : 0
  for (const { offset, bytes } of found) {
    const there = Buffer.alloc(bytes.length)
    const { bytesRead } = await handle.read(there, 0, there.length, start + offset)
    if (bytesRead < there.length || !there.equals(bytes)) return false
  }
  return true
}
