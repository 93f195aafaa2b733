// The current skills of this host: found, checked against the host, each name used once.
import { type Skill, skillProblem } from '@tandem/contract/skill'
import { timestamp } from '../clock/clock.ts'
import type { Suspicion } from '../policy/untrusted-text.ts'
import { compatibilityProblems } from './compatibility.ts'
import type { Host } from './host.ts'
import type { SkillFolder } from './roots.ts'
import { type ScanMemory, type ScanNotice, type ScanPorts, scanSkills } from './scan.ts'

export interface CatalogSkill {
  readonly skill: Skill
  readonly folder: string
  readonly flags: readonly Suspicion[]
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
    const { frontmatter, problems: faults } = found.parsed
    const lacks = await compatibilityProblems(frontmatter.requires, host, found.folder)
    const doubles = taken.has(frontmatter.name) ? [skillProblem('duplicate_name', frontmatter.name)] : []
    taken.add(frontmatter.name)
    const problems = [...faults, ...doubles, ...lacks]
    const { root, path, content_sha256 } = found
    skills.push({ skill: { ...frontmatter, root, path, content_sha256, problems, scanned_at }, folder: found.folder, flags: found.flags })
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
