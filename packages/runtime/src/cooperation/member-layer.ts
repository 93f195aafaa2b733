import type { PolicyLayer } from '../feature/policy-layer.ts'
import type { Journal } from '../journal/journal.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'

export interface MemberLayerPorts {
  readonly rows: Pick<MemberRows, 'get'>
  readonly journal: Pick<Journal, 'run'>
}

/** What a member cannot use, because it would reach beyond its own folder or paths. */
export function memberLayer({ rows, journal }: MemberLayerPorts): PolicyLayer {
  /** The servers of an agent are not passed on to members of its own kind, and their programs know nothing of claims. */
  function hasServers({ workspace, parent_run_id }: MemberRecord, agent_id: string): boolean {
    return workspace === 'copy' && journal.run(parent_run_id)?.agent_id !== agent_id
  }

  return {
    name: 'team',
    kind: 'intersection',
    apply(policy, { run_id, agent_id, tool }) {
      const isServer = tool.startsWith('mcp.')
      if (run_id === null || (!isServer && tool !== 'workflow.start')) return policy
      const member = rows.get(run_id)
      // A workflow would work in the folder by itself, without the copy or the paths of the member.
      return !member || (isServer && hasServers(member, agent_id)) ? policy : { ...policy, enabled: false }
    },
  }
}
