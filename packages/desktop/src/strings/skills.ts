// Texts of the skills page.

import type { BindingPolicy, SkillRoot } from '@tandem/contract/skill'
import type { CompatibilityCheck } from '@tandem/contract/skill-recommendation'
import { translated } from '../language/language.ts'
import { count } from './count.ts'
import { locale } from './locale.ts'

export const skillWords = translated('skills', {
  title: 'Skills',
  lead: 'Skills are instructions with the files they need: folders with a SKILL.md. Assign them to agents.',
  none: 'No skills found. Put a folder with a SKILL.md into ~/.tandem/skills, or into .tandem/skills in the workspace.',
  sums: (found: number, usable: number) => `${count(found, 'skill', 'skills')} found, ${usable.toLocaleString(locale)} can be used here.`,
  notices: 'Skipped by the scan',
  filter: 'Filter skills',
  noMatch: 'No skill matches. Try fewer or other words.',
  usable: 'Available',
  notUsable: 'Not available here',
  odd: 'Needs review',
  noted: 'Notes',
  roots: { workspace: 'Workspace', user: 'Yours', bundled: 'Built in' } satisfies Record<SkillRoot, string>,
  back: 'All skills',
  goneTitle: 'Skill not found',
  gone: (name: string) => `There is no skill named ${name} on this device. Its folder may have been removed.`,
  problems: 'Issues',
  allowed: 'Allowed tools',
  license: 'License',
  text: 'Instructions',
  files: 'Other files',
  filesLead: 'Agents that the skill is assigned to can read these files, and run scripts among them in the sandbox after your approval.',
  compatibility: {
    title: 'Runs on this device',
    yes: 'Yes',
    no: 'No',
    nothing: 'No requirements.',
    problems: 'It has the problems shown above.',
    checks: {
      host_os: 'Operating system',
      workspace_markers: 'Workspace',
      required_sandbox: 'Sandbox',
      binaries: 'Programs',
      env: 'Environment variables',
      paths: 'Files and folders',
      workspace_write_access: 'Write access',
      container: 'Containers',
      virtualenv: 'Virtual environment',
      remote_host: 'Remote host',
      remote_executor_protocol: 'Protocol of the remote host',
      required_remote_capabilities: 'Capabilities of the remote host',
    } satisfies Record<CompatibilityCheck, string>,
  },
  agents: 'Agents',
  agentsLead: 'Which agents use it, and how much of it they get',
  noAgents: 'No agents yet. Assigning the skill creates the default agent.',
  bindFirst: 'Assign',
  policy: 'How much the agent gets',
  policyNames: {
    summary_only: 'Summary only',
    on_demand: 'On demand',
    always: 'Always',
    full: 'Full',
  } satisfies Record<BindingPolicy, string>,
  policies: {
    summary_only: 'The agent gets the name and description.',
    on_demand: 'The agent gets the description, and the rest when it needs it.',
    always: 'The agent always gets the instructions.',
    full: 'The agent always gets the instructions and files.',
  } satisfies Record<BindingPolicy, string>,
  assign: 'Assign',
  remove: 'Remove',
  bind: (name: string) => `Assign to ${name}`,
  bindAgain: (name: string) => `Assign to ${name} again`,
  unbind: (name: string) => `Remove from ${name}`,
  bound: 'Assigned',
  reviewed: (files: number) =>
    files === 0
      ? 'An assignment covers exactly the text above. If it changes, the skill is not used until you assign it again.'
      : 'An assignment covers exactly the text above and the files below. If one of them changes, the skill is not used until you assign it again.',
  notUsed: 'Not used',
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
} as const)
