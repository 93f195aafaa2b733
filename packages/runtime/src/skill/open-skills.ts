// Skills, put together from what the runtime has.
import { homedir } from 'node:os'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import { inspectText } from '../policy/untrusted-text.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { configuredFolders, usualFolders } from './roots.ts'
import { openRunSkills, type RunSkills } from './run-skills.ts'
import { type SkillService, skillService } from './service.ts'
import { skillTools } from './tools.ts'

export interface SkillNeeds {
  readonly store: Store
  readonly records: Records
  readonly journal: Journal
  readonly registry: ToolRegistry
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The context window of the model of a run. */
  contextTokens(run: Pick<RunRecord, 'model'>): Promise<number>
}

export interface OpenSkills {
  readonly skills: SkillService
  readonly runSkills: RunSkills
}

export function openSkills({ store, records, journal, registry, environment, contextTokens }: SkillNeeds): OpenSkills {
  const { clock, home } = store
  const skills = skillService({
    clock,
    inspect: inspectText,
    records,
    host: { platform: process.platform, user_home: homedir(), environment },
    executor: () => null,
    folders: (place) =>
      usualFolders({ user_home: homedir(), home, workspace: place, bundled: null, configured: configuredFolders(environment) }),
  })
  const runSkills = openRunSkills({ service: skills, journal, budgetOf: async (run) => Math.floor((await contextTokens(run)) / 10) })
  registry.add(skillTools(skills, runSkills.loaded))
  return { skills, runSkills }
}
