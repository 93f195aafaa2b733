// Whether a draft can be used: the standard, what it requires of this device, hidden or instructing text, and what its agent may do.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type SkillProblem, skillProblem } from '@tandem/contract/skill'
import type { CompatibilityReport, SkillRecommendation } from '@tandem/contract/skill-recommendation'
import { noRequirements } from '../../skill/requirements.ts'
import type { RolloutPorts } from './ports.ts'
import type { Concern } from './rule/next-step.ts'
import { type AgentLimits, askedPermissions } from './rule/permissions.ts'
import { workflowVersionText } from './rule/workflow-draft.ts'
import { situationOf } from './situation.ts'
import type { SkillFiles } from './skill-files.ts'

export interface Checked {
  /** Why it cannot be used; empty if it can. */
  readonly reasons: readonly string[]
  readonly problems: readonly SkillProblem[]
  readonly report: CompatibilityReport | null
  readonly concerns: readonly Concern[]
  readonly requires: SkillRecommendation['requires']
  /** As it is now; null if it is missing. */
  readonly content: string | null
  /** The same as long as neither the draft nor the device changes. */
  readonly key: string
}

export function openValidating(ports: RolloutPorts, files: Pick<SkillFiles, 'read'>) {
  const { skills, workflows, policies } = ports

  function limitsOf(agent_id: string): AgentLimits {
    const sandbox_mode = ports.agentOf(agent_id)?.sandbox_mode ?? 'strict'
    return { sandbox_mode, tools: ports.toolNames(), policyOf: (tool) => policies.of(agent_id, tool).policy }
  }

  function checkWorkflow({ agent_id, workflow_id, requires }: SkillRecommendation): Checked {
    const workflow = workflow_id === null ? undefined : workflows.records.get(workflow_id)
    if (!workflow) return missing('The draft of the workflow was deleted.', requires)
    const { definition } = workflow
    const issues = workflows.issuesOf(definition, workflow_id).map(({ pointer, message }) => `${pointer}: ${message}`)
    const tools = definition.nodes.flatMap((node) => (node.kind === 'tool' ? [node.tool] : []))
    const { forbidden } = askedPermissions(tools, noRequirements, limitsOf(agent_id))
    const content = workflowVersionText(workflow)
    const reasons = [...issues, ...forbidden.map(notAllowed)]
    return { reasons, problems: [], report: null, concerns: [], requires, content, key: keyOf([content, reasons]) }
  }

  /** Its file is read first: what is written there counts, not what was planned. */
  async function checkSkill(recommendation: SkillRecommendation): Promise<Checked> {
    const { skill_name, skill_path, agent_id, kind, requires } = recommendation
    const content = skill_path === null ? null : files.read(skill_path)
    if (content === null || skill_path === null || skill_name === null) {
      const none = missing(`There is no file at ${skill_path}.`, requires)
      return { ...none, problems: [skillProblem('missing_path', skill_path ?? 'SKILL.md')] }
    }
    const situation = situationOf(ports, recommendation)
    const { skill, flags, report } = await skills.checkText(situation, { name: skill_name, path: skill_path, text: content })
    const { forbidden, more } = askedPermissions(skill.allowed_tools, skill.requires, limitsOf(agent_id))
    const reasons = [
      ...(skill.name === skill_name ? [] : [`Its name is ${skill.name}, not ${skill_name}.`]),
      ...skill.problems.map(({ title, name }) => `${title}: ${name}.`),
      ...flags.filter(({ grave }) => grave).map(({ title }) => `${title}.`),
      ...forbidden.map(notAllowed),
    ]
    const found: Readonly<Record<Concern, boolean>> = {
      scripts: hasOtherFiles(skill_path),
      permissions: more,
      not_yours: kind === 'bind_existing_skill',
    }
    const concerns = (['scripts', 'permissions', 'not_yours'] as const).filter((concern) => found[concern])
    const { checked_at: _at, ...compatibility } = report
    const key = keyOf([content, reasons, compatibility])
    return { reasons, problems: skill.problems, report, concerns, requires: skill.requires, content, key }
  }

  return {
    check: async (recommendation: SkillRecommendation): Promise<Checked> =>
      recommendation.kind === 'workflow' ? checkWorkflow(recommendation) : await checkSkill(recommendation),
  }
}

function missing(reason: string, requires: SkillRecommendation['requires']): Checked {
  return { reasons: [reason], problems: [], report: null, concerns: [], requires, content: null, key: keyOf([reason]) }
}

function notAllowed(tool: string): string {
  return `The agent must not use ${tool}.`
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function hasOtherFiles(path: string): boolean {
  return readdirSync(dirname(path)).some((name) => name !== 'SKILL.md')
}
