// Records what each call of a run changed on disk: the paths that it names, what its checkpoint found, and what was not scanned.
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ListedChanges } from '../../checkpoint/restore/changes.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { isInside } from '../../path/inside.ts'
import type { ReadyCall } from '../../pipeline/prepared-call.ts'
import type { AgentChanges, UnlistedChanges } from '../../policy/agent-changes.ts'
import { resolvePath } from '../../policy/resolved-paths.ts'
import type { CallChanges } from '../ports.ts'

export interface CallChangesPorts {
  readonly changes: Pick<AgentChanges, 'begin' | 'end' | 'moved'>
  /** What a command changed, according to the checkpoint before and after it; null if that is unknown. */
  listChanges(checkpoint_id: string): Promise<ListedChanges | null>
  /** Whether the operating system restricts commands of this call to the workspace. */
  isRestricted(call: ReadyCall, run: RunRecord): boolean
}

export function openCallChanges({ changes, listChanges, isRestricted }: CallChangesPorts): CallChanges {
  /** Null for a call that changes only what it names. */
  function reach(call: ReadyCall, run: RunRecord): string | null {
    const acts = call.effects.some((effect) => effect.does === 'execute' || (effect.does === 'send' && effect.host.startsWith('mcp:')))
    if (!acts) return null
    const { workspace } = run
    const roots = call.policy.fs_scope.roots.map((root) => resolve(workspace, root))
    return isRestricted(call, run) && roots.every((root) => isInside(root, workspace)) ? workspace : '/'
  }

  /** Moving a folder also moves files, which keep their times. */
  function recordMoved(call: ReadyCall, named: readonly string[]): void {
    if (call.tool === 'fs.move') changes.moved(named.filter(isFolder))
  }

  return {
    begin(call_id, call, run) {
      const named = namedPaths(call, run)
      changes.begin(call_id, named, reach(call, run))
      recordMoved(call, named)
    },
    async end(call_id, call, run, checkpoint_id) {
      const named = namedPaths(call, run)
      const real = (await Promise.all(named.map(resolvePath))).flatMap((place) => [place.real, place.entry])
      recordMoved(call, named)
      const below = reach(call, run)
      if (below === null) return changes.end(call_id, real, [])
      const runsOn = (call.input as { readonly background?: unknown } | null)?.background === true
      const listed = checkpoint_id === null || runsOn ? null : await listChanges(checkpoint_id).catch(() => null)
      changes.end(call_id, [...real, ...(listed?.paths ?? [])], unlisted(below, listed))
    },
  }
}

/** Changes outside the folders that the checkpoint scanned in full. */
function unlisted(below: string, listed: ListedChanges | null): readonly UnlistedChanges[] {
  if (listed === null) return [{ below, except: null }]
  const seen = listed.trees.find((tree) => isInside(below, tree)) ?? listed.trees[0] ?? null
  const outside = seen !== null && isInside(below, seen) ? [] : [{ below, except: seen }]
  return [...outside, ...listed.blind.map((folder) => ({ below: folder, except: null }))]
}

function namedPaths({ effects }: ReadyCall, { workspace }: RunRecord): string[] {
  return effects.flatMap((effect) => (effect.does === 'write' || effect.does === 'delete' ? [resolve(workspace, effect.path)] : []))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
