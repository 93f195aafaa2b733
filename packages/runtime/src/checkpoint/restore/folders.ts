// A folder is removed only if nothing of others is left in it, and a path is restored only into a real folder.
import { dirname } from 'node:path'
import type { FolderImage, ScannedPath } from '../content/image.ts'
import type { RestoreDecision } from './restore-rule.ts'

export interface Disk {
  /** Names in a folder; empty if it is not a folder. */
  children(folder: string): readonly string[]
  typeAt(path: string): 'file' | 'symlink' | 'directory' | 'special' | 'absent'
  seenAt(path: string): ScannedPath
}

/** All decisions; those that are not possible, even with `insist`, get a hindrance. */
export function checkFolders(decisions: readonly RestoreDecision[], insist: boolean, disk: Disk): RestoreDecision[] {
  const done = new Map<string, RestoreDecision>()
  for (const decision of decisions) done.set(decision.path, decision)
  const willBeDone = (decision: RestoreDecision | undefined) =>
    decision !== undefined && (decision.hindrance === null || (insist && decision.hindrance.change === 'conflict'))

  // Deepest first: whether a folder can be removed depends on its content.
  for (const decision of decisions.toSorted((left, right) => right.path.length - left.path.length)) {
    if (!willBeDone(decision) || !leavesFolder(decision)) continue
    const stays = disk.children(decision.path).find((child) => {
      const other = done.get(child)
      return !(other && willBeDone(other) && other.to === 'absent')
    })
    if (stays === undefined) continue
    done.set(decision.path, hindered(decision, `it contains something that does not belong to the run: ${stays}`))
  }

  // From the top: whether something can be restored depends on its parent folder.
  for (const decision of decisions.toSorted((left, right) => left.path.length - right.path.length)) {
    const present = done.get(decision.path)
    if (!present || !willBeDone(present) || present.to === 'absent') continue
    const above = obstacleAbove(present.path, done, willBeDone, disk)
    if (above !== null) done.set(present.path, hindered(present, `${above} is no longer a folder`))
  }
  return decisions.map(({ path }) => done.get(path)).filter((decision) => decision !== undefined)
}

/**
 * Restored files need their folders: those that were not saved are listed as well, with the mode of their parent, and those in conflict are
 * restored too, because an empty folder does no harm.
 */
export function withParentFolders(decisions: readonly RestoreDecision[], insist: boolean, disk: Disk, now: number): RestoreDecision[] {
  const all = new Map(decisions.map((decision) => [decision.path, decision]))
  for (const { path, to, hindrance } of decisions) {
    if (to === 'absent' || (hindrance && !(insist && hindrance.change === 'conflict'))) continue
    const missing: string[] = []
    let above = dirname(path)
    for (; above !== dirname(above) && comesByItself(all.get(above), above, disk); above = dirname(above)) missing.push(above)
    const folder = folderOf(all.get(above)?.to ?? disk.seenAt(above), now)
    for (const one of missing) {
      const known = all.get(one)
      all.set(one, known ? { ...known, hindrance: null } : { path: one, now: 'absent', to: folder, change: 'deleted', hindrance: null })
    }
  }
  return [...all.values()]
}

function comesByItself(decision: RestoreDecision | undefined, path: string, disk: Disk): boolean {
  if (!decision) return disk.typeAt(path) === 'absent'
  const { now, to, hindrance } = decision
  return now === 'absent' && to !== 'absent' && to.type === 'directory' && hindrance?.change === 'conflict'
}

function folderOf(above: ScannedPath, mtime: number): FolderImage {
  const mode = typeof above !== 'string' && above.type === 'directory' ? above.mode : 0o755
  return { type: 'directory', mode, mtime }
}

function leavesFolder({ now, to }: RestoreDecision): boolean {
  return now !== 'absent' && now.type === 'directory' && (to === 'absent' || to.type !== 'directory')
}

function obstacleAbove(
  path: string,
  done: ReadonlyMap<string, RestoreDecision>,
  willBeDone: (decision: RestoreDecision | undefined) => boolean,
  disk: Disk,
): string | null {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const decision = done.get(above)
    if (decision && willBeDone(decision)) {
      if (decision.to !== 'absent' && decision.to.type === 'directory') continue
      return above
    }
    const type = disk.typeAt(above)
    if (type === 'directory') return null
    if (type !== 'absent') return above
  }
  return null
}

function hindered(decision: RestoreDecision, reason: string): RestoreDecision {
  return { ...decision, hindrance: { change: 'unrecoverable', reason } }
}
