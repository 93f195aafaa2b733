// Where a recommendation is checked: the workspace of the run it came from, and the sandbox of its agent.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import type { SkillContext } from '../../skill/service.ts'
import type { RolloutPorts } from './ports.ts'

export function situationOf(
  { journal, agentOf }: Pick<RolloutPorts, 'journal' | 'agentOf'>,
  { run_id, agent_id }: Pick<SkillRecommendation, 'run_id' | 'agent_id'>,
): SkillContext {
  const run = journal.run(run_id)
  return { workspace: run?.workspace ?? null, sandbox_mode: agentOf(agent_id)?.sandbox_mode ?? run?.sandbox_mode ?? 'strict' }
}
