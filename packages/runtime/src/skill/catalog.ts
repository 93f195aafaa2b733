// The current skills of this host: found, checked against the host, each name used once.
import { type Skill, skillProblem } from '@tandem/contract/skill'
import type { CompatibilityCheckResult } from '@tandem/contract/skill-recommendation'
import { timestamp } from '../clock/clock.ts'
import type { Suspicion } from '../policy/untrusted-text.ts'
import { checkCompatibility, problemsOf } from './compatibility.ts'
import type { Host } from './host.ts'
import type { SkillFolder } from './roots.ts'
import { type ScanMemory, type ScanNotice, type ScanPorts, scanSkills } from './scan.ts'

export interface CatalogSkill {
  readonly skill: Skill
  readonly folder: string
  readonly flags: readonly Suspicion[]
  /** Whether this host has what it requires, check by check. */
  readonly checks: readonly CompatibilityCheckResult[]
  /** Its SKILL.md, if it is in no folder of skills. */
  readonly text?: string
}

export interface Catalog {
  readonly skills: readonly CatalogSkill[]
  readonly notices: readonly ScanNotice[]
}

export async function readCatalog(folders: readonly SkillFolder[], host: Host, memory: ScanMemory, ports: ScanPorts): Promise<Catalog> {
  const scan = await scanSkills(folders, memory, ports)
  const scanned_at = timestamp(ports.clock.now())
  const skills: CatalogSkill[] = []
  const taken = new Set<string>()
  for (const found of scan.skills) {
    const { frontmatter, problems: faults, notes } = found.parsed
    const checks = await checkCompatibility(frontmatter.requires, host, found.folder)
    const doubles = taken.has(frontmatter.name) ? [skillProblem('duplicate_name', frontmatter.name)] : []
    taken.add(frontmatter.name)
    const problems = [...faults, ...doubles, ...problemsOf(checks)]
    const { root, path, content_sha256, folder, flags } = found
    skills.push({ skill: { ...frontmatter, root, path, content_sha256, problems, notes: [...notes], scanned_at }, folder, flags, checks })
  }
  return { skills, notices: scan.notices }
}

/** The skill of this name: the first one found. A skill of a workspace never replaces one of the user. */
export function skillNamed({ skills }: Catalog, name: string): CatalogSkill | undefined {
  const bearers = skills.filter(({ skill }) => skill.name === name)
  return bearers.find(({ skill }) => !isDuplicate(skill)) ?? bearers[0]
}

function isDuplicate({ problems }: Skill): boolean {
  return problems.some(({ reason }) => reason === 'duplicate_name')
}
