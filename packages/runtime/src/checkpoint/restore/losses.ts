// What is lost when a path is restored. Listed in the preview and in the result.
import { lostAttributes } from '../content/attributes.ts'
import { type FileImage, type Image, sameContent } from '../content/image.ts'
import type { RestoreDecision } from './restore-rule.ts'

/** `moved`: where contents that were not saved are now. */
export function withLostAttributes(decision: RestoreDecision, moved: ReadonlyMap<string, string>): RestoreDecision {
  const lost = lossesOf(decision, moved.get(decision.path))
  return lost.length > 0 ? { ...decision, lost } : decision
}

function lossesOf({ path, now, to }: RestoreDecision, movedTo: string | undefined): string[] {
  if (to === 'absent' || to.type === 'special') return []
  // A folder that is only recreated for its content, or one of an earlier version.
  if (to.type === 'directory' && to.uid === undefined) return []
  const isUnsaved = to.type === 'file' && to.sha256 === null
  const isCreated = isUnsaved ? movedTo !== undefined && movedTo !== path : isCreatedAgain(now, to)
  return [...(isUnsaved ? unsavedContent(path, movedTo) : []), ...(isCreated ? lostAttributes(to) : [])]
}

function isCreatedAgain(now: Image | 'absent', to: Image): boolean {
  if (now === 'absent' || now.type !== to.type) return true
  return now.type === 'symlink' || (now.type === 'file' && to.type === 'file' && !sameContent(now, to))
}

function unsavedContent(path: string, movedTo: string | undefined): string[] {
  if (movedTo === undefined) return []
  if (movedTo === path) return ['its content was not saved and cannot be compared: only its permissions and owner are restored']
  return [`its content was not saved and cannot be compared: it is restored as it is now at ${movedTo}`]
}

/** The content was not saved. An unchanged modification time with changed permissions or owner suggests `chmod` or `chown`, no more. */
export function isPermissionsOnly(now: FileImage, target: Image): boolean {
  return (
    target.type === 'file' &&
    target.sha256 === null &&
    now.ino === target.ino &&
    now.size === target.size &&
    now.mtime === target.mtime &&
    (now.mode !== target.mode || (target.uid !== undefined && (now.uid !== target.uid || now.gid !== target.gid)))
  )
}
