// A skill is a folder with a SKILL.md: found by scanning, checked against this host, bound to agents.
export * from './binding.ts'
export * from './invocation.ts'
export * from './reason.ts'
export type { Skill, SkillBinding, SkillFrontmatter, SkillProblem, SkillRequirements } from './schema.ts'
