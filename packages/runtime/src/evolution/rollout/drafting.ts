// Writes the draft of a recommendation: a SKILL.md, a workflow, or a note of the skill that exists.
import type { SkillRecommendation, SkillVersion } from '@tandem/contract/skill-recommendation'
import type { WorkflowContent } from '@tandem/contract/workflow'
import { othersFirst } from '../../scheduler/slices.ts'
import { crashPoint } from './crashpoint.ts'
import { askForWording } from './draft-wording.ts'
import type { RolloutPorts } from './ports.ts'
import { readEvidence } from './read-evidence.ts'
import type { PatternRuns } from './record/pattern-runs.ts'
import type { Attempt, Moved, Recommendations } from './record/recommendations.ts'
import type { NewVersion, Versions } from './record/versions.ts'
import type { EvidenceRun } from './rule/evidence.ts'
import type { ReadWording } from './rule/grounded-wording.ts'
import { type Routine, routineOf, skillNameOf } from './rule/routine.ts'
import { requirementsOf, skillText } from './rule/skill-draft.ts'
import { workflowContent, workflowVersionText } from './rule/workflow-draft.ts'
import { situationOf } from './situation.ts'
import type { SkillFiles } from './skill-files.ts'

export interface DraftingParts {
  readonly recommendations: Recommendations
  readonly versions: Versions
  readonly patterns: PatternRuns
  readonly files: SkillFiles
}

/** Why there is no draft is recorded as a validation that failed. */
export type Drafted = Moved & { readonly version?: SkillVersion }

export interface Drafting {
  /** Waits for the wording of a model, if there is one to ask. It takes up to a minute, so nothing else must wait for it. */
  ask(recommendation: SkillRecommendation, signal: AbortSignal): Promise<void>
  /** False until the model was asked. */
  isReady(recommendation: SkillRecommendation): boolean
  draft(recommendation: SkillRecommendation, attempt: Pick<Attempt, 'trigger'>, signal: AbortSignal): Promise<Drafted>
}

const mostRuns = 10

