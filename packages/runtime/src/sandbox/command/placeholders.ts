// Files and folders that are created so that the sandbox can mount over them: a name that does not exist cannot be protected. They are
// removed when the last command that needs them has ended; if they were removed earlier, their mounts would be lost.
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../../path/inside.ts'

export interface Placeholder {
  readonly path: string
  /** The content of a file; null for an empty folder. */
  readonly text: string | null
}

export interface HeldPlaceholders {
  /** The placeholders that exist now. */
  readonly paths: readonly string[]
  release(): void
}

/** How many commands need each one. Shared by all sandboxes of the process. */
const needed = new Map<string, { readonly placeholder: Placeholder; commands: number }>()

/** `existing` may include placeholders of other commands: they are kept until this command has ended, too. */
export function acquirePlaceholders(missing: readonly Placeholder[], existing: readonly string[]): HeldPlaceholders {
  const made = missing.filter((placeholder) => {
    const parents = missingParents(placeholder.path)
    return [...parents.map((path) => ({ path, text: null })), placeholder].every(make)
  })
  const paths = made.map(({ path }) => path)
  const wanted = [...missing.map(({ path }) => path), ...existing]
  // A folder that was only created for a placeholder is needed as long as it is.
  const held = [...needed.keys()].filter((path) => wanted.some((one) => isInside(one, path)))
  for (const path of held) add(path, 1)
  let released = false
  return {
    paths,
    release() {
      if (released) return
      released = true
      // A folder is removed after its contents.
      for (const path of held.toSorted((one, other) => other.length - one.length)) add(path, -1)
    },
  }
}

function add(path: string, commands: 1 | -1): void {
  const found = needed.get(path)
  if (!found) return
  found.commands += commands
  if (found.commands > 0) return
  needed.delete(path)
  remove(found.placeholder)
}

/** From the outermost. */
function missingParents(path: string): string[] {
  const above = dirname(path)
  return above === path || existsSync(above) ? [] : [...missingParents(above), above]
}

/** False if it cannot be created: then a command, which has no more permissions, cannot create it either. */
function make(placeholder: Placeholder): boolean {
  const { path, text } = placeholder
  try {
    if (!isReal(dirname(path))) return false
    if (text === null) mkdirSync(path)
    else writeFileSync(path, text, { flag: 'wx' })
  } catch {
    if (!isThere(placeholder)) return false
  }
  if (!needed.has(path)) needed.set(path, { placeholder, commands: 0 })
  return true
}

/** With a link in the path, it would be created somewhere else. */
function isReal(folder: string): boolean {
  return realpathSync(folder) === folder
}

/** Left by a crash, or just created by another command or by the user. */
function isThere({ path, text }: Placeholder): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return text === null ? found?.isDirectory() === true : found?.isFile() === true
}

/** If it was replaced in the meantime, it is kept. */
function remove({ path, text }: Placeholder): void {
  try {
    if (text === null) rmdirSync(path)
    else if (lstatSync(path).isFile() && readFileSync(path, 'utf8') === text) unlinkSync(path)
  } catch {
    // It is not empty, or already removed.
  }
}
