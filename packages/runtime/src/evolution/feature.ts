// Skill evolution: what users repeat, what is missing because of it, and what is proposed, tested and used because of that.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Recall } from '../recall/recall.ts'
import { evolutionHandlers } from './commands.ts'
import { editedFilesOf } from './edited-files.ts'
import { type EvolutionPorts, openEvolution } from './evolution.ts'
import { type GapCandidatePorts, openGapResults, shownResult } from './gap-results.ts'
import { noMeanings, openMeanings } from './meanings.ts'
import { openGaps } from './record/gaps.ts'
import { openRunLiterals } from './record/run-literals.ts'
import { openSayings } from './record/sayings.ts'
import { openTraces } from './record/traces.ts'
import { rolloutHandlers } from './rollout/commands.ts'
import { openMatching } from './rollout/matching.ts'
import type { RolloutPorts } from './rollout/ports.ts'
import { openMatchedRuns } from './rollout/record/matched-runs.ts'
import { openPatternRuns } from './rollout/record/pattern-runs.ts'
import { openPromotingAgents } from './rollout/record/promoting-agents.ts'
import { openRecommendations } from './rollout/record/recommendations.ts'
import { openVersions } from './rollout/record/versions.ts'
import { openRollout } from './rollout/rollout.ts'

export interface EvolutionNeeds
  extends Pick<EvolutionPorts, 'isExcluded' | 'skillsFor' | 'triggerOf'>,
    Pick<RolloutPorts, 'skills' | 'skillsChanged' | 'workflows' | 'policies' | 'toolNames' | 'agentOf' | 'outcomeOf' | 'background'> {
  /** What gaps that are no matter of skills propose. */
  readonly gapCandidates: GapCandidatePorts
  readonly checkpoints: Pick<Checkpoints, 'list' | 'preview' | 'hasTarget'>
  readonly recall: Pick<Recall, 'embedder'>
}

export interface EvolutionFeature extends Feature {
  /** A round that a user asked for. Returns what changed. */
  advance(agent_id: string | null): Promise<readonly SkillRecommendation[]>
  /** The user has forgotten words of these messages. */
  eraseSayings(message_ids: readonly string[]): void
}

const round_ms = 10 * 60_000

export function openEvolutionFeature(ground: FeatureContext, needs: EvolutionNeeds): EvolutionFeature {
  const { store, journal, events, home, life, log } = ground
  const { checkpoints, recall, isExcluded, skillsFor, triggerOf, gapCandidates } = needs
  const traces = openTraces(store)
  const gaps = openGaps(store, (link) => shownResult(gapCandidates, link))
  const literals = openRunLiterals(store)
  const parts = {
    recommendations: openRecommendations(store, events),
    versions: openVersions(store),
    matched: openMatchedRuns(store),
    patterns: openPatternRuns(store),
    promoting: openPromotingAgents(store),
  }
  // A process for one command does nothing by itself.
  const background = life === 'resident' ? needs.background : { ...needs.background, current: () => null }
  // Starting the embedder for one command would take longer than the command.
  const meanings = life === 'resident' ? openMeanings({ store, embedder: recall.embedder, log }) : noMeanings
  const ports: RolloutPorts = { ...needs, home, store, events, journal, gaps, background, log }
  const rollout = openRollout(ports, parts)
  const matching = openMatching(ports, { ...parts, meanings })
  const stopping = new AbortController()
  const evolution = openEvolution({
    ...{ store, journal, events, traces, gaps, meanings, literals, isExcluded, skillsFor, triggerOf, matching, rollout },
    results: openGapResults(gapCandidates, gaps, literals),
    recommendations: parts.recommendations,
    editedFiles: (earlier, run) => editedFilesOf({ journal, checkpoints }, earlier, run),
  })
  return {
    name: 'evolution',
    advance: (agent_id) => rollout.advance(agent_id, 'command'),
    eraseSayings: openSayings(store).eraseOf,
    stop: () => stopping.abort(),
    commands: {
      ...evolutionHandlers({ traces, gaps }),
      ...rolloutHandlers({ ...parts, store, gaps, rollout, agentOf: needs.agentOf, withdraw: gapCandidates.withdraw }),
    },
    async bindings(run) {
      rollout.recordLive(run.agent_id)
      await matching.prepare(run, 'started', stopping.signal)
      return matching.bindings(run)
    },
    prompt: { order: 20, max_tokens: 1_000, stable: true, text: async (run) => matching.offers(run) },
    jobs:
      life === 'resident'
        ? [
            {
              name: 'skill_rollout',
              every_ms: round_ms,
              first_ms: 5_000,
              run: async (stop) => void (await rollout.advance(null, 'scheduler', stop)),
            },
          ]
        : [],
    on: {
      from: 'now',
      hears: { learning_cycle_recorded: ({ data }, signal) => evolution.record(data.run_id, data.cycle_id, signal) },
    },
  }
}
