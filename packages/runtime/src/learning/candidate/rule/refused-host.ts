// A host that is always refused: by the person, then it is removed from the scope; or by the scope although the person asked for it by name
// and approved it, then it is added. Text that a tool returned can have a host called, but never proposed. A pattern such as `*` cannot
// exclude a host, so nothing is proposed for it.
import { underSandboxMode } from '../../../policy/call-policies.ts'
import { coversHosts } from '../../../policy/host-pattern.ts'
import { type CandidateRule, change, type Proposal, shown, times } from './recommended.ts'
import { type CallHistory, groupBy, hostsOf, isApprovedByPerson, isDeniedByPerson, type RecordedCall } from './recorded-call.ts'

const needed = 3
const mostHosts = 1_000
const longestHost = 253

export const refusedHost: CandidateRule = {
  rule: 'refused_host',
  propose(history) {
    const named = history.calls.flatMap((call) => hostsOf(call).map((host) => ({ call, host })))
    return [...groupBy(named, ({ call, host }) => `${call.tool}\n${host}`).values()].flatMap((group) => {
      const [first] = group
      const calls = group.map(({ call }) => call)
      if (!first) return []
      return removed(history, first.call.tool, first.host, calls) ?? added(history, first.call.tool, first.host, calls) ?? []
    })
  },
}

function removed(history: CallHistory, tool: string, host: string, calls: readonly RecordedCall[]): Proposal | null {
  const denied = calls.filter(isDeniedByPerson)
  const { network_scope } = history.policyOf(tool).policy
  const hosts = network_scope.hosts.filter((one) => one !== host)
  if (denied.length < needed || denied.length < calls.length || hosts.length === network_scope.hosts.length) return null
  return {
    changes: [change(tool, 'network_scope', network_scope, { hosts })],
    title: `Remove ${shown(host)} from the hosts of ${tool}, because you denied it ${times(denied.length)}.`,
    rationale: `You denied every call of ${tool} to ${shown(host)}, ${denied.length} in total. With this change, such a call is refused without asking you.`,
    because: denied,
    needed,
  }
}

function added(history: CallHistory, tool: string, host: string, calls: readonly RecordedCall[]): Proposal | null {
  const refused = calls.filter(isOnlyOutOfScope)
  const { policy } = history.policyOf(tool)
  const { network_scope } = policy
  // In `strict`, "every host" does not cover it.
  const isListed = ({ sandbox_mode }: RecordedCall) =>
    coversHosts(underSandboxMode({ ...policy, sandbox_mode }, tool).network_scope.hosts, [host])
  const asked = refused.filter((call) => call.named_hosts.includes(host) && !isListed(call))
  if (asked.length < needed || refused.length < calls.length) return null
  if (host === '*' || host.startsWith('mcp:') || host.length > longestHost || network_scope.hosts.length >= mostHosts) return null
  return {
    changes: [change(tool, 'network_scope', network_scope, { hosts: [...network_scope.hosts, host] })],
    title: `Add ${shown(host)} to the hosts of ${tool}, because you asked for it and approved it ${times(asked.length)}, and the network scope refused it.`,
    rationale: `You named ${shown(host)} and approved ${asked.length} calls of ${tool} to it. All of them were refused, because the host is not in the network scope of the tool.`,
    because: asked,
    needed,
  }
}

/** A person approved the call, and only the network scope of the policy refused it. */
export function isOnlyOutOfScope(call: RecordedCall): boolean {
  return isApprovedByPerson(call) && call.reason_code === 'host_out_of_scope'
}
