// Takes a recommendation out of use: back to its parent version, or completely. What is on disk is changed after it was recorded, and
// completed at the next start if the process ends in between.
import { dirname } from 'node:path'
import type { SkillRecommendation, SkillVersion } from '@tandem/contract/skill-recommendation'
import type { WorkflowContent } from '@tandem/contract/workflow'
import { crashPoint } from './crashpoint.ts'
import type { CurrentText } from './current-text.ts'
import type { RolloutPorts } from './ports.ts'
import type { Attempt, Moved, Pending, Recommendations } from './record/recommendations.ts'
import { contentHash, type Versions } from './record/versions.ts'
import type { SkillFiles } from './skill-files.ts'

export interface UndoingParts {
  readonly recommendations: Recommendations
  readonly versions: Versions
  readonly files: SkillFiles
  readonly text: CurrentText
}

export interface Undoing {
  rollback(id: string, attempt: Attempt): Promise<Moved>
  retire(id: string, attempt: Attempt): Promise<Moved>
  /** Completes what was begun before the process ended. */
  finish(): Promise<void>
}

export function openUndoing(ports: RolloutPorts, { recommendations, versions, files, text }: UndoingParts): Undoing {
  const { store, skills, workflows, gaps } = ports

  function known(id: string): SkillRecommendation {
    const found = recommendations.get(id)
    if (!found) throw new Error(`there is no recommendation ${id}`)
    return found
  }

  /** Only a binding of this recommendation, or of one of its texts. */
  function unbind({ id, agent_id, skill_name }: SkillRecommendation): void {
    const binding = skill_name === null ? undefined : skills.bindingOf(agent_id, skill_name)
    if (!binding) return
    const own = versions.page({ recommendation_id: id }, null, 1_000).some((one) => one.content_sha256 === binding.pinned_sha256)
    if (own || binding.recommendation_id === id) skills.unbindSkill(agent_id, binding.skill_name)
  }

  function undoWorkflow({ workflow_id }: SkillRecommendation, parent: SkillVersion | undefined): void {
    const workflow = workflow_id === null ? undefined : workflows.records.get(workflow_id)
    if (!workflow) return
    workflows.records.withdraw(workflow.sha256)
    if (!parent) {
      workflows.remove(workflow.workflow_id)
      return
    }
    const content: WorkflowContent = JSON.parse(parent.content)
    const saved = workflows.records.save(content, workflow.workflow_id)
    workflows.records.approve(saved.sha256, { covers_calls: false })
  }

  async function undo(id: string, on: 'rollback' | 'retire', attempt: Attempt): Promise<Moved> {
    const moved = store.transaction<Moved>(() => {
      const before = known(id)
      const current = text.record(before)
      const isLive = before.state === 'live'
      // What was only tried has nothing to return to.
      const parent = isLive && on === 'rollback' && current?.parent_version_id ? versions.get(current.parent_version_id) : undefined
      const done = recommendations.move(id, on, attempt, parent ? { skill_version_id: parent.id } : {})
      if (!done.ok) return done
      if (current) versions.mark(current.id, on === 'rollback' ? 'rolled_back' : 'retired')
      if (before.kind === 'workflow') undoWorkflow(before, parent)
      else unbind(before)
      // The file of a skill that exists is the user's own.
      const isOurs = before.kind === 'local_skill_draft' && (isLive || before.state === 'rolled_back')
      recommendations.setPending(id, isOurs ? (parent ? 'restore' : 'remove') : null)
      if (on === 'retire') gaps.dismiss(before.gap_analysis_id)
      return done
    })
    if (!moved.ok) return moved
    crashPoint(on === 'rollback' ? 'rollback_recorded' : 'recommendation_retired')
    for (const one of recommendations.pending()) if (one.id === id) await finish(one)
    changed(moved.recommendation)
    return moved
  }

  function changed({ kind }: SkillRecommendation): void {
    if (kind === 'workflow') workflows.changed()
    else ports.skillsChanged()
  }

  async function finish({ id, pending }: { readonly id: string; readonly pending: Pending }): Promise<void> {
    const recommendation = known(id)
    const { agent_id, skill_name, skill_version_id, binding_policy, state } = recommendation
    const version = skill_version_id === null ? undefined : versions.get(skill_version_id)
    if (skill_name === null || !version) return recommendations.setPending(id, null)
    const path = files.livePath(skill_name)
    const now = files.read(path)
    const stored = versions.page({ recommendation_id: id }, null, 1_000)
    const isStored = now !== null && stored.some((one) => one.content_sha256 === contentHash(now))
    if (pending === 'restore') {
      // Changed since it was recorded: nothing is overwritten that is not stored.
      if (now !== null && !isStored)
        versions.add({ ...version, parent_version_id: version.id, content: now, summary: 'You changed it by hand' })
      files.write(path, version.content)
      crashPoint('rollback_written')
      const folder_sha256 = await skills.folderHash(dirname(path))
      store.transaction(() => {
        skills.pinSkill({
          agent_id,
          skill_name,
          binding_policy,
          recommendation_id: id,
          pinned_sha256: version.content_sha256,
          folder_sha256,
        })
        recommendations.setPending(id, null)
      })
      return
    }
    // It was not made live in the end, or is no longer: its text is stored as a version. What the user wrote there since stays.
    if (isStored && (pending === 'remove' || state !== 'live')) files.remove(path)
    if (pending === 'remove') crashPoint('rollback_written')
    recommendations.setPending(id, null)
  }

  return {
    rollback: (id, attempt) => undo(id, 'rollback', attempt),
    retire: (id, attempt) => undo(id, 'retire', attempt),
    async finish() {
      for (const one of recommendations.pending()) await finish(one)
    },
  }
}
