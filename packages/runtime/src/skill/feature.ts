import { homedir } from 'node:os'
import type { ListedExecutor } from '@tandem/contract/executor'
import type { MessageAuthor } from '@tandem/contract/run'
import { invokedSkill } from '@tandem/contract/skill'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Feature, RunBinding } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { invalidField, type Rejection } from '../feature/outcome.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { inspectText } from '../policy/untrusted-text.ts'
import { type SkillCommandPorts, skillHandlers } from './commands.ts'
import { configuredFolders, skillFolders } from './roots.ts'
import { openRunSkills, type RunSkills } from './run-skills.ts'
import { type SkillService, skillService } from './service.ts'
import { skillTools } from './tools.ts'

export interface SkillNeeds extends Pick<SkillCommandPorts, 'agents' | 'workspaces'> {
  /** The context window of a model. */
  contextTokens(model: string): Promise<number>
  /** The skills that features bind to a run, in addition to those of its agent. */
  bindings(run: RunRecord): Promise<readonly RunBinding[]>
  /** The remote executors of this device, with their state. */
  executors(): readonly ListedExecutor[]
}

export interface SkillFeature extends Feature {
  /** The folders of its skills that a run can use now. */
  readonly folders: RunSkills['folders']
  /** Refuses a message that starts a skill which cannot be used. */
  refusal(request: StartedMessage): Promise<Rejection | null>
  /** The text that a run got of its skills. */
  readonly textOf: RunSkills['textOf']
  /** The usable skills of this host for a run, and whether they are bound to its agent. */
  known(run: RunRecord): Promise<readonly { readonly name: string; readonly description: string; readonly bound: boolean }[]>
  /** What recommendations of skills need. */
  readonly rollout: Pick<SkillService, 'getSkill' | 'checkText' | 'pinSkill' | 'unbindSkill' | 'folderHash' | 'bindingOf'>
  /** Skills were bound or unbound on another device. */
  bindingsChanged(): void
  /** Remote executors became available or unavailable. */
  abilitiesChanged(): void
}

export interface StartedMessage {
  readonly conversation_id: string
  readonly author: MessageAuthor
  readonly text: string
  readonly sandbox_mode?: SandboxMode
  readonly key?: string
}

/** Skills: what a run gets of the skills bound to its agent, and the tools they restrict it to. */
export function openSkillFeature(ground: FeatureContext, needs: SkillNeeds): SkillFeature {
  const { clock, home, environment, records, journal } = ground
  const { contextTokens, bindings, agents, workspaces, executors } = needs
  const skills = skillService({
    home,
    clock,
    inspect: inspectText,
    records,
    host: { platform: process.platform, user_home: homedir(), environment },
    executors,
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
    folders: runSkills.folders,
    textOf: runSkills.textOf,
    async refusal({ conversation_id, author, text, sandbox_mode, key }) {
      const name = author === 'person' ? invokedSkill(text) : null
      const conversation = journal.conversations.get(conversation_id)
      const agent = conversation && agents.get(conversation.agent_id)?.agent
      if (name === null || !agent || (key !== undefined && journal.startedBy(key))) return null
      const { agent_id, workspace } = conversation
      const mode = sandbox_mode ?? conversation.sandbox_mode ?? agent.sandbox_mode
      const why = await skills.refusalOf({ agent_id, workspace, sandbox_mode: mode }, name)
      return why === null ? null : invalidField('text', `starts with /${name}, but ${why}`, why)
    },
    async known({ agent_id, workspace, sandbox_mode }) {
      const situation = { agent_id, workspace, sandbox_mode }
      const bound = new Set((await skills.listBindings(situation)).map(({ binding }) => binding.skill_name))
      const { skills: found } = await skills.listSkills(situation)
      return found
        .filter(({ skill }) => skill.problems.length === 0)
        .map(({ skill: { name, description } }) => ({ name, description, bound: bound.has(name) }))
    },
    rollout: skills,
    bindingsChanged() {
      skills.forgetCopies()
      runSkills.changed()
    },
    abilitiesChanged: runSkills.changed,
    endRun: runSkills.end,
    stop: runSkills.stop,
  }
}
