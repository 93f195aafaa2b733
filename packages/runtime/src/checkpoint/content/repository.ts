// A repository's own folder (`.git`) is put back like any other files, but whole or not at all: its files refer to each other,
// and half of a commit is a broken repository.
import { dirname, sep } from 'node:path'
import type { RestoreDecision } from '../restore/restore-rule.ts'

const marker = `${sep}.git${sep}`

/** The `.git` folder a path lies in; null outside of one. The outermost counts: submodules live inside their parent's. */
export function repositoryOf(path: string): string | null {
  const at = path.indexOf(marker)
  if (at >= 0) return path.slice(0, at + marker.length - 1)
  return path.endsWith(`${sep}.git`) ? path : null
}

/** `changedByOthers`: the repositories someone else worked in since the run did. */
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
    // Objects that others may refer to by now stay, whatever is chosen; unreferenced ones are only weight.
    if (decision.to === 'absent' && decision.path.startsWith(`${repository}${sep}objects${sep}`)) {
      return hindered(decision, 'unrecoverable', `others worked in ${dirname(repository)} since and may need this object`)
    }
    if (decision.hindrance) return decision
    return hindered(decision, 'conflict', `others worked in the repository ${dirname(repository)} since; it goes back whole or not at all`)
  })
}

function hindered(decision: RestoreDecision, change: 'conflict' | 'unrecoverable', reason: string): RestoreDecision {
  return { ...decision, hindrance: { change, reason } }
}
