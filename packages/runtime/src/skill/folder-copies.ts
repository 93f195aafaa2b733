// The copies of skills that agents read and run. A copy is made of exactly the files that a binding covers, so that nothing can be exchanged
// between the check and the use. Commands see it, but cannot change it; whatever else changes it is noticed by its hash.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readPlainFile } from './files.ts'
import { type FileHashes, type FolderFiles, readFolderFiles } from './folder-files.ts'
import { skillLimits } from './limits.ts'

export interface SkillCopies {
  /** Where the copy of a skill with this hash is, or would be. */
  pathOf(skill_name: string, sha256: string): string
  /** The copy of these files, made if it is missing or was changed; null if `folder` no longer contains them. */
  open(skill_name: string, folder: string, files: FolderFiles): Promise<string | null>
  /** What the copy contains: for finding out what has changed since it was made. Null if there is none. */
  filesOf(skill_name: string, sha256: string): Promise<FolderFiles | null>
  /** Removes the copies of all other hashes. */
  keepOnly(sha256s: ReadonlySet<string>): void
}

/** `home` is Tandem's folder. */
export function openSkillCopies(home: string, hashes: FileHashes): SkillCopies {
  const root = join(realpathSync.native(home), 'skill-copies')
  const making = new Map<string, Promise<string | null>>()

  // The path is part of what a model reads, so it is short. The whole hash is compared at every use.
  const folderOf = (sha256: string) => join(root, sha256.slice(0, 16))
  const pathOf = (skill_name: string, sha256: string) => join(folderOf(sha256), skill_name)

  async function filesOf(skill_name: string, sha256: string): Promise<FolderFiles | null> {
    const read = await readFolderFiles(pathOf(skill_name, sha256), hashes)
    return read.ok && read.value.sha256 === sha256 ? read.value : null
  }

  async function make(skill_name: string, folder: string, files: FolderFiles): Promise<string | null> {
    const target = pathOf(skill_name, files.sha256)
    if (await filesOf(skill_name, files.sha256)) return target
    const draft = join(root, `new-${randomBytes(8).toString('hex')}`)
    try {
      for (const { name, executable } of files.files) {
        const opened = readPlainFile(realpathSync.native(join(folder, name)), skillLimits.folder_bytes)
        if (!opened.ok) return null
        const path = join(draft, name)
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        writeFileSync(path, opened.bytes ?? '', { flag: 'wx', mode: executable ? 0o500 : 0o400 })
      }
      const made = await readFolderFiles(draft, new Map())
      if (!made.ok || made.value.sha256 !== files.sha256) return null
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      rmSync(target, { recursive: true, force: true })
      renameSync(draft, target)
      return target
    } catch {
      // Its files are being changed, or the disk is full: the skill is then used without its folder.
      return null
    } finally {
      rmSync(draft, { recursive: true, force: true })
    }
  }

  return {
    pathOf,
    filesOf,
    async open(skill_name, folder, files) {
      const target = pathOf(skill_name, files.sha256)
      const made = making.get(target) ?? make(skill_name, folder, files).finally(() => making.delete(target))
      making.set(target, made)
      return await made
    },
    keepOnly(sha256s) {
      const kept = new Set([...sha256s].map(folderOf))
      for (const name of namesIn(root)) {
        const path = join(root, name)
        if (!kept.has(path) && making.size === 0) rmSync(path, { recursive: true, force: true })
      }
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No copy was made yet.
    return []
  }
}
