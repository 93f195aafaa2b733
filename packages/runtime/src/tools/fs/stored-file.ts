// A file as it stands, for those who change it.

import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { FileVersion } from '../../call/files.ts'

export interface StoredFile {
  readonly real: string
  readonly bytes: Buffer
  readonly version: FileVersion
  readonly sha256: string
}

export interface FoundFile extends Omit<StoredFile, 'bytes'> {
  readonly bytes: Buffer | null
}

/** Larger files are for programs to change, not for a model. */
export const mostBytes = 16 * 1024 * 1024

export async function loadFile(path: string, { files }: ToolContext): Promise<StoredFile> {
  return files.read(path, async ({ real, handle, facts, version }) => {
    if (facts.size > mostBytes) throw tooLarge(path, facts.size)
    const bytes = await handle.readFile()
    return { real, bytes, version, sha256: sha256(bytes) }
  })
}

/** What is about to be replaced: of a large file only its hash. `null` when nothing is there. */
export async function loadFileIfAny(path: string, { files, signal }: ToolContext): Promise<FoundFile | null> {
  try {
    return await files.read(path, async ({ real, handle, facts, version }) => {
      if (facts.size > mostBytes) return { real, bytes: null, version, sha256: await hashOf(handle, signal) }
      const bytes = await handle.readFile()
      return { real, bytes, version, sha256: sha256(bytes) }
    })
  } catch (error) {
    if (error instanceof Error && 'reason_code' in error && error.reason_code === 'not_found') return null
    throw error
  }
}

async function hashOf(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 1024 * 1024, signal })) hash.update(chunk)
  return hash.digest('hex')
}

/** Who names a hash wants to change exactly that text. */
export function expectHash(path: string, stored: FoundFile | null, expected: string | undefined): void {
  if (expected === undefined || stored?.sha256 === expected.toLowerCase()) return
  throw new ToolFailure(
    'changed_since_read',
    `«${path}» is not what was read: its SHA-256 is ${stored?.sha256 ?? 'gone, for it does not exist'}.`,
    {
      subject: path,
      remedy: 'Read it again and repeat the change on what stands there now.',
    },
  )
}

export function tooLarge(path: string, size: number): ToolFailure {
  return new ToolFailure('too_large', `«${path}» has ${size} bytes; at most ${mostBytes} can be changed this way.`, {
    subject: path,
    remedy: 'Change it with a program (script.run), or in smaller files.',
  })
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
