// Texts of the skills page.
import type { BindingPolicy, SkillRoot } from '@tandem/contract/skill'
import { locale } from './locale.ts'

const count = (number: number, one: string, many: string) => `${number.toLocaleString(locale)} ${number === 1 ? one : many}`

export const skillWords = {
  title: 'Skills',
  lead: 'Skills are instructions, not code: folders with a SKILL.md. Assign them to agents.',
  none: 'No skills found. Put a folder with a SKILL.md into ~/.tandem/skills, or into .tandem/skills in the workspace.',
  sums: (found: number, usable: number) => `${count(found, 'skill', 'skills')} found, ${usable.toLocaleString(locale)} can be used here.`,
  notices: 'Skipped by the scan',
  filter: 'Filter skills',
  noMatch: 'No matches',
  usable: 'available',
  notUsable: 'not available here',
  odd: 'review',
  roots: { workspace: 'workspace', user: 'yours', bundled: 'built in' } satisfies Record<SkillRoot, string>,
  back: 'All skills',
  gone: 'Skill not found',
  problems: 'Issues',
  allowed: 'Allowed tools',
  license: 'License',
  text: 'Instructions',
  files: 'Other files',
  agents: 'Agents',
  agentsLead: 'Which agents use it, and how much of it they get',
  noAgents: 'No agents yet',
  policy: 'How much the agent gets',
  policies: {
    summary_only: 'name and description',
    on_demand: 'the description; the rest when the agent needs it',
    always: 'the instructions, always',
    full: 'the instructions and files, always',
  } satisfies Record<BindingPolicy, string>,
  bind: (name: string) => `Assign to ${name}`,
  unbind: (name: string) => `Remove from ${name}`,
  bound: 'assigned',
  reviewed: 'An assignment covers exactly the text above. If it changes, the skill is not used until you have reviewed it again.',
  notUsed: 'not used',
  missing: 'Not on this device',
  ofAgent: {
    title: 'Skills',
    lead: 'Skills of this agent. Changes apply to its next turn.',
    none: 'No skills assigned',
    manage: 'All skills',
    unbind: 'Remove',
    unbindNamed: (name: string) => `Remove ${name}`,
  },
  doing: { bind: 'assign the skill', unbind: 'remove the skill' },
} as const
