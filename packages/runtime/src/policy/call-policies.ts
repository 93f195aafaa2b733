// What holds for each call: the configured policy of its agent, and the layers that features add to it.
import type { SandboxMode } from '@tandem/contract/tool'
import type { Tool } from '../call/tool.ts'
import type { PolicyLayer, PolicySubject } from '../feature/policy-layer.ts'
import type { LayerNames } from '../journal/step.ts'
import { type LayeredPolicy, layeredPolicy } from './layers.ts'
import { type EffectivePolicy, isOffered, type Policies } from './policies.ts'

/** Whose calls are meant: those of a run, or those of an agent in any run (`run_id` and `workspace` are null). */
export interface PolicyOwner extends Omit<PolicySubject, 'tool'> {
  readonly sandbox_mode: SandboxMode
}

export type PolicyInForce = Omit<EffectivePolicy, 'policy'> & LayeredPolicy

export interface CallPolicies {
  of(owner: PolicyOwner, tool: string): PolicyInForce
  /** The tools that the owner can use at all. */
  offered<Named extends Pick<Tool, 'name' | 'only_asks'>>(owner: PolicyOwner, tools: readonly Named[]): readonly Named[]
  /** The names of the layers that change the policy of at least one of the tools, and of those that were ignored. */
  layersOf(owner: PolicyOwner, tools: readonly { readonly name: string }[]): LayerNames
}

export interface CallPoliciesPorts {
  readonly policies: Pick<Policies, 'of' | 'ofAgent'>
  layers(): readonly PolicyLayer[]
  log(line: string): void
}

export function openCallPolicies({ policies, layers, log }: CallPoliciesPorts): CallPolicies {
  const logged = new Set<string>()

  function layered(owner: PolicyOwner, tool: string, configured: EffectivePolicy): PolicyInForce {
    const { agent_id, run_id, workspace, sandbox_mode } = owner
    const found = layeredPolicy({ ...configured.policy, sandbox_mode }, layers(), { agent_id, tool, run_id, workspace })
    for (const { name, changes } of found.layers.ignored) {
      const line = `the policy layer "${name}" is ignored for ${tool} of agent ${agent_id}: it allows more (${changes.join(', ')}), and no one has approved that`
      if (!logged.has(line)) log(line)
      logged.add(line)
    }
    return { ...configured, ...found }
  }

  return {
    of: (owner, tool) => layered(owner, tool, policies.of(owner.agent_id, tool)),
    offered(owner, tools) {
      const configured = policies.ofAgent(owner.agent_id)
      return tools.filter(({ name, only_asks }) => only_asks || isOffered(layered(owner, name, configured(name)).policy))
    },
    layersOf(owner, tools) {
      const configured = policies.ofAgent(owner.agent_id)
      const all = tools.map((tool) => layered(owner, tool.name, configured(tool.name)).layers)
      const names = (which: 'in_force' | 'ignored') => new Set(all.flatMap((one) => one[which].map(({ name }) => name)))
      return { in_force: [...names('in_force')], ignored: [...names('ignored')] }
    },
  }
}
