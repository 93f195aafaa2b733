// What a skill requires of its host: `tandem-requires` in its metadata.
import { CapabilityName, ExecutorProtocol } from '@tandem/contract/executor/schema'
import { hostSystems, type SkillRequirements } from '@tandem/contract/skill'
import { sandboxModes } from '@tandem/contract/tool'
import { Check } from 'typebox/value'

export const requirementsKey = 'tandem-requires'

export const noRequirements: SkillRequirements = {
  host_os: [],
  workspace_markers: [],
  required_sandbox: null,
  binaries: [],
  env: [],
  paths: [],
  workspace_write_access: false,
  container: false,
  virtualenv: false,
  remote_host: false,
  remote_executor_protocol: null,
  required_remote_capabilities: [],
}

export interface ReadRequirements {
  readonly requires: SkillRequirements
  /** Values that cannot be read: what they require is not known, so the skill cannot be used. */
  readonly faults: readonly string[]
  /** Fields that Tandem does not know. */
  readonly unknown: readonly string[]
}

const systemNames: Readonly<Record<string, string>> = { macos: 'darwin', osx: 'darwin', win32: 'windows' }
const known = new Set(Object.keys(noRequirements))

/** `value` is a map. `where` is its name in messages. */
export function readRequirements(value: Readonly<Record<string, unknown>>, where: string): ReadRequirements {
  const faults: string[] = []
  const fault = (field: keyof SkillRequirements, what: string) => faults.push(`${where}.${field} ${what}`)
  const list = (field: keyof SkillRequirements): string[] => {
    const given = value[field] ?? []
    const all = typeof given === 'string' ? [given] : given
    const fits = (each: unknown): each is string => typeof each === 'string' && each !== '' && each.length <= 500
    if (Array.isArray(all) && all.length <= 100 && all.every(fits)) return [...new Set(all)]
    fault(field, 'is not a list of at most 100 names')
    return []
  }
  const flag = (field: keyof SkillRequirements) => {
    if (value[field] !== undefined && typeof value[field] !== 'boolean') fault(field, 'is neither true nor false')
    return value[field] === true
  }
  const systems = list('host_os').map((name) => systemNames[name.toLowerCase()] ?? name.toLowerCase())
  const strange = systems.filter((system) => !hostSystems.some((one) => one === system))
  if (strange.length > 0) fault('host_os', `names ${strange.join(', ')}; possible are ${hostSystems.join(', ')}`)
  const sandbox = sandboxModes.find((mode) => mode === value.required_sandbox)
  if (value.required_sandbox !== undefined && value.required_sandbox !== null && !sandbox)
    fault('required_sandbox', `is none of ${sandboxModes.join(', ')}`)
  const protocol = value.remote_executor_protocol
  const spoken = Check(ExecutorProtocol, protocol) ? protocol : null
  if (protocol !== undefined && protocol !== null && spoken === null) fault('remote_executor_protocol', 'is not the name of a protocol')
  const capabilities = list('required_remote_capabilities')
  const named = capabilities.filter((name) => Check(CapabilityName, name))
  if (named.length < capabilities.length) fault('required_remote_capabilities', 'contains something that is not the name of a capability')
  const requires: SkillRequirements = {
    host_os: hostSystems.filter((system) => systems.includes(system)),
    workspace_markers: list('workspace_markers'),
    required_sandbox: sandbox ?? null,
    binaries: list('binaries'),
    env: list('env'),
    paths: list('paths'),
    workspace_write_access: flag('workspace_write_access'),
    container: flag('container'),
    virtualenv: flag('virtualenv'),
    remote_host: flag('remote_host'),
    remote_executor_protocol: spoken,
    required_remote_capabilities: named,
  }
  return { requires, faults, unknown: Object.keys(value).filter((field) => !known.has(field)) }
}