export function openDrafting(ports: RolloutPorts, { recommendations, versions, patterns, files }: DraftingParts): Drafting {
  const { store, gaps, skills, workflows, background, log } = ports
  /** By recommendation: asked for, and answered but not used yet. */
  const asking = new Map<string, Promise<ReadWording>>()
  const answered = new Map<string, ReadWording>()

  function failed({ id }: SkillRecommendation, trigger: Attempt['trigger'], summary: string): Drafted {
    return { ok: true, ...recommendations.note(id, 'draft', 'failed', { trigger, summary }) }
  }

  async function bindExisting(recommendation: SkillRecommendation, trigger: Attempt['trigger']): Promise<Drafted> {
    const { skill_name } = recommendation
    const found = skill_name === null ? null : await skills.getSkill(situationOf(ports, recommendation), skill_name)
    if (!found?.ok || skill_name === null) return failed(recommendation, trigger, `The skill ${skill_name} is not on this device any more.`)
    const { skill, text } = found.value
    return record(recommendation, trigger, `It exists: ${skill.path} is used as it is now.`, {
      version: { ...versionOf(recommendation, text), skill_path: skill.path, summary: `The skill ${skill_name} as it was found` },
      change: { skill_path: skill.path, requires: skill.requires },
    })
  }

  /** In one transaction: the version and the transition. */
  function record(
    { id }: SkillRecommendation,
    trigger: Attempt['trigger'],
    summary: string,
    drafted: { readonly version: NewVersion; readonly change: Parameters<Recommendations['move']>[3] },
    also: () => void = () => undefined,
  ): Drafted {
    const moved = store.transaction<Drafted>(() => {
      // It may have been drafted in the meantime.
      if (recommendations.get(id)?.state !== 'draft_pending') return recommendations.move(id, 'generate_draft', { trigger, summary })
      also()
      const version = versions.add(drafted.version)
      const done = recommendations.move(
        id,
        'generate_draft',
        { trigger, summary },
        { ...drafted.change, skill_version_id: version.id, version },
      )
      return done.ok ? { ...done, version } : done
    })
    crashPoint('draft_recorded')
    return moved
  }

  function versionOf({ id, skill_name }: SkillRecommendation, content: string): NewVersion {
    return {
      ...{ skill_name, workflow_id: null, recommendation_id: id, parent_version_id: null },
      ...{ state: 'draft_generated', skill_path: null, content, summary: 'Draft' },
    }
  }

  function recordWorkflow(recommendation: SkillRecommendation, trigger: Attempt['trigger'], content: WorkflowContent): Drafted {
    const workflow_id = store.newId()
    const drafted = record(
      recommendation,
      trigger,
      'The workflow was drafted. It is on this device only, and marked as a draft.',
      {
        version: { ...versionOf(recommendation, workflowVersionText(content)), workflow_id },
        change: { workflow_id },
      },
      () => {
        workflows.records.save(content, workflow_id)
        workflows.records.mark(workflow_id, recommendation.id)
      },
    )
    workflows.changed()
    return drafted
  }

  /** No other recommendation and no skill of this device has it. */
  async function unusedName(recommendation: SkillRecommendation): Promise<string> {
    const taken = new Set(recommendations.names())
    for (;;) {
      const name = skillNameOf(recommendation.title, taken)
      const found = await skills.getSkill(situationOf(ports, recommendation), name)
      if (!found.ok) return name
      taken.add(name)
    }
  }

  async function writeSkill(
    recommendation: SkillRecommendation,
    trigger: Attempt['trigger'],
    routine: Routine,
    signal: AbortSignal,
  ): Promise<Drafted> {
    const { id, title } = recommendation
    const name = recommendation.skill_name ?? (await unusedName(recommendation))
    const asked = answered.get(id) ?? { ok: false, reason: 'no model was asked' }
    answered.delete(id)
    // The runtime is stopping: the draft is written at the next start.
    if (signal.aborted) return { ok: false, code: 'not_now', message: 'Tandem is stopping.' }
    if (!asked.ok && background.current()) log(`evolution: the wording of a model for recommendation ${id} was rejected: ${asked.reason}`)
    await othersFirst()
    const text = skillText({ name, title, routine, wording: asked.ok ? asked.wording : null })
    const path = files.draftPath(id)
    files.write(path, text)
    crashPoint('draft_written')
    const summary = `The skill was drafted from ${routine.runs} runs${asked.ok ? ', with the wording of your model' : ''}.`
    return record(recommendation, trigger, summary, {
      version: { ...versionOf({ ...recommendation, skill_name: name }, text), skill_path: path },
      change: { kind: 'local_skill_draft', skill_name: name, skill_path: path, requires: requirementsOf(routine) },
    })
  }

  interface Source {
    readonly shapes: readonly string[]
    readonly runs: readonly EvidenceRun[]
    readonly routine: Routine
  }

  async function sourceOf({ gap_analysis_id }: SkillRecommendation): Promise<Source> {
    const signature = gaps.get(gap_analysis_id)?.signature ?? ''
    const shapes = patterns.steps(signature)
    const runs = await readEvidence(
      ports,
      patterns.runs(signature, mostRuns).map(({ run_id }) => run_id),
    )
    return { shapes, runs, routine: routineOf(runs, shapes) }
  }

  async function wordingOf(recommendation: SkillRecommendation, signal: AbortSignal): Promise<ReadWording> {
    const { shapes, runs, routine } = await sourceOf(recommendation)
    const { title, kind } = recommendation
    const isSkill = kind !== 'workflow' || workflowContent({ title, routine, runs, shapes }) === null
    if (!isSkill || routine.steps.length === 0) return { ok: false, reason: 'there is nothing to word' }
    return await askForWording(background, title, routine, signal)
  }

  function needsWording({ state, kind }: SkillRecommendation): boolean {
    return state === 'draft_pending' && kind !== 'bind_existing_skill' && background.current() !== null
  }

  return {
    async ask(recommendation, signal) {
      const { id } = recommendation
      if (!needsWording(recommendation) || answered.has(id)) return
      const asked = asking.get(id) ?? wordingOf(recommendation, signal)
      asking.set(id, asked)
      try {
        const wording = await asked
        // The runtime is stopping: the draft is written at the next start.
        if (!signal.aborted && asking.has(id)) answered.set(id, wording)
      } finally {
        asking.delete(id)
      }
    },
    isReady: (recommendation) => !needsWording(recommendation) || answered.has(recommendation.id),
    async draft(recommendation, { trigger }, signal) {
      if (recommendation.kind === 'bind_existing_skill') return await bindExisting(recommendation, trigger)
      const { shapes, runs, routine } = await sourceOf(recommendation)
      if (routine.steps.length === 0)
        return failed(recommendation, trigger, 'The runs in which it was repeated are not on this device any more.')
      if (recommendation.kind === 'workflow') {
        const content = workflowContent({ title: recommendation.title, routine, runs, shapes })
        if (content) return recordWorkflow(recommendation, trigger, content)
        // Its commands differ each time: an agent has to write them.
      }
      return await writeSkill(recommendation, trigger, routine, signal)
    },
  }
}
