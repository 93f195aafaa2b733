// All files of a source as they are now. Nothing is read: only their times and sizes.

import { sep } from 'node:path'
import { limits } from '@tandem/contract/limits'
import type { FileImage } from '../../checkpoint/content/image.ts'
import { type WalkResult, walk } from '../../checkpoint/scan/walk.ts'
import type { FileRules } from './file-rules.ts'

export interface FoundFile {
  /** Relative to the source, with forward slashes. */
  readonly name: string
  readonly path: string
  readonly isSecret: boolean
  /** A page or a pasted text, in a private file. */
  readonly isCopy?: true
  readonly stats: FileTimes
}

/** By these it is known whether a file has changed. */
export interface FileTimes {
  readonly size: number
  readonly mtime: number
  readonly ctime: number
  readonly ino: number
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** Folders that could not be entered, relative to the source. */
  readonly closed: readonly string[]
  /** False if there are more files than a source may have: what was not found may still be there. */
  readonly isWhole: boolean
}

export interface FindOptions {
  readonly root: string
  /** Tandem's own folder is never entered. */
  readonly home: string
  readonly rules: FileRules
  elapsed(): number
  canceled(): boolean
}

const budget = { files: limits.large_scope_files, ms: 120_000 }
const nothingKnown = { get: () => undefined, folder: () => undefined }

export function findFiles({ root, home, rules, elapsed, canceled }: FindOptions): FoundFiles {
  const walked: WalkResult = walk([root], {
    ...{ home, budget, elapsed, canceled, known: nothingKnown },
    enters: rules.entered,
    skips: rules.skips,
  })
  // All of them are below the root.
  const nameOf = (path: string) => (sep === '/' ? path.slice(root.length + 1) : path.slice(root.length + 1).replaceAll(sep, '/'))
  const files: FoundFile[] = []
  for (const [path, image] of walked.images) {
    if (image.type === 'file') files.push({ name: nameOf(path), path, isSecret: rules.isSecret(path), stats: timesOf(image) })
  }
  const closed = walked.notes
    .list()
    .filter(({ cause }) => cause === 'unreadable')
    .flatMap(({ paths }) => paths.map(nameOf))
  return { files, closed, isWhole: walked.whole }
}

function timesOf({ size, mtime, ctime, ino }: FileImage): FileTimes {
  return { size, mtime, ctime, ino }
}
