import { homedir } from 'node:os'
import type { Feature, RunBinding } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { inspectText } from '../policy/untrusted-text.ts'
import { type SkillCommandPorts, skillHandlers } from './commands.ts'
import { configuredFolders, skillFolders } from './roots.ts'
import { openRunSkills } from './run-skills.ts'
import { skillService } from './service.ts'
import { skillTools } from './tools.ts'

export interface SkillNeeds extends Pick<SkillCommandPorts, 'agents' | 'workspaces'> {
  /** The context window of a model. */
  contextTokens(model: string): Promise<number>
  /** The skills that features bind to a run, in addition to those of its agent. */
  bindings(run: RunRecord): Promise<readonly RunBinding[]>
}

export interface SkillFeature extends Feature {
  /** Skills were bound or unbound on another device. */
  bindingsChanged(): void
}

/** Skills: what a run gets of the skills bound to its agent, and the tools they restrict it to. */
export function openSkillFeature(ground: FeatureContext, { contextTokens, bindings, agents, workspaces }: SkillNeeds): SkillFeature {
  const { clock, home, environment, records, journal } = ground
  const skills = skillService({
    clock,
    inspect: inspectText,
    records,
    host: { platform: process.platform, user_home: homedir(), environment },
    executor: () => null,
    folders: (place) =>
      skillFolders({ user_home: homedir(), home, workspace: place, bundled: null, configured: configuredFolders(environment) }),
  })
  const runSkills = openRunSkills({
    service: skills,
    journal,
    budgetOf: async ({ model }) => Math.floor((await contextTokens(model)) / 10),
    bindings,
  })
  return {
    name: 'skills',
    tools: skillTools(skills, runSkills),
    commands: skillHandlers({ skills, runSkills, agents, workspaces, journal }),
    policy: runSkills.policy,
    prompt: {
      order: 10,
      has_own_budget: true,
      max_tokens: 1_000_000,
      stable: true,
      text: async (run) => (await runSkills.textFor(run)).text,
      record(run) {
        const given = runSkills.lastGiven(run.run_id)
        return given ? { skills: given } : {}
      },
    },
    bindingsChanged: runSkills.changed,
    endRun: runSkills.end,
    stop: runSkills.stop,
  }
}
