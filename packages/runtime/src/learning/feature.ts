// Learning: what each run taught, in records that the user can read, and what was proposed because of it.
import type { OutcomeEvaluation, OutcomeVerdict } from '@tandem/contract/learning'
import { isTerminalRunState } from '@tandem/contract/run'
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import type { Agents } from '../agent/agents.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { MemoryFeature } from '../memory/feature.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { Policies } from '../policy/policies.ts'
import type { CommandSandbox } from '../sandbox/command/sandbox.ts'
import { openCandidates } from './candidate/open-candidates.ts'
import { learningHandlers } from './commands.ts'
import { openCycle } from './cycle.ts'
import { type GapCandidates, openGapCandidates } from './gap-candidates.ts'
import { openPatterns } from './pattern/patterns.ts'
import { openEvaluations } from './record/evaluations.ts'
import { openExclusions } from './record/exclusions.ts'
import { openReflections } from './record/reflections.ts'
import { openWritebacks, type Writebacks } from './record/writebacks.ts'

export interface LearningNeeds {
  readonly agents: Pick<Agents, 'get'>
  readonly policies: Policies
  readonly registry: ToolRegistry
  readonly sandbox: Pick<CommandSandbox, 'enforcement'>
  readonly memory: Pick<MemoryFeature, 'background' | 'isCorrected' | 'commit'>
  /** A round of the recommendations of skills. */
  advanceSkills(agent_id: string | null): Promise<readonly SkillRecommendation[]>
}

export interface LearningFeature extends Feature {
  /** What gaps of skill evolution propose. */
  readonly gaps: GapCandidates
  /** Nothing is learned from runs of this agent or in this conversation. */
  isExcluded(run: { readonly agent_id: string; readonly conversation_id: string }): boolean
  /** What a learning cycle was about; null if it is not known. */
  triggerOf(cycle_id: string): OutcomeEvaluation['trigger'] | null
  /** What it proposed to remember, and the user has forgotten. */
  readonly eraseWritebacks: Writebacks['eraseOf']
  /** Null if the run was not evaluated. */
  verdictOf(run_id: string): OutcomeVerdict | null
  /** The user corrected the run. It is evaluated again in the background, and at the latest when the next run of its conversation ends. */
  corrected(run_id: string): void
  /** How a run that has ended went; null if it has not ended, or was not evaluated. */
  outcomeOf(run_id: string): { readonly score: number; readonly safety: number | null; readonly turns: number } | null
}

export function openLearningFeature(ground: FeatureContext, needs: LearningNeeds): LearningFeature {
  const { store, journal, events, lifecycle, clock, life, log } = ground
  const { agents, memory, policies, registry, sandbox } = needs
  const evaluations = openEvaluations(store)
  const reflections = openReflections(store)
  const writebacks = openWritebacks(store)
  const patterns = openPatterns(store)
  const exclusions = openExclusions(store, journal)
  const candidates = openCandidates({
    ...{ store, journal, events, clock, agents, registry, policies, log },
    enforcement: (mode) => sandbox.enforcement(mode),
    advanceSkills: needs.advanceSkills,
  })
  const cycle = openCycle({
    ...{ store, journal, events, lifecycle, evaluations, reflections, writebacks, patterns, candidates, exclusions, life, log },
    // A process for one command does nothing by itself.
    background: life === 'resident' ? memory.background : { ...memory.background, current: () => null },
    isCorrected: memory.isCorrected,
    usual: evaluations.usual,
  })
  return {
    name: 'learning',
    gaps: openGapCandidates({ reflections, writebacks, candidates }),
    isExcluded: ({ agent_id, conversation_id }) => exclusions.has(agent_id, conversation_id),
    eraseWritebacks: writebacks.eraseOf,
    triggerOf: (cycle_id) => evaluations.get(cycle_id)?.trigger ?? null,
    verdictOf: (run_id) => evaluations.ofRun(run_id)?.verdict ?? null,
    corrected: (run_id) =>
      void cycle.revise(run_id).catch((error) => log(`learning: run ${run_id} was not evaluated again: ${String(error)}`)),
    outcomeOf(run_id) {
      const [run, found] = [journal.run(run_id), evaluations.ofRun(run_id)]
      if (!run || !found || found.trigger === 'restored' || !isTerminalRunState(run.state)) return null
      const safety = found.scores.find(({ dimension }) => dimension === 'safety')?.score ?? null
      return { score: found.score, safety, turns: run.turns }
    },
    commands: {
      ...learningHandlers({
        ...{ store, journal, evaluations, reflections, writebacks, patterns, exclusions },
        hasAgent: (agent_id) => agents.get(agent_id) !== undefined,
        candidatesOf: candidates.ofRun,
        commit: memory.commit,
      }),
      ...candidates.commands,
    },
    policy: candidates.layer,
    jobs: life === 'resident' ? [candidates.job] : [],
    on: {
      from: 'beginning',
      hears: {
        run_ended: ({ event_id, data }, signal) => cycle.record(data.run_id, event_id, signal),
        checkpoint_restored: ({ event_id, data }, signal) => cycle.record(data.run_id, event_id, signal),
      },
    },
    status: () => ({ works: true }),
  }
}
