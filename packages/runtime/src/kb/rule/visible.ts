// Who may find what. Pure.
import type { KnowledgeOrigin, KnowledgeOwner } from '@tandem/contract/knowledge'
import { isInside } from '../../path/inside.ts'
import type { AccessScope } from '../../sandbox/files/access-rule.ts'

/** An agent that works in a folder. */
export interface KnowledgeReader {
  readonly agent_id: string
  /** A real path; null if it is not known where the agent works. */
  readonly workspace: string | null
}

export function belongsTo(owner: KnowledgeOwner, { agent_id, workspace }: KnowledgeReader): boolean {
  switch (owner.kind) {
    case 'agent':
      return owner.agent_id === agent_id
    case 'workspace':
      return owner.path === workspace
    case 'everyone':
      return true
  }
}

export type SourceReach = 'all' | 'some' | 'none'

/** How much of a source an agent can read, as far as it is known without its files. What has no path depends on the owner only. */
export function reachOf(origin: KnowledgeOrigin, { roots, globs }: Pick<AccessScope, 'roots' | 'globs'>): SourceReach {
  if (origin.kind === 'url' || origin.kind === 'text') return 'all'
  const { path } = origin
  const around = roots.filter((root) => isInside(path, root))
  if (around.length === 0) return origin.kind === 'folder' && roots.some((root) => isInside(root, path)) ? 'some' : 'none'
  return globs.includes('**') && !globs.some((glob) => glob.startsWith('!')) ? 'all' : 'some'
}
