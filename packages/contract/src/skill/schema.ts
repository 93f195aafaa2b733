import Type, { type Static } from 'typebox'
import { CapabilityName, ExecutorProtocol } from '../executor/schema.ts'
import { Flag, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Timestamp } from '../shape.ts'
import { SandboxMode } from '../tool/schema.ts'
import { bindingPolicies, bindingSources, hostSystems, skillRoots } from './binding.ts'
import { skillReasonNames } from './reason.ts'

export const BindingPolicy = oneOf(bindingPolicies)
export const HostSystem = oneOf(hostSystems)

/** Lowercase words joined by single hyphens. The name of a skill that has another one is derived from it. */
export const SkillName = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' })

export const SkillPath = Type.String({ minLength: 1, maxLength: 4_096, description: 'Path of a SKILL.md' })

const Names = listOf(Line, { maxItems: 100 })

/** What the host must offer; empty lists, false and null require nothing. */
export const SkillRequirements = object({
  host_os: listOf(HostSystem),
  workspace_markers: Names,
  required_sandbox: nullable(SandboxMode),
  binaries: Names,
  env: Names,
  paths: Names,
  workspace_write_access: Flag,
  container: Flag,
  virtualenv: Flag,
  remote_host: Flag,
  remote_executor_protocol: nullable(ExecutorProtocol),
  required_remote_capabilities: listOf(CapabilityName, { maxItems: 100 }),
})
export type SkillRequirements = Static<typeof SkillRequirements>

/** As long as a frontmatter block can be: a text that is longer than the standard allows is used all the same. */
const FrontmatterText = Type.String({ minLength: 1, maxLength: 16_384 })

/** The frontmatter block of a SKILL.md; `allowed_tools` is its `allowed-tools`. */
export const SkillFrontmatter = object({
  name: SkillName,
  description: FrontmatterText,
  license: Type.Optional(FrontmatterText),
  compatibility: Type.Optional(FrontmatterText),
  metadata: listOf(object({ name: Line, value: Type.String({ maxLength: 4_096 }) }), { maxItems: 100 }),
  allowed_tools: Names,
  requires: SkillRequirements,
})
export type SkillFrontmatter = Static<typeof SkillFrontmatter>

/** A standardized reason, what it is about, and the remedy. */
export const SkillProblem = object({
  reason: oneOf(skillReasonNames),
  name: Type.String({ minLength: 1, maxLength: 4_096 }),
  title: Line,
  hint: Type.String({ minLength: 1, maxLength: 8_192 }),
})
export type SkillProblem = Static<typeof SkillProblem>

/** A skill that the scan found. It can be used if there are no problems. */
export const Skill = object({
  ...SkillFrontmatter.properties,
  root: oneOf(skillRoots),
  path: SkillPath,
  /** Of its SKILL.md. */
  content_sha256: Sha256,
  problems: listOf(SkillProblem),
  /** What is unusual about it and does not prevent its use, in sentences. */
  notes: listOf(Type.String({ minLength: 1, maxLength: 1_000 })),
  scanned_at: Timestamp,
})
export type Skill = Static<typeof Skill>

/** Payload of an `agent_skill_bindings` entity. Deleting it unbinds the skill. */
export const SkillBinding = object({
  agent_id: Key,
  skill_name: SkillName,
  binding_policy: BindingPolicy,
  source: oneOf(bindingSources),
  recommendation_id: nullable(Id),
  /** The SKILL.md this binding was created for; null in older bindings, which follow it as it changes. */
  pinned_sha256: nullable(Sha256),
  /**
   * Over every file in the folder of the skill. While it matches, agents can read the folder and run what is in it. Absent in older
   * bindings, and null for a folder that is too large: then they get only the instructions.
   */
  folder_sha256: Type.Optional(nullable(Sha256)),
  bound_at: Timestamp,
})
export type SkillBinding = Static<typeof SkillBinding>
