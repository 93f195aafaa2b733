// Files that tools create for a run: in its temp folder, with safe names.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolContext } from '../../call/context.ts'

export interface StoredToolFile {
  readonly file: string
  readonly sha256: string
}

export async function storeFile({ temp, ids }: ToolContext, name: string, bytes: Uint8Array): Promise<StoredToolFile> {
  const folder = join(temp, 'files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${ids.call_id}-${safeName(name)}`)
  // An existing file belongs to another call; `wx` also refuses to follow a link.
  await writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
  return { file, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** An untrusted file name, without separators, control characters, leading dots or excess length. */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .replace(/^[.\s]+/, '')
    .trim()
  if (plain === '') return 'file'
  const dot = plain.lastIndexOf('.')
  const ending = dot > 0 ? plain.slice(dot).slice(0, 16) : ''
  return `${plain.slice(0, dot > 0 ? dot : undefined).slice(0, 60)}${ending}`
}
