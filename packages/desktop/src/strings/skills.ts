// What the place of skills says.
import type { BindingPolicy, SkillRoot } from '@tandem/contract/skill'
import { locale } from './locale.ts'

const count = (number: number, one: string, many: string) => `${number.toLocaleString(locale)} ${number === 1 ? one : many}`

export const skillWords = {
  title: 'Skills',
  lead: 'Folders with a SKILL.md that teach an agent how something is done. They are read, never run, and an agent gets one only when you bind it.',
  none: 'No skills were found. Put a folder with a SKILL.md into .tandem/skills of a workspace or of your home.',
  sums: (found: number, usable: number) => `${count(found, 'skill', 'skills')} found, ${usable.toLocaleString(locale)} can be used here.`,
  notices: 'What the scan did not follow',
  filter: 'Filter skills',
  noMatch: 'Nothing matches.',
  usable: 'can be used',
  notUsable: 'can not be used here',
  odd: 'look twice',
  roots: { workspace: 'of the workspace', user: 'yours', bundled: 'brought along' } satisfies Record<SkillRoot, string>,
  back: 'All skills',
  gone: 'There is no such skill here.',
  problems: 'What is in its way',
  allowed: 'Tools it says it needs',
  license: 'License',
  text: 'What it says, whole',
  files: 'Files beside it',
  agents: 'Agents',
  agentsLead: 'Who is given it, and how much of it.',
  noAgents: 'There are no agents yet.',
  policy: 'How much an agent is given',
  policies: {
    summary_only: 'its name and description',
    on_demand: 'the description; the rest when the agent asks for it',
    always: 'its text from the beginning',
    full: 'its text and files from the beginning',
  } satisfies Record<BindingPolicy, string>,
  bind: (name: string) => `Bind to ${name}`,
  unbind: (name: string) => `Take from ${name}`,
  bound: 'bound',
  reviewed: 'A binding here holds for exactly the text above. When it changes, it is not used until you have read it again.',
  notUsed: 'not used',
  missing: 'It is not on this device.',
  ofAgent: {
    title: 'Skills',
    lead: 'What this agent is taught. A change holds from its next turn on.',
    none: 'No skills are bound to it.',
    manage: 'All skills',
    unbind: 'Unbind',
    unbindNamed: (name: string) => `Unbind ${name}`,
  },
  doing: { bind: 'Binding the skill', unbind: 'Taking the skill away' },
} as const
