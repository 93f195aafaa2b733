// What does not come back with a path that is restored. The preview lists it, and so does the result.
import type { FileImage, Image } from './image.ts'
import type { RestoreDecision } from './restore-rule.ts'

/** `moved`: where contents that were not saved are now. */
export function withLosses(decision: RestoreDecision, moved: ReadonlyMap<string, string>): RestoreDecision {
  const lost = lossesOf(decision, moved.get(decision.path))
  return lost.length > 0 ? { ...decision, lost } : decision
}

function lossesOf({ path, to }: RestoreDecision, movedTo: string | undefined): string[] {
  if (to === 'absent' || to.type !== 'file') return []
  if (movedTo === undefined || to.sha256 !== null) return []
  if (movedTo === path) return ['its content was not saved and cannot be compared: only its permissions are restored']
  return [`its content was not saved and cannot be compared: it is restored as it is now at ${movedTo}`]
}

/** The content was not saved; that the modification time stayed and the permissions did not suggests `chmod`, but proves nothing. */
export function isPermissionsOnly(now: FileImage, target: Image): boolean {
  return (
    target.type === 'file' &&
    target.sha256 === null &&
    now.ino === target.ino &&
    now.size === target.size &&
    now.mtime === target.mtime &&
    now.mode !== target.mode
  )
}
