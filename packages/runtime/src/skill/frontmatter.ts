// Parses a SKILL.md: the block between its `---` lines, field by field, and the body below it.
import { CapabilityName, ExecutorProtocol } from '@tandem/contract/executor/schema'
import type { SkillFrontmatter, SkillProblem, SkillRequirements } from '@tandem/contract/skill'
import { hostSystems, skillProblem } from '@tandem/contract/skill'
import { sandboxModes } from '@tandem/contract/tool'
import { Check } from 'typebox/value'
import { skillLimits } from './limits.ts'

/** The part of the YAML library that is used; it is loaded when the first skill is found. */
export interface Yaml {
  parseDocument: typeof import('yaml').parseDocument
}

export interface ParsedSkill {
  readonly frontmatter: SkillFrontmatter
  readonly body: string
  readonly problems: readonly SkillProblem[]
}

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

const skillName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** `folder` is the name of a skill whose own name cannot be read. */
export function parseSkill(text: string, folder: string, yaml: Yaml): ParsedSkill {
  const faults: string[] = []
  const { block, body } = split(text)
  const fields = block === null ? {} : readBlock(block, yaml, faults)
  if (block === null) faults.push('the block between two lines of ---')
  const name = readName(fields, faults, block !== null)
  const description = readDescription(fields, faults, block !== null)
  const frontmatter = {
    name: name ?? nameOfFolder(folder),
    description: description ?? 'No description.',
    ...optionalLine('license', fields, faults),
    ...optionalLine('compatibility', fields, faults),
    metadata: readMetadata(fields.metadata, faults),
    allowed_tools: readAllowedTools(fields['allowed-tools'] ?? fields.allowed_tools, faults),
    requires: readRequirements(fields.requires, faults),
  }
  return { frontmatter, body, problems: faults.map((fault) => skillProblem('invalid_frontmatter', fault)) }
}

export function unreadableSkill(folder: string, fault: string): ParsedSkill {
  const frontmatter = {
    name: nameOfFolder(folder),
    description: 'No description.',
    metadata: [],
    allowed_tools: [],
    requires: noRequirements,
  }
  return { frontmatter, body: '', problems: [skillProblem('invalid_frontmatter', fault)] }
}

function split(text: string): { block: string | null; body: string } {
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  const opening = /^---[ \t]*\r?\n/.exec(plain)
  if (!opening) return { block: null, body: plain }
  const rest = plain.slice(opening[0].length)
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest)
  if (!closing) return { block: null, body: plain }
  return { block: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length).trim() }
}

type Fields = Readonly<Record<string, unknown>>

/** No aliases, no custom tags, no deep nesting: a YAML bomb is an error like any other. */
function readBlock(block: string, yaml: Yaml, faults: string[]): Fields {
  if (block.length > skillLimits.frontmatter_bytes) {
    faults.push(`the frontmatter, which is longer than ${skillLimits.frontmatter_bytes} bytes`)
    return {}
  }
  if (isNested(block)) {
    faults.push('the frontmatter, which is nested too deeply')
    return {}
  }
  try {
    const document = yaml.parseDocument(block, { prettyErrors: false, logLevel: 'silent', uniqueKeys: true, schema: 'core' })
    const [error] = document.errors
    if (error) {
      faults.push(`the YAML (${error.message.slice(0, 200)})`)
      return {}
    }
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    if (isFields(value)) return value
    faults.push('the block between two lines of ---')
  } catch (error) {
    faults.push(`the YAML (${error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'})`)
  }
  return {}
}

/** Checked before parsing: the parser would recurse as deep as its stack allows, which is slow. */
function isNested(block: string): boolean {
  const opened = block.match(/[[{]/g)?.length ?? 0
  return opened > 256 || /[[{](?:\s*[[{]){16}|(?:[-?][ \t]+){16}/.test(block)
}

function readName({ name }: Fields, faults: string[], present: boolean): string | null {
  if (typeof name === 'string' && name.length <= 64 && skillName.test(name)) return name
  if (present) faults.push('name')
  return null
}

function readDescription({ description }: Fields, faults: string[], present: boolean): string | null {
  if (typeof description === 'string' && description.trim() !== '' && description.length <= 1_024) return description.trim()
  if (present) faults.push('description')
  return null
}

function optionalLine<Name extends 'license' | 'compatibility'>(name: Name, fields: Fields, faults: string[]): { [Key in Name]?: string } {
  const value = fields[name]
  if (value === undefined || value === null) return {}
  if (typeof value === 'string' && value !== '' && value.length <= 500) return { [name]: value } as { [Key in Name]?: string }
  faults.push(name)
  return {}
}

function readMetadata(value: unknown, faults: string[]): SkillFrontmatter['metadata'] {
  if (value === undefined || value === null) return []
  if (!isFields(value)) {
    faults.push('metadata')
    return []
  }
  return Object.entries(value)
    .slice(0, 100)
    .map(([name, each]) => ({
      name: name.slice(0, 500) || '?',
      value: (typeof each === 'string' ? each : JSON.stringify(each)).slice(0, 4_096),
    }))
}

/** A list, or one line separated by spaces or commas; brackets belong to their word: `Bash(git add *)`. */
function readAllowedTools(value: unknown, faults: string[]): string[] {
  if (value === undefined || value === null) return []
  const words = typeof value === 'string' ? (value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []) : value
  return names(words, 'allowed-tools', faults)
}

function names(value: unknown, field: string, faults: string[]): string[] {
  if (value === undefined || value === null) return []
  const list = typeof value === 'string' ? [value] : value
  const fits = (each: unknown): each is string => typeof each === 'string' && each !== '' && each.length <= 500
  if (Array.isArray(list) && list.length <= 100 && list.every(fits)) return [...new Set(list)]
  faults.push(field)
  return []
}

const systemNames: Readonly<Record<string, string>> = { macos: 'darwin', osx: 'darwin', win32: 'windows' }
const known = new Set(Object.keys(noRequirements))

function readRequirements(value: unknown, faults: string[]): SkillRequirements {
  if (value === undefined || value === null) return noRequirements
  if (!isFields(value)) {
    faults.push('requires')
    return noRequirements
  }
  for (const field of Object.keys(value)) if (!known.has(field)) faults.push(`requires.${field.slice(0, 100)}`)
  const list = (field: keyof SkillRequirements) => names(value[field], `requires.${field}`, faults)
  const flag = (field: keyof SkillRequirements) => {
    if (value[field] !== undefined && typeof value[field] !== 'boolean') faults.push(`requires.${field}`)
    return value[field] === true
  }
  const systems = list('host_os').map((name) => systemNames[name.toLowerCase()] ?? name.toLowerCase())
  const host_os = hostSystems.filter((system) => systems.includes(system))
  if (host_os.length !== new Set(systems).size) faults.push('requires.host_os')
  const sandbox = sandboxModes.find((mode) => mode === value.required_sandbox)
  if (value.required_sandbox !== undefined && value.required_sandbox !== null && !sandbox) faults.push('requires.required_sandbox')
  const protocol = value.remote_executor_protocol
  const spoken = Check(ExecutorProtocol, protocol) ? protocol : null
  if (protocol !== undefined && protocol !== null && spoken === null) faults.push('requires.remote_executor_protocol')
  const capabilities = list('required_remote_capabilities')
  if (!capabilities.every((name) => Check(CapabilityName, name))) faults.push('requires.required_remote_capabilities')
  return {
    host_os,
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
    required_remote_capabilities: capabilities.filter((name) => Check(CapabilityName, name)),
  }
}

function nameOfFolder(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-$/, '')
  return name || 'unnamed'
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
