// Verifies that a match of ripgrep is really in the file at that path. ripgrep walks by name, and a folder that is replaced by a link at the
// right moment would lead it outside; our own file access cannot be misled.

import type { FileHandle } from 'node:fs/promises'
import type { ScopedFiles } from '../../call/files.ts'
import { decodeExactly, recognizeText, sampleBytes } from './text-file.ts'

export interface MatchBytes {
  /** In UTF-8 and without a byte order mark, as in ripgrep. */
  readonly offset: number
  readonly bytes: Uint8Array
}

/** UTF-16 must be decoded completely for the comparison. */
const mostDecoded = 16 * 1024 * 1024

export async function isMatchInFile(real: string, found: readonly MatchBytes[], files: ScopedFiles): Promise<boolean> {
  try {
    return await files.read(real, async (file) => file.real === real && (await compare(file.handle, file.facts.size, found)))
  } catch (error) {
    // Refused, missing or unreadable by now: nothing of it is shown.
    if (error instanceof Error && 'reason_code' in error) return false
    throw error
  }
}

async function compare(handle: FileHandle, size: number, found: readonly MatchBytes[]): Promise<boolean> {
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
