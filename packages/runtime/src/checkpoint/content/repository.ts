// A repository's own folder (`.git`) is restored like other files, but only as a whole: its files refer to each other, and half of a commit
// is a broken repository.
import { dirname, sep } from 'node:path'
import type { RestoreDecision } from '../restore/restore-rule.ts'

const marker = `${sep}.git${sep}`

/** The `.git` folder that contains the path; null outside of one. The outermost one: submodules are inside their parent's. */
export function repositoryOf(path: string): string | null {
  const at = path.indexOf(marker)
  if (at >= 0) return path.slice(0, at + marker.length - 1)
  return path.endsWith(`${sep}.git`) ? path : null
}

/** `changedByOthers`: whether someone else worked in the repository since the run did. */
export function keepRepositoriesWhole(
  decisions: readonly RestoreDecision[],
  changedByOthers: (repository: string) => boolean,
): RestoreDecision[] {
  const contested = new Map<string, boolean>()
  for (const { path, hindrance } of decisions) {
    const repository = repositoryOf(path)
    if (repository && hindrance) contested.set(repository, true)
    else if (repository && !contested.has(repository)) contested.set(repository, changedByOthers(repository))
  }
  return decisions.map((decision) => {
    const repository = repositoryOf(decision.path)
    if (!repository || !contested.get(repository) || decision.hindrance?.change === 'unrecoverable') return decision
    // Objects that others may refer to by now are kept, whatever is chosen; unreferenced objects only use space.
    if (decision.to === 'absent' && decision.path.startsWith(`${repository}${sep}objects${sep}`)) {
      return hindered(
        decision,
        'unrecoverable',
        `other runs or programs have changed ${dirname(repository)} since then and may need this object`,
      )
    }
    if (decision.hindrance) return decision
    return hindered(
      decision,
      'conflict',
      `other runs or programs have changed the repository ${dirname(repository)} since then; it can only be restored as a whole`,
    )
  })
}

function hindered(decision: RestoreDecision, change: 'conflict' | 'unrecoverable', reason: string): RestoreDecision {
  return { ...decision, hindrance: { change, reason } }
}
