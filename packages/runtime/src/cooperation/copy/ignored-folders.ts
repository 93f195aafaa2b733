// Folders that .gitignore excludes: dependencies and what programs generate. They are copied, but not merged.
import { lstatSync, readFileSync } from 'node:fs'
import { compileGlob } from '../../sandbox/files/glob.ts'
import { type IgnoreRules, readIgnoreRules } from '../../sandbox/files/ignore-rules.ts'

const largestFile = 1024 * 1024

/** Whether a path, relative and with forward slashes, is in such a folder. Files that are excluded by themselves are not. */
export function ignoredFolders(root: string): (path: string) => boolean {
  const rules = new Map<string, IgnoreRules | null>()
  const known = new Map<string, boolean>([['', false]])

  function rulesIn(folder: string): IgnoreRules | null {
    const read = rules.get(folder)
    if (read !== undefined) return read
    const found = readRules(`${root}/${folder === '' ? '' : `${folder}/`}.gitignore`)
    rules.set(folder, found)
    return found
  }

  function isIgnored(folder: string): boolean {
    const before = known.get(folder)
    if (before !== undefined) return before
    const ignored = isIgnored(above(folder)) || decided(folder)
    known.set(folder, ignored)
    return ignored
  }

  /** The rules of the nearest folder that has one for it. */
  function decided(folder: string): boolean {
    for (let at = above(folder); ; at = above(at)) {
      const verdict = rulesIn(at)?.ignores(at === '' ? folder : folder.slice(at.length + 1), 'directory')
      if (verdict !== undefined) return verdict
      if (at === '') return false
    }
  }

  return (path) => isIgnored(above(path))
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function readRules(file: string): IgnoreRules | null {
  try {
    const facts = lstatSync(file, { throwIfNoEntry: false })
    if (!facts?.isFile() || facts.size > largestFile) return null
    return readIgnoreRules(readFileSync(file, 'utf8'), compileGlob)
  } catch {
    // Its folder does not exist, or it cannot be read: it excludes nothing.
    return null
  }
}
