// Parses a SKILL.md: the block between its `---` lines, field by field, and the body below it. Skills are written for many clients, so
// whatever can be used is used: a problem prevents that, a note does not.
import type { SkillFrontmatter, SkillProblem, SkillRequirements } from '@tandem/contract/skill'
import { skillProblem } from '@tandem/contract/skill'
import { skillLimits } from './limits.ts'
import { noRequirements, readRequirements, requirementsKey } from './requirements.ts'
import { nameNote, usableName } from './skill-name.ts'
import { repairYaml } from './yaml-repair.ts'

/** The part of the YAML library that is used; it is loaded when the first skill is found. */
export interface Yaml {
  parseDocument: typeof import('yaml').parseDocument
}

export interface ParsedSkill {
  readonly frontmatter: SkillFrontmatter
  readonly body: string
  readonly problems: readonly SkillProblem[]
  readonly notes: readonly string[]
}

/** `folder` is the name of a skill whose own name cannot be read. */
export function parseSkill(text: string, folder: string, yaml: Yaml): ParsedSkill {
  const findings: Findings = { faults: [], notes: [] }
  const parts = split(text)
  const fields = 'fault' in parts ? null : readBlock(parts.block, yaml, findings)
  if ('fault' in parts) findings.faults.push(parts.fault)
  const frontmatter = fields === null ? nothingRead(folder) : readFields(fields, folder, yaml, findings)
  return {
    frontmatter,
    body: parts.body,
    problems: findings.faults.map((fault) => skillProblem('invalid_frontmatter', fault.slice(0, 4_000))),
    notes: findings.notes.map((note) => note.slice(0, 1_000)),
  }
}

export function unreadableSkill(folder: string, fault: string): ParsedSkill {
  return { frontmatter: nothingRead(folder), body: '', problems: [skillProblem('invalid_frontmatter', fault)], notes: [] }
}

interface Findings {
  readonly faults: string[]
  readonly notes: string[]
}

type Fields = Readonly<Record<string, unknown>>

function nothingRead(folder: string): SkillFrontmatter {
  return { name: usableName(folder), description: 'No description.', metadata: [], allowed_tools: [], requires: noRequirements }
}

type Parts = { readonly block: string; readonly body: string } | { readonly fault: string; readonly body: string }

function split(text: string): Parts {
  const plain = text.replace(/^\ufeff/, '').replace(/^(?:[ \t]*\r?\n)+/, '')
  const opening = /^---[ \t]*\r?\n/.exec(plain)
  if (!opening) return { fault: 'it does not begin with a frontmatter, a block between two lines of ---', body: plain }
  const rest = plain.slice(opening[0].length)
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest)
  if (!closing) return { fault: 'the frontmatter has no second line of ---', body: plain }
  return { block: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length).trim() }
}

/** Few aliases, no custom tags, no deep nesting: a YAML bomb is an error like any other. Null if it cannot be read. */
function readBlock(block: string, yaml: Yaml, { faults, notes }: Findings): Fields | null {
  if (block.length > skillLimits.frontmatter_bytes) {
    faults.push(`the frontmatter is longer than ${skillLimits.frontmatter_bytes} bytes`)
    return null
  }
  if (isNested(block)) {
    faults.push('the frontmatter is nested too deeply')
    return null
  }
  const first = readYaml(block, yaml)
  const read = 'error' in first ? readYaml(repairYaml(block, yaml), yaml) : first
  if ('error' in read) {
    faults.push(`the frontmatter is not valid YAML: ${'error' in first ? first.error : read.error}`)
    return null
  }
  if (!isFields(read.value)) {
    faults.push('the frontmatter has no fields')
    return null
  }
  if ('error' in first) notes.push(`The frontmatter is not valid YAML (${first.error}); it was read with quotes around its values.`)
  if (read.repeated) notes.push('A field of the frontmatter is given twice; the last one is used.')
  return read.value
}

/** An alias stands for what was written before; each can multiply it. */
const mostAliases = 10

type ReadYaml = { readonly value: unknown; readonly repeated: boolean } | { readonly error: string }

