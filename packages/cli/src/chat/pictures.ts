// The pictures that a message names, read to be attached, and what the model does not see of them.
import { existsSync } from 'node:fs'
import { limits } from '@tandem/contract/limits'
import { type LocalAttachment, type LocalFile, readAttachments } from '../run/attachments.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { imagePathsIn } from './image-paths.ts'

export interface Pictures {
  readonly files: readonly LocalFile[]
  readonly complaints: readonly string[]
}

/** A name that is no file here is only a word of the message. */
export function picturesIn(text: string, folder: string): Pictures {
  const read = imagePathsIn(text, folder).filter(existsSync).map(readAttachments)
  return {
    files: read.flatMap((file) => ('bytes' in file ? [file] : [])),
    complaints: read.flatMap((file) => complaintOf(file) ?? []).map(escapeControls),
  }
}

function complaintOf(file: LocalAttachment): string | null {
  if ('complaint' in file) return `Not attached: ${file.complaint}.`
  if (file.bytes.length <= limits.image_bytes) return null
  return `${file.name} is larger than ${limits.image_bytes / 1024 / 1024} MiB: it is attached, but the model cannot see it.`
}
