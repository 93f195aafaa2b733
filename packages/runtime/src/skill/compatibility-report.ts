// The report of all checks, for a skill that was found or one that is recommended.
import { realpathSync } from 'node:fs'
import { type SkillProblem, skillProblem } from '@tandem/contract/skill'
import {
  type CompatibilityCheckResult,
  type CompatibilityReport,
  compatibilityCheckNames,
  type SkillRecommendation,
} from '@tandem/contract/skill-recommendation'
import { type Clock, timestamp } from '../clock/clock.ts'
import type { Catalog, CatalogSkill } from './catalog.ts'
import { checkCompatibility, problemsOf } from './compatibility.ts'
import type { Host } from './host.ts'

export type RecommendedSkill = Pick<SkillRecommendation, 'skill_path' | 'requires'>

export function reportOf({ skill, checks }: CatalogSkill, clock: Clock): CompatibilityReport {
  return report(checks, skill.path, skill.problems, clock)
}

/** Its `SKILL.md` is resolved first: what is written there counts, not what was planned. `catalog` has only files below the folders of skills. */
export async function reportOfRecommendation(
  { skill_path, requires }: RecommendedSkill,
  host: Host,
  catalog: () => Promise<Catalog>,
  clock: Clock,
): Promise<CompatibilityReport> {
  if (skill_path === null) {
    const checks = await checkCompatibility(requires, host, host.workspace ?? '/')
    return report(checks, null, problemsOf(checks), clock)
  }
  const real = realPath(skill_path)
  const found = real === null ? undefined : (await catalog()).skills.find(({ skill }) => skill.path === real)
  if (found) return reportOf(found, clock)
  const problems = [skillProblem('missing_path', skill_path)]
  const checks = compatibilityCheckNames.map((check): CompatibilityCheckResult => {
    return check === 'paths' ? { check, result: 'failed', problems } : { check, result: 'not_required' }
  })
  return report(checks, null, problems, clock)
}

function report(
  checks: readonly CompatibilityCheckResult[],
  resolved_path: string | null,
  problems: readonly SkillProblem[],
  clock: Clock,
): CompatibilityReport {
  return { compatible: problems.length === 0, resolved_path, checks: [...checks], checked_at: timestamp(clock.now()) }
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    // Missing: the report says so.
    return null
  }
}
