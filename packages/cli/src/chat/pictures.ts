// The pictures that a message names, read to be attached, and why others are not.
import { existsSync } from 'node:fs'
import { type LocalFile, readAttachments } from '../run/attachments.ts'
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
    complaints: read.flatMap((file) => ('complaint' in file ? [`${escapeControls(file.complaint)}.`] : [])),
  }
}
