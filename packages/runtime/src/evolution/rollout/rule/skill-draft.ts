// The SKILL.md of a routine, according to the Agent Skills standard. Pure.
import type { SkillRequirements } from '@tandem/contract/skill'
import { noRequirements, requirementsKey } from '../../../skill/requirements.ts'
import { placeholder, type Routine } from './routine.ts'

/** Sentences that a model wrote. They name nothing that is not in the routine. */
export interface Wording {
  readonly description: string
  readonly introduction: string
}

export interface SkillDraft {
  readonly name: string
  readonly title: string
  readonly routine: Routine
  readonly wording: Wording | null
}

const longestDescription = 1_000

export function skillText({ name, title, routine, wording }: SkillDraft): string {
  const required = Object.entries(requirementsOf(routine)).filter(([field, value]) => {
    return JSON.stringify(value) !== JSON.stringify(noRequirements[field as keyof SkillRequirements])
  })
  const metadata =
    required.length === 0 ? [] : ['metadata:', `  ${requirementsKey}: ${quoted(JSON.stringify(Object.fromEntries(required)))}`]
  return [
    '---',
    `name: ${name}`,
    `description: ${quoted(descriptionOf({ title, routine, wording }))}`,
    ...metadata,
    '---',
    '',
    `# ${title}`,
    '',
    wording?.introduction ?? `A routine of the user, from ${routine.runs} runs.`,
    ...section(
      'When to use it',
      routine.requests.map((words) => `- “${words}”`),
    ),
    ...section(
      'Steps',
      routine.steps.map((step, at) => `${at + 1}. ${stepText(step)}`),
    ),
    ...section(
      'What the user asks for as well',
      routine.constraints.map((words) => `- “${words}”`),
    ),
    '',
    `Find out what the request says about each ${placeholder}, and ask if it says nothing.`,
    '',
  ].join('\n')
}

/** By this text a request is compared with it. */
function descriptionOf({ title, routine, wording }: Pick<SkillDraft, 'title' | 'routine' | 'wording'>): string {
  const examples = routine.requests.map((words) => `“${words}”`).join(', ')
  const tools = [...new Set(routine.steps.map(({ tool }) => tool))].join(', ')
  const first = wording?.description ?? `A routine of the user: ${title}.`
  const text = [first, examples === '' ? '' : `Use it for requests like ${examples}.`, tools === '' ? '' : `Uses ${tools}.`]
  return text
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, longestDescription)
}

export function requirementsOf({ binaries, writes }: Pick<Routine, 'binaries' | 'writes'>): SkillRequirements {
  return { ...noRequirements, binaries: [...binaries], workspace_write_access: writes }
}

function stepText({ tool, arguments: args }: Routine['steps'][number]): string {
  const given = args.map(({ name, value }) => `\`${name}\`: \`${value ?? placeholder}\``)
  return given.length === 0 ? `\`${tool}\`` : `\`${tool}\` with ${given.join(', ')}`
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

/** JSON text is YAML, too. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
