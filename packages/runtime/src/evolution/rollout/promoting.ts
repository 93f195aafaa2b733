// Makes a recommendation live: its text in the user's folder of skills, bound by its hash; or its workflow without the mark of a draft.
import { dirname } from 'node:path'
import type { SkillRecommendation, SkillVersion } from '@tandem/contract/skill-recommendation'
import { crashPoint } from './crashpoint.ts'
import type { RolloutPorts } from './ports.ts'
import type { Attempt, Moved, RecommendationChange, Recommendations } from './record/recommendations.ts'
import { contentHash, type Versions } from './record/versions.ts'
import type { SkillFiles } from './skill-files.ts'

export interface PromotingParts {
  readonly recommendations: Recommendations
  readonly versions: Versions
  readonly files: SkillFiles
}

export interface Promoting {
  promote(recommendation: SkillRecommendation, attempt: Attempt): Promise<Moved>
  /** The user has a skill of this name that is not of this recommendation. */
  isTaken(recommendation: SkillRecommendation): boolean
}

export function openPromoting(ports: RolloutPorts, { recommendations, versions, files }: PromotingParts): Promoting {
  const { store, skills, workflows } = ports

  function record(
    { id }: SkillRecommendation,
    version: SkillVersion,
    attempt: Attempt,
    also: () => void,
    change: RecommendationChange = {},
  ): Moved {
    const moved = store.transaction<Moved>(() => {
      const done = recommendations.move(id, 'promote_to_live', attempt, change)
      if (!done.ok) return done
      also()
      versions.mark(version.id, 'live')
      recommendations.setPending(id, null)
      return done
    })
    crashPoint('live_recorded')
    return moved
  }

  async function promoteSkill(
    recommendation: SkillRecommendation,
    version: SkillVersion,
    skill_name: string,
    attempt: Attempt,
  ): Promise<Moved> {
    const { id, agent_id, binding_policy, kind } = recommendation
    const path = kind === 'local_skill_draft' ? files.livePath(skill_name) : (version.skill_path ?? '')
    if (kind === 'local_skill_draft') {
      store.transaction(() => recommendations.setPending(id, 'write'))
      files.write(path, version.content)
      crashPoint('live_written')
    } else if (contentHash(files.read(path) ?? '') !== version.content_sha256)
      return { ok: false, code: 'not_now', message: `The skill at ${path} has changed since it was tested. Retire this recommendation.` }
    const folder_sha256 = await skills.folderHash(dirname(path))
    const bind = () =>
      skills.pinSkill({ agent_id, skill_name, binding_policy, recommendation_id: id, pinned_sha256: version.content_sha256, folder_sha256 })
    const moved = record(recommendation, version, attempt, bind, { skill_path: path })
    ports.skillsChanged()
    return moved
  }

  function promoteWorkflow(recommendation: SkillRecommendation, version: SkillVersion, attempt: Attempt): Moved {
    const workflow = recommendation.workflow_id === null ? undefined : workflows.records.get(recommendation.workflow_id)
    if (!workflow) return { ok: false, code: 'not_now', message: 'Its workflow was deleted. Retire this recommendation.' }
    const moved = record(recommendation, version, attempt, () => {
      workflows.records.mark(workflow.workflow_id, null)
      workflows.records.approve(workflow.sha256, { covers_calls: false })
    })
    workflows.changed()
    return moved
  }

  return {
    async promote(recommendation, attempt) {
      const { id, skill_version_id, skill_name } = recommendation
      const version = skill_version_id === null ? undefined : versions.get(skill_version_id)
      if (!version) throw new Error(`recommendation ${id} has no text`)
      return skill_name === null
        ? promoteWorkflow(recommendation, version, attempt)
        : await promoteSkill(recommendation, version, skill_name, attempt)
    },
    isTaken({ id, agent_id, skill_name, kind }) {
      if (skill_name === null) return false
      const binding = skills.bindingOf(agent_id, skill_name)
      if (binding && binding.recommendation_id !== id) return true
      const there = kind === 'local_skill_draft' ? files.read(files.livePath(skill_name)) : null
      return (
        there !== null && !versions.page({ recommendation_id: id }, null, 1_000).some((one) => one.content_sha256 === contentHash(there))
      )
    },
  }
}
