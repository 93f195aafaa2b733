// Whether this host can use a skill: one check per requirement, one reason per check.
import { executorProblem, type ListedExecutor } from '@tandem/contract/executor'
import { type SkillProblem, type SkillRequirements, skillProblem } from '@tandem/contract/skill'
import {
  type CompatibilityCheck,
  type CompatibilityCheckResult,
  compatibilityCheckNames,
  compatibilityChecks,
} from '@tandem/contract/skill-recommendation'
import { sandboxModes } from '@tandem/contract/tool'
import type { Found, Host } from './host.ts'

/** What a check found, in sentences, and the problems with what is missing. Null if the skill does not require it. */
interface Checked {
  readonly found: readonly string[]
  readonly problems: readonly SkillProblem[]
}
type Check = (requires: SkillRequirements, host: Host, folder: string) => Checked | null | Promise<Checked | null>

const checks: Record<CompatibilityCheck, Check> = {
  host_os({ host_os }, { system }) {
    if (host_os.length === 0) return null
    return system && host_os.includes(system) ? found(`This device runs ${system}.`) : missing('host_os', host_os.join(' or '))
  },
  workspace_markers: ({ workspace_markers }, host) =>
    each(
      'workspace_markers',
      workspace_markers,
      (name) => host.marker(name),
      (_, where) => `The workspace contains ${where}.`,
    ),
  required_sandbox({ required_sandbox }, { sandbox_mode }) {
    if (required_sandbox === null) return null
    return sandboxModes.indexOf(sandbox_mode) > sandboxModes.indexOf(required_sandbox)
      ? missing('required_sandbox', required_sandbox)
      : found(`The sandbox mode is ${sandbox_mode}.`)
  },
  binaries: ({ binaries }, host) =>
    each(
      'binaries',
      binaries,
      (name) => host.binary(name),
      (name, where) => `${name} is ${where}.`,
    ),
  env: ({ env }, host) =>
    each(
      'env',
      env,
      async (name) => (host.hasVariable(name) ? name : null),
      (name) => `${name} is set.`,
    ),
  paths: ({ paths }, host, folder) =>
    each(
      'paths',
      paths,
      (path) => host.path(path, folder),
      (_, where) => `${where} exists.`,
    ),
  async workspace_write_access({ workspace_write_access }, host) {
    if (!workspace_write_access) return null
    return (await host.canWriteWorkspace())
      ? found(`${host.workspace} is writable.`)
      : missing('workspace_write_access', host.workspace ?? 'the workspace')
  },
  container: async ({ container }, host) =>
    container ? one('container', 'docker or podman', await host.containers(), (where) => `${where} can run containers.`) : null,
  virtualenv: async ({ virtualenv }, host) =>
    virtualenv ? one('virtualenv', '.venv', await host.virtualenv(), (where) => `${where} is a virtual environment.`) : null,
  remote_host(requires, { executors }) {
    if (!requires.remote_host) return null
    const chosen = chooseExecutor(requires, executors)
    return chosen ? found(`${chosen.name} is available.`) : { found: [], problems: [remoteHostProblem(executors)] }
  },
  remote_executor_protocol(requires, { executors }) {
    const { remote_executor_protocol } = requires
    if (remote_executor_protocol === null) return null
    const chosen = chooseExecutor(requires, executors)
    return chosen && chosen.protocol === remote_executor_protocol
      ? found(`${chosen.name} uses ${chosen.protocol}.`)
      : missing('remote_executor_protocol', remote_executor_protocol)
  },
  required_remote_capabilities(requires, { executors }) {
    const { required_remote_capabilities } = requires
    const chosen = chooseExecutor(requires, executors)
    return each(
      'required_remote_capabilities',
      required_remote_capabilities,
      async (name) => (chosen?.capabilities.includes(name) ? chosen.name : null),
      (name, where) => `${where} offers ${name}.`,
    )
  },
}

const longestReason = 4_000

/** Every check, in the order of the contract. */
export async function checkCompatibility(requires: SkillRequirements, host: Host, folder: string): Promise<CompatibilityCheckResult[]> {
  const results: CompatibilityCheckResult[] = []
  for (const check of compatibilityCheckNames) {
    const checked = await checks[check](requires, host, folder)
    if (checked === null) results.push({ check, result: 'not_required' })
    else if (checked.problems.length === 0)
      results.push({ check, result: 'passed', because: checked.found.join(' ').slice(0, longestReason) })
    else results.push({ check, result: 'failed', problems: [...checked.problems] })
  }
  return results
}

export function problemsOf(results: readonly CompatibilityCheckResult[]): readonly SkillProblem[] {
  return results.flatMap((one) => (one.result === 'failed' ? one.problems : []))
}

interface AvailableExecutor {
  readonly name: string
  readonly protocol: string
  readonly capabilities: readonly string[]
}

/** One executor must have everything: the one that lacks the least, the first one of several. */
export function chooseExecutor(
  {
    remote_executor_protocol,
    required_remote_capabilities,
  }: Pick<SkillRequirements, 'remote_executor_protocol' | 'required_remote_capabilities'>,
  executors: readonly ListedExecutor[],
): AvailableExecutor | null {
  const lacks = ({ protocol, capabilities }: AvailableExecutor) =>
    (remote_executor_protocol === null || protocol === remote_executor_protocol ? 0 : 1_000) +
    required_remote_capabilities.filter((name) => !capabilities.includes(name)).length
  const available = executors.flatMap(({ name, state, negotiation }) => {
    if (state !== 'ready' || negotiation?.outcome !== 'negotiated') return []
    return [{ name, protocol: negotiation.protocol, capabilities: negotiation.capabilities.map((one) => one.name) }]
  })
  return available.toSorted((left, right) => lacks(left) - lacks(right))[0] ?? null
}

/** With the reason and the time of the next attempt if there are executors, none of which is available. */
function remoteHostProblem(executors: readonly ListedExecutor[]): SkillProblem {
  const problem = skillProblem('needs_remote_host', 'this skill')
  if (executors.length === 0) return problem
  return {
    ...problem,
    hint: executors
      .map((executor) => `${executor.name}: ${executorProblem(executor)}`)
      .join(' ')
      .slice(0, 8_000),
  }
}

async function each(
  check: CompatibilityCheck,
  names: readonly string[],
  look: (name: string) => Promise<Found>,
  tell: (name: string, where: string) => string,
): Promise<Checked | null> {
  if (names.length === 0) return null
  const told: string[] = []
  const problems: SkillProblem[] = []
  for (const name of names) {
    const where = await look(name)
    if (where === null) problems.push(skillProblem(compatibilityChecks[check], name))
    else told.push(tell(name, where))
  }
  return { found: told, problems }
}

function one(check: CompatibilityCheck, name: string, where: Found, tell: (where: string) => string): Checked {
  return where === null ? missing(check, name) : found(tell(where))
}

function found(...sentences: readonly string[]): Checked {
  return { found: sentences, problems: [] }
}

function missing(check: CompatibilityCheck, name: string): Checked {
  return { found: [], problems: [skillProblem(compatibilityChecks[check], name)] }
}
