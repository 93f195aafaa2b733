// Verifies what a restore wrote: nothing is reported as restored that was not read back from disk.
import { dirname } from 'node:path'
import { attributeFault } from '../content/attributes.ts'
import type { FileImage, Image, ScannedPath } from '../content/image.ts'
import { DiskView, withFoldersOpen } from '../scan/disk.ts'
import type { NotRestored, Operation } from './apply.ts'

/** Paths that are not as they should be, sorted. Type, permissions, content, link target and attributes are compared. */
export function verify(operations: readonly Operation[], hash: (path: string) => FileImage | null): NotRestored[] {
  const folders = [...new Set(operations.map(({ path }) => dirname(path)))]
  return withFoldersOpen(folders, (modes) => {
    const view = new DiskView()
    const wrong: NotRestored[] = []
    for (const { path, to } of operations.toSorted((left, right) => (left.path < right.path ? -1 : 1))) {
      const found = withMode(view.seenAt(path), modes.get(path))
      const reason = shapeFault(found, to) ?? contentFault(path, to, hash)
      if (reason !== null) wrong.push({ path, change: 'unrecoverable', reason })
    }
    return wrong
  })
}

/** A folder that is only open for the verification has the mode it had before. */
function withMode(found: ScannedPath, mode: number | undefined): ScannedPath {
  return mode === undefined || typeof found === 'string' || found.type !== 'directory' ? found : { ...found, mode }
}

const typeNames: Readonly<Record<Image['type'], string>> = {
  file: 'file',
  directory: 'folder',
  symlink: 'link',
  special: 'special file',
}

/** Everything but the content of a file; null if it is correct. */
function shapeFault(found: ScannedPath, to: Image | 'absent'): string | null {
  if (found === 'unseen') return 'it cannot be read, so it was not verified'
  if (to === 'absent') return found === 'absent' ? null : 'it exists again'
  if (found === 'absent') return 'it is missing'
  if (found.type !== to.type) return `it is a ${typeNames[found.type]} and should be a ${typeNames[to.type]}`
  if (found.type === 'symlink' && to.type === 'symlink' && found.link_target !== to.link_target) {
    return `it points to ${found.link_target} and should point to ${to.link_target}`
  }
  if ('mode' in found && 'mode' in to && found.mode !== to.mode) {
    return `its permissions are ${found.mode.toString(8)} and should be ${to.mode.toString(8)}`
  }
  if (found.type === 'file' && to.type === 'file' && found.size !== to.size) return 'its content is different from what was saved'
  return found.type === 'special' || to.type === 'special' ? null : attributeFault(found, to)
}

function contentFault(path: string, to: Image | 'absent', hash: (path: string) => FileImage | null): string | null {
  if (to === 'absent' || to.type !== 'file') return null
  if (to.sha256 === null) return 'its content was not saved, so it was not verified'
  const read = hash(path)
  if (!read) return 'its content could not be read, so it was not verified'
  return read.sha256 === to.sha256 ? attributeFault(read, to) : 'its content is different from what was saved'
}
