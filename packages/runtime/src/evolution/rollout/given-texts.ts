// Whether a run had a recommendation: its text was among the skills given to it at any level, or it was offered or started its workflow.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import type { RunRecord } from '../../journal/run-record.ts'
import { readArguments } from '../rule/call-shape.ts'
import type { RolloutPorts } from './ports.ts'
import type { MatchedRuns } from './record/matched-runs.ts'
import type { Versions } from './record/versions.ts'

export function wasGiven(
  { journal, workflows }: Pick<RolloutPorts, 'journal' | 'workflows'>,
  { matched, versions }: { readonly matched: MatchedRuns; readonly versions: Versions },
  { id, skill_name, workflow_id, state }: SkillRecommendation,
  { run_id }: RunRecord,
): boolean {
  if (workflow_id !== null) {
    if (state === 'canary_applied' && matched.given(run_id).includes(id)) return true
    const name = workflows.records.get(workflow_id)?.name.toLowerCase()
    return journal.steps(run_id).some(({ step }) => {
      if (step.kind !== 'tool.call' || step.tool !== 'workflow.start') return false
      const started = String(readArguments(step.arguments).workflow ?? '')
      return started === workflow_id || started.toLowerCase() === name
    })
  }
  const texts = new Set(versions.page({ recommendation_id: id }, null, 1_000).map(({ content_sha256 }) => content_sha256))
  return journal
    .steps(run_id)
    .some(({ here }) => here.skills?.skills.some((given) => given.skill_name === skill_name && texts.has(given.content_sha256)))
}
