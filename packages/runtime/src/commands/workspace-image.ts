// An image in the folder of a conversation, for the text that shows it. Only files inside of it, and only what a browser draws without
// running code.
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ShownImageType, shownImageBytes, shownImageTypes } from '@tandem/contract/command'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import { isInside } from '../path/inside.ts'
import { mediaType } from '../tools/fs/media-type.ts'

export interface WorkspaceImage {
  readonly media_type: ShownImageType
  readonly base64: string
}

export async function readWorkspaceImage(workspace: string, named: string): Promise<Outcome<{ image: WorkspaceImage }>> {
  const missing: Outcome<never> = { ok: false, code: 'not_found', message: `there is no image ${named} in the folder of the conversation` }
  const path = pathOf(workspace, named)
  if (path === null) return missing
  try {
    const [folder, real] = await Promise.all([realpath(workspace), realpath(path)])
    if (!isInside(real, folder)) return missing
    // Not blocked by a pipe, and no link: it was resolved.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const seen = await file.stat()
      if (!seen.isFile()) return missing
      if (seen.size > shownImageBytes) {
        return invalidField(
          'path',
          'is too large',
          `${named} is larger than ${shownImageBytes / 1_048_576} MB. Open it in another program.`,
        )
      }
      const bytes = Buffer.alloc(seen.size)
      const { bytesRead } = await file.read(bytes, 0, seen.size, 0)
      const found = mediaType(bytes)
      const media_type = shownImageTypes.find((type) => type === found)
      if (media_type === undefined) return invalidField('path', 'is not an image', `${named} is not a PNG, JPEG, GIF or WebP image`)
      return { ok: true, value: { image: { media_type, base64: bytes.subarray(0, bytesRead).toString('base64') } } }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) return missing
    throw error
  }
}

/** Null for an address that names no file. */
function pathOf(workspace: string, named: string): string | null {
  try {
    if (named.startsWith('file:')) return fileURLToPath(named)
    return resolve(workspace, decodeURIComponent(named))
  } catch {
    // Not valid percent-encoding, or the address of another machine: then it is the name of a file.
    return named.startsWith('file:') ? null : resolve(workspace, named)
  }
}
