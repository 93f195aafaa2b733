// The folder of a bound skill: whether agents can use it, and what has changed since it was bound.
import type { SkillBinding } from '@tandem/contract/skill'
import type { SkillCopies } from './folder-copies.ts'
import { changedFiles, type FileHashes, readFolderFiles, type SkillFile } from './folder-files.ts'

export type BoundFolder =
  /** `path` is a copy with exactly the files that the binding covers. */
  | { readonly state: 'open'; readonly path: string; readonly files: readonly SkillFile[] }
  /** `changed` is empty if it is not known which files these are. */
  | { readonly state: 'changed'; readonly changed: readonly string[] }
  /** Only the instructions can be used. */
  | { readonly state: 'closed'; readonly note: string }

const closedNotes = {
  older:
    'It was assigned before its files were part of the assignment, so agents get only its instructions. Assign it again to include them.',
  too_large: 'Its folder is too large, so agents get only its instructions.',
  no_copy: 'Its files cannot be copied to the folder of Tandem, so agents get only its instructions. Check the free space on the disk.',
} as const

export interface BoundFolderPorts {
  readonly hashes: FileHashes
  readonly copies: SkillCopies
}

/** `folder` is where the skill was found. Its files are compared each time. */
export async function boundFolder(
  { skill_name, folder_sha256 }: Pick<SkillBinding, 'skill_name' | 'folder_sha256'>,
  folder: string,
  { hashes, copies }: BoundFolderPorts,
): Promise<BoundFolder> {
  if (folder_sha256 === undefined) return { state: 'closed', note: closedNotes.older }
  if (folder_sha256 === null) return { state: 'closed', note: closedNotes.too_large }
  const now = await readFolderFiles(folder, hashes)
  if (!now.ok || now.value.sha256 !== folder_sha256) {
    const before = await copies.filesOf(skill_name, folder_sha256)
    return { state: 'changed', changed: now.ok && before ? changedFiles(before, now.value) : [] }
  }
  const path = await copies.open(skill_name, folder, now.value)
  return path === null ? { state: 'closed', note: closedNotes.no_copy } : { state: 'open', path, files: now.value.files }
}

const mostNamed = 5

/** For the end of a sentence: `: SKILL.md, scripts/fill.py and 3 more`. Empty if it is not known which files changed. */
export function namesOfChanged(changed: readonly string[]): string {
  if (changed.length === 0) return ''
  const named = changed.slice(0, mostNamed).map((name) => name.slice(0, 80))
  const more = changed.length - named.length
  return `: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
