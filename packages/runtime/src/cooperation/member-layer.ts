import type { PolicyLayer } from '../feature/policy-layer.ts'
import type { Journal } from '../journal/journal.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'

export interface MemberLayerPorts {
  readonly rows: Pick<MemberRows, 'get'>
  readonly journal: Pick<Journal, 'run'>
  /** Whether a tool belongs to a server of the folder, and not of the agent. */
  isOfFolder(tool: string): boolean
}

/** What a member cannot use, because it would reach beyond its own folder or paths. */
export function memberLayer({ rows, journal, isOfFolder }: MemberLayerPorts): PolicyLayer {
  /** The servers of an agent are not passed on to members of its own kind, and their programs know nothing of claims. */
  function hasServer({ workspace, parent_run_id }: MemberRecord, agent_id: string, tool: string): boolean {
    return workspace === 'copy' && (isOfFolder(tool) || journal.run(parent_run_id)?.agent_id !== agent_id)
  }

  return {
    name: 'team',
    kind: 'intersection',
    apply(policy, { run_id, agent_id, tool }) {
      const isServer = tool.startsWith('mcp.')
      if (run_id === null || (!isServer && tool !== 'workflow.start')) return policy
      const member = rows.get(run_id)
      // A workflow would work in the folder by itself, without the copy or the paths of the member.
      return !member || (isServer && hasServer(member, agent_id, tool)) ? policy : { ...policy, enabled: false }
    },
  }
}
