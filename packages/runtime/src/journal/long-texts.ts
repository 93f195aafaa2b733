// Text that is too long for a row: its beginning is in the row, the full text in a file in Tandem's own folder.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewId } from '../clock/id.ts'

/** The maximum length of a text in a synchronized entity. */
const longestText = 65_536

export interface StoredText {
  readonly text: string
  readonly file_id?: string
}

export interface LongTexts {
  /** Returns when the file is on disk, so that a row never refers to a missing file. */
  keep(text: string): StoredText
  /** Writes a file, however short the text is; returns the file's id. */
  keepFile(text: string): string
  read(file_id: string): string
  /** Undefined if it is not on this device: text written on another device is downloaded later. */
  find(file_id: string): string | undefined
  path(file_id: string): string
}

export function openLongTexts(home: string, newId: NewId): LongTexts {
  const folder = join(home, 'outputs')
  const path = (file_id: string) => join(folder, `${file_id}.txt`)

  function keepFile(text: string): string {
    const file_id = newId()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const arriving = `${path(file_id)}.part`
    writeFileSync(arriving, text, { mode: 0o600, flush: true })
    renameSync(arriving, path(file_id))
    syncFolder(folder)
    return file_id
  }

  return {
    keep: (text) => (text.length <= longestText ? { text } : { text: beginning(text), file_id: keepFile(text) }),
    keepFile,
    read: (file_id) => readFileSync(path(file_id), 'utf8'),
    find(file_id) {
      try {
        return readFileSync(path(file_id), 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    path,
  }
}

/** The directory entry must also be on disk. Windows does this by itself and cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Never splits a surrogate pair. */
function beginning(text: string): string {
  const cut = text.slice(0, longestText)
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}