function readYaml(block: string, yaml: Yaml): ReadYaml {
  try {
    const options = { prettyErrors: false, logLevel: 'silent', schema: 'core' } as const
    const strict = yaml.parseDocument(block, { ...options, uniqueKeys: true })
    const repeated = strict.errors.length > 0 && strict.errors.every(({ code }) => code === 'DUPLICATE_KEY')
    const document = repeated ? yaml.parseDocument(block, { ...options, uniqueKeys: false }) : strict
    const [error] = document.errors
    if (error) {
      // The frontmatter begins in the second line of the file.
      const line = block.slice(0, error.pos[0]).split('\n').length + 1
      return { error: `line ${line}: ${error.message.slice(0, 200)}` }
    }
    return { value: document.toJS({ maxAliasCount: mostAliases }), repeated }
  } catch (error) {
    return { error: error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read' }
  }
}

/** Checked before parsing: the parser would recurse as deep as its stack allows, which is slow. */
function isNested(block: string): boolean {
  const opened = block.match(/[[{]/g)?.length ?? 0
  return opened > 256 || /[[{](?:\s*[[{]){16}|(?:[-?][ \t]+){16}/.test(block)
}

const standardFields = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools', 'allowed_tools', 'requires']

function readFields(fields: Fields, folder: string, yaml: Yaml, findings: Findings): SkillFrontmatter {
  const name = readName(fields.name, folder, findings)
  const description = readDescription(fields.description, findings)
  const metadata = readMetadata(fields.metadata, findings)
  const unknown = Object.keys(fields).filter((field) => !standardFields.includes(field))
  if (unknown.length > 0) findings.notes.push(`Tandem does not use these fields: ${unknown.join(', ')}.`)
  return {
    name,
    description,
    ...optionalText('license', fields.license, findings),
    ...optionalText('compatibility', fields.compatibility, findings, 500),
    metadata,
    allowed_tools: readAllowedTools(fields['allowed-tools'] ?? fields.allowed_tools, findings),
    requires: readRequires(fields, yaml, findings),
  }
}

function readName(value: unknown, folder: string, { notes }: Findings): string {
  const name = typeof value === 'number' ? String(value) : value
  if (typeof name !== 'string' || name.trim() === '') {
    notes.push(`It has no name; it is used as ${usableName(folder)}, after its folder.`)
    return usableName(folder)
  }
  const note = nameNote(name.trim(), folder)
  if (note !== null) notes.push(note)
  return usableName(name.trim())
}

const longestDescription = 1_024

function readDescription(value: unknown, { faults, notes }: Findings): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text.length > longestDescription)
    notes.push(`The description has ${text.length} characters, and the standard allows ${longestDescription}.`)
  if (text !== '') return text
  if (value === undefined || value === null) faults.push('the description is missing')
  else faults.push(typeof value === 'string' ? 'the description is empty' : `the description is ${kindOf(value)}, not text`)
  return 'No description.'
}

function optionalText<Name extends 'license' | 'compatibility'>(
  name: Name,
  value: unknown,
  { notes }: Findings,
  longest = Number.POSITIVE_INFINITY,
): { [Key in Name]?: string } {
  if (value === undefined || value === null || value === '') return {}
  const text = asText(value)
  if (typeof value !== 'string') notes.push(`${name} is ${kindOf(value)}, not text.`)
  if (text.length > longest) notes.push(`${name} has ${text.length} characters, and the standard allows ${longest}.`)
  return { [name]: text } as { [Key in Name]?: string }
}

const mostMetadata = 100

function readMetadata(value: unknown, { notes }: Findings): SkillFrontmatter['metadata'] {
  if (value === undefined || value === null) return []
  if (!isFields(value)) {
    notes.push(`metadata is ${kindOf(value)}, not a map; it is not used.`)
    return []
  }
  const all = Object.entries(value)
  if (all.length > mostMetadata) notes.push(`metadata has ${all.length} entries; the first ${mostMetadata} are used.`)
  return all.slice(0, mostMetadata).map(([name, each]) => ({ name: name.slice(0, 500) || '?', value: asText(each).slice(0, 4_096) }))
}

const mostTools = 100

/** A list, or one line separated by spaces or commas; brackets belong to their word: `Bash(git add *)`. */
function readAllowedTools(value: unknown, { notes }: Findings): string[] {
  if (value === undefined || value === null || value === '') return []
  const words = typeof value === 'string' ? (value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []) : value
  if (!Array.isArray(words)) {
    notes.push(`allowed-tools is ${kindOf(value)}, not a list of tools; it is not used.`)
    return []
  }
  const fitting = words.filter((each): each is string => typeof each === 'string' && each !== '' && each.length <= 500)
  const used = [...new Set(fitting)].slice(0, mostTools)
  if (used.length < new Set(words).size) notes.push(`allowed-tools has entries that are not names of tools, or more than ${mostTools}.`)
  return used
}

/**
 * `metadata` has texts according to the standard, so the requirements may also be YAML in a text. Older skills have them in a field
 * `requires`, which other clients use for other purposes: it counts only if all of it is ours.
 */
function readRequires({ metadata, requires }: Fields, yaml: Yaml, { faults, notes }: Findings): SkillRequirements {
  const where = `metadata.${requirementsKey}`
  const given = isFields(metadata) ? metadata[requirementsKey] : undefined
  if (given !== undefined && given !== null) {
    const parsed = typeof given === 'string' ? readYaml(given, yaml) : { value: given }
    if ('error' in parsed || !isFields(parsed.value)) {
      faults.push(`${where} is not a map`)
      return noRequirements
    }
    const read = readRequirements(parsed.value, where)
    faults.push(...read.faults)
    if (read.unknown.length > 0) notes.push(`Tandem does not know these requirements: ${read.unknown.join(', ')}.`)
    return read.requires
  }
  if (requires === undefined || requires === null) return noRequirements
  const read = isFields(requires) ? readRequirements(requires, 'requires') : null
  if (read && read.faults.length === 0 && read.unknown.length === 0) {
    notes.push(`The field requires is still read, but belongs in ${where}.`)
    return read.requires
  }
  notes.push(`Tandem does not use the field requires of this skill; what Tandem checks is in ${where}.`)
  return noRequirements
}

function asText(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, skillLimits.frontmatter_bytes)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
