// Skills on this device: which were found, their problems, their bindings, and what a run received of them.
import Type, { type Static } from 'typebox'
import { Count, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Sha256, Text } from '../shape.ts'
import { BindingPolicy, Skill, SkillBinding, SkillName, SkillProblem } from '../skill/schema.ts'
import { CompatibilityReport } from '../skill-recommendation/schema.ts'
import { SandboxMode } from '../tool/schema.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'
import { Suspicion } from './mcp-servers.ts'

export const ListedSkill = object({ skill: Skill, suspicions: listOf(Suspicion) })
export type ListedSkill = Static<typeof ListedSkill>

/** A bound skill, including one that is missing on this device. */
export const ListedSkillBinding = object({
  binding: SkillBinding,
  skill: nullable(Skill),
  /** The code of why it is not used here; null if it is used. */
  barrier: nullable(Key),
  title: nullable(Line),
  problems: listOf(SkillProblem),
  /** The files that have changed since it was bound, if they are known. */
  changed_files: listOf(Text),
  /** Why agents get the instructions but not the folder; null if they get it, or nothing. */
  folder_note: nullable(Line),
})
export type ListedSkillBinding = Static<typeof ListedSkillBinding>

const level = oneOf(['summary', 'body', 'full'])

/** What one call of a run's model received of its bound skills. */
export const SkillInjection = object({
  tokens: Count,
  skills: listOf(
    object({
      skill_name: SkillName,
      binding_policy: BindingPolicy,
      level,
      content_sha256: Sha256,
      allowed_tools: listOf(Line),
      tokens: Count,
    }),
  ),
  left_out: listOf(object({ skill_name: SkillName, level, reason: Key, title: Line })),
})
export type SkillInjection = Static<typeof SkillInjection>

/** Where to look: the runtime's workspace if none is given, and the sandbox mode that a run would have. */
const situation = {
  workspace: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
  sandbox_mode: Type.Optional(SandboxMode),
}

export const skillCommands = {
  skill_list: {
    summary: 'List the skills that were found, each with what prevents its use here.',
    params: listParams(situation),
    result: pageOf(ListedSkill),
  },
  skill_check: {
    summary: 'Show how many skills were found, how many can be used here, and what the scan did not follow.',
    params: object(situation),
    result: object({ found: Count, usable: Count, notices: listOf(object({ code: Key, title: Line, path: Text })) }),
  },
  skill_get: {
    summary: 'Show the full text of a skill, to review before assigning it.',
    params: object({ name: SkillName, ...situation }),
    result: object({
      skill: Skill,
      suspicions: listOf(Suspicion),
      text: Type.String(),
      /** All other files in its folder. */
      files: listOf(Text),
      /** Over the text and all files: binding the skill with it covers exactly what was shown. */
      review_sha256: Sha256,
      /** What is in the folder but not available to agents, and why. */
      folder_notes: listOf(Type.String({ minLength: 1, maxLength: 8_192 })),
      /** Whether this host can run it, and why. */
      compatibility: CompatibilityReport,
    }),
  },
  skill_bind: {
    summary: 'Assign a skill to an agent. One from a workspace, or a suspicious one, needs `review_sha256` of what was reviewed.',
    params: object({
      /** The default agent if none is given; it is created if there are no agents yet. */
      agent_id: Type.Optional(Key),
      skill_name: SkillName,
      binding_policy: BindingPolicy,
      reviewed_sha256: nullable(Sha256),
      ...situation,
    }),
    result: object({ binding: ListedSkillBinding }),
  },
  skill_unbind: {
    summary: 'Remove a skill from an agent.',
    params: object({ agent_id: Key, skill_name: SkillName }),
    result: object({ agent_id: Key, skill_name: SkillName }),
  },
  skill_binding_list: {
    summary: 'List the skills assigned to an agent, and why one is not used here.',
    params: listParams({ agent_id: Key, ...situation }),
    result: pageOf(ListedSkillBinding),
  },
  agent_run_get_skills: {
    summary: 'Show which skills the model of a run received last, and what they cost in tokens.',
    params: object({ run_id: Id }),
    result: object({ given: nullable(SkillInjection) }),
  },
} satisfies Record<Exclude<CommandNameIn<'mcp_and_skills'>, `mcp_${string}`>, Command>
