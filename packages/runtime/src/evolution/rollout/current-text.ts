// The text of a recommendation as it is now: what a user changed by hand becomes a version, and nothing is overwritten.
import type { SkillRecommendation, SkillVersion } from '@tandem/contract/skill-recommendation'
import type { RolloutPorts } from './ports.ts'
import type { Recommendations } from './record/recommendations.ts'
import { contentHash, type Versions } from './record/versions.ts'
import { workflowVersionText } from './rule/workflow-draft.ts'
import type { SkillFiles } from './skill-files.ts'

export interface CurrentText {
  /** In a transaction of the caller. The current version, which is new if the text was changed by hand. */
  record(recommendation: SkillRecommendation): SkillVersion | undefined
  /** The same for a text that was read before. */
  keep(recommendation: SkillRecommendation, content: string | null): SkillVersion | undefined
}

/** In the other states, nothing that a user could change is in use. */
const ownStates: readonly SkillRecommendation['state'][] = ['draft_generated', 'live']

export function openCurrentText(
  { workflows }: Pick<RolloutPorts, 'workflows'>,
  {
    recommendations,
    versions,
    files,
  }: { readonly recommendations: Recommendations; readonly versions: Versions; readonly files: SkillFiles },
): CurrentText {
  function read({ kind, workflow_id, skill_path }: SkillRecommendation): string | null {
    if (kind !== 'workflow') return skill_path === null ? null : files.read(skill_path)
    const workflow = workflow_id === null ? undefined : workflows.records.get(workflow_id)
    return workflow ? workflowVersionText(workflow) : null
  }

  function keep(recommendation: SkillRecommendation, content: string | null): SkillVersion | undefined {
    const { id, skill_name, workflow_id, skill_path, skill_version_id, state, kind } = recommendation
    const version = skill_version_id === null ? undefined : versions.get(skill_version_id)
    if (!version || content === null || contentHash(content) === version.content_sha256) return version
    const added = versions.add({
      ...{ skill_name, workflow_id, recommendation_id: id, parent_version_id: version.id, state, skill_path, content },
      summary: kind === 'bind_existing_skill' ? 'The skill was changed' : 'You changed it by hand',
    })
    recommendations.setVersion(id, added.id)
    return added
  }

  return {
    keep,
    record: (recommendation) => keep(recommendation, ownStates.includes(recommendation.state) ? read(recommendation) : null),
  }
}
