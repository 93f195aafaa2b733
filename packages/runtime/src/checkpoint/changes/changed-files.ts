// What a user sees of the paths that runs changed: files with their change, renames as one, and what can be undone. Pure.
import type { ChangedFile } from '@tandem/contract/command'
import type { FileImage, Image } from '../content/image.ts'
import { repositoryOf } from '../content/repository.ts'
import type { RestoreDecision } from '../restore/restore-rule.ts'

/** A file, and the decisions that undo its change: two for a renamed one. */
export interface FileChange {
  readonly file: ChangedFile
  readonly decision: RestoreDecision
  readonly origin: RestoreDecision | null
}

/** `hashOf`: the hash of a file as it is now; null if it cannot be read or is too large. Called only if a rename depends on it. */
export function changedFiles(decisions: readonly RestoreDecision[], hashOf: (path: string) => string | null): readonly FileChange[] {
  const listed = decisions.filter((decision) => repositoryOf(decision.path) === null && !isFolderOnly(decision))
  const origins = renames(listed, hashOf)
  const moved = new Set(origins.values())
  return listed.filter((decision) => !moved.has(decision)).map((decision) => toChange(decision, origins.get(decision) ?? null))
}

export function countChanges(changes: readonly FileChange[]): Record<ChangedFile['change'], number> {
  const counts = { added: 0, changed: 0, removed: 0, renamed: 0 }
  for (const { file } of changes) counts[file.change] += 1
  return counts
}

const words = { created: 'added', changed: 'changed', deleted: 'removed' } as const

function toChange(decision: RestoreDecision, origin: RestoreDecision | null): FileChange {
  const { path, now, change } = decision
  const before = origin ? origin.to : decision.to
  const shown = now === 'absent' ? before : now
  const type = shown === 'absent' ? 'absent' : shown.type === 'special' ? 'file' : shown.type
  const [left, right] = [modeOf(before), modeOf(now)]
  const obstacle = decision.hindrance ?? origin?.hindrance ?? null
  const file: ChangedFile = {
    path,
    type,
    change: origin ? 'renamed' : words[change],
    ...(origin ? { from: origin.path } : {}),
    ...(left !== null && right !== null && left !== right ? { mode: { before: left, after: right } } : {}),
    size: { before: sizeOf(before), after: sizeOf(now) },
    undo: obstacle === null ? 'possible' : obstacle.change === 'conflict' ? 'conflict' : 'impossible',
    ...(obstacle ? { reason: obstacle.reason } : {}),
    ...(decision.background || origin?.background ? { background: true as const } : {}),
    ...(decision.running || origin?.running ? { running: true as const } : {}),
  }
  return { file, decision, origin }
}

/** By the file that was created: the one that it was before. Each file is used once. */
function renames(decisions: readonly RestoreDecision[], hashOf: (path: string) => string | null): Map<RestoreDecision, RestoreDecision> {
  const removed = decisions.flatMap((decision) => {
    const { to, now } = decision
    return now === 'absent' && to !== 'absent' && to.type === 'file' && to.size > 0 ? [{ decision, image: to }] : []
  })
  const byInode = new Map(removed.map((one) => [inodeOf(one.image), one.decision]))
  const byHash = new Map(removed.flatMap(({ image, decision }) => (image.sha256 === null ? [] : [[image.sha256, decision] as const])))
  const sizes = new Set(removed.flatMap(({ image }) => (image.sha256 === null ? [] : [image.size])))
  const found = new Map<RestoreDecision, RestoreDecision>()
  const used = new Set<RestoreDecision>()
  for (const decision of decisions) {
    const { now, to, path } = decision
    if (to !== 'absent' || now === 'absent' || now.type !== 'file' || now.size === 0) continue
    const sha256 = now.sha256 ?? (sizes.has(now.size) && !byInode.has(inodeOf(now)) ? hashOf(path) : null)
    const origin = byInode.get(inodeOf(now)) ?? (sha256 === null ? undefined : byHash.get(sha256))
    if (!origin || used.has(origin)) continue
    used.add(origin)
    found.set(decision, origin)
  }
  return found
}

function inodeOf({ ino, size, mtime }: FileImage): string {
  return `${ino}:${size}:${mtime}`
}

/** Folders are not listed: they come and go with their files. */
function isFolderOnly({ now, to }: RestoreDecision): boolean {
  return [now, to].every((image) => image === 'absent' || image.type === 'directory')
}

function modeOf(image: Image | 'absent'): number | null {
  return image !== 'absent' && image.type === 'file' ? image.mode : null
}

function sizeOf(image: Image | 'absent'): number | null {
  return image !== 'absent' && image.type === 'file' ? image.size : null
}
