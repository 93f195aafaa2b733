// Whether this host can use a skill: one check per requirement, one reason per check.
import { executorProtocols, negotiateProtocol } from '@tandem/contract/executor'
import { type SkillProblem, type SkillRequirements, skillProblem } from '@tandem/contract/skill'
import { type CompatibilityCheck, compatibilityCheckNames, compatibilityChecks } from '@tandem/contract/skill-recommendation'
import { sandboxModes } from '@tandem/contract/tool'
import type { Host } from './host.ts'

type Check = (requires: SkillRequirements, host: Host, folder: string) => readonly string[] | Promise<readonly string[]>

/** Each returns the names of what is missing. */
const checks: Record<CompatibilityCheck, Check> = {
  host_os: ({ host_os }, { system }) => (host_os.length === 0 || (system && host_os.includes(system)) ? [] : [host_os.join(' or ')]),
  workspace_markers: ({ workspace_markers }, host) => lacking(workspace_markers, (name) => host.hasMarker(name)),
  required_sandbox({ required_sandbox }, { sandbox_mode }) {
    if (required_sandbox === null) return []
    return sandboxModes.indexOf(sandbox_mode) > sandboxModes.indexOf(required_sandbox) ? [required_sandbox] : []
  },
  binaries: ({ binaries }, host) => lacking(binaries, (name) => host.hasBinary(name)),
  env: ({ env }, host) => env.filter((name) => !host.hasVariable(name)),
  paths: ({ paths }, host, folder) => lacking(paths, (path) => host.hasPath(path, folder)),
  async workspace_write_access({ workspace_write_access }, host) {
    return !workspace_write_access || (await host.canWriteWorkspace()) ? [] : [host.workspace ?? 'the workspace']
  },
  container: async ({ container }, host) => (!container || (await host.hasContainers()) ? [] : ['docker or podman']),
  virtualenv: async ({ virtualenv }, host) => (!virtualenv || (await host.hasVirtualenv()) ? [] : ['.venv']),
  remote_host: ({ remote_host }, { executor }) => (!remote_host || executor ? [] : ['this skill']),
  remote_executor_protocol({ remote_executor_protocol }, { executor }) {
    if (remote_executor_protocol === null) return []
    const spoken = executor && negotiateProtocol(executorProtocols, [executor.protocol])
    return spoken === remote_executor_protocol ? [] : [remote_executor_protocol]
  },
  required_remote_capabilities: ({ required_remote_capabilities }, { executor }) =>
    required_remote_capabilities.filter((name) => !executor?.capabilities.includes(name)),
}

export async function compatibilityProblems(requires: SkillRequirements, host: Host, folder: string): Promise<readonly SkillProblem[]> {
  const problems: SkillProblem[] = []
  for (const check of compatibilityCheckNames) {
    for (const name of await checks[check](requires, host, folder)) problems.push(skillProblem(compatibilityChecks[check], name))
  }
  return problems
}

async function lacking(names: readonly string[], has: (name: string) => Promise<boolean>): Promise<string[]> {
  const missing: string[] = []
  for (const name of names) if (!(await has(name))) missing.push(name)
  return missing
}
