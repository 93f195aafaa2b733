// A person denies the same access to the same path again and again: the path is excluded from what the tool may access.
import { resolve } from 'node:path'
import { pathBelow } from '../../../policy/folder-order.ts'
import { type CandidateRule, change, type Proposal, shown, times } from './recommended.ts'
import { type CallHistory, groupBy, isApprovedByPerson, isDeniedByPerson, isSuccess, type RecordedCall } from './recorded-call.ts'

const needed = 3

export const deniedPath: CandidateRule = {
  rule: 'denied_path',
  propose(history) {
    const named = history.calls.flatMap((call) => pathsOf(call).map((path) => ({ call, path })))
    const groups = groupBy(named, ({ call, path }) => `${call.tool}\n${path}`)
    return [...groups.values()].flatMap((group) => {
      const last = group.at(-1)
      const calls = group.map(({ call }) => call)
      return last ? (proposed(history, last.call, last.path, calls) ?? []) : []
    })
  },
}

function proposed(history: CallHistory, { tool, workspace }: RecordedCall, path: string, calls: readonly RecordedCall[]): Proposal | null {
  const denied = calls.filter(isDeniedByPerson)
  if (denied.length < needed || calls.some((call) => isSuccess(call) || isApprovedByPerson(call))) return null
  const { fs_scope } = history.policyOf(tool).policy
  const exclusions = exclusionsFor(fs_scope.roots, workspace, path)
  const globs = [...new Set([...fs_scope.globs, ...exclusions])]
  if (exclusions.some((glob) => glob.length > longestGlob) || globs.length === fs_scope.globs.length || globs.length > mostGlobs)
    return null
  return {
    changes: [change(tool, 'fs_scope', fs_scope, { roots: fs_scope.roots, globs })],
    title: `Exclude ${shown(path)} from what ${tool} may access, because you denied it ${times(denied.length)}.`,
    rationale: `You denied ${tool} on ${shown(path)} ${times(denied.length)} and never allowed it. With this change, such a call is refused without asking you.`,
    because: denied,
    needed,
  }
}

export const longestGlob = 500
export const mostGlobs = 1_000

/** Patterns are relative to their root. A name that contains characters of patterns cannot be excluded exactly. */
export function exclusionsFor(roots: readonly string[], workspace: string, path: string): readonly string[] {
  if (/[*?[\]{}\\!]/.test(path)) return []
  return roots.flatMap((root) => {
    const below = pathBelow(resolve(workspace, root), resolve(workspace, path))
    return below === null || below === 'unknown' || below.length === 0 ? [] : [`!${below.join('/')}`]
  })
}

/** Below the workspace, relative to it. The workspace itself is not excluded. */
function pathsOf({ effects, workspace }: RecordedCall): readonly string[] {
  const paths = effects?.flatMap((effect) => ('path' in effect ? [effect.path] : [])) ?? []
  return [...new Set(paths)].flatMap((path) => {
    const below = pathBelow(workspace, resolve(workspace, path))
    return below === null || below === 'unknown' || below.length === 0 ? [] : [below.join('/')]
  })
}
