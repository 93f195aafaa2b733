// After each learning cycle: mines the run, finds out what is missing, and proposes what follows from it. All of it is one transaction, so it
// happens once, or not at all. What was proposed before is advanced, or rolled back, afterwards.
import type { GapKind, SkillGapAnalysis } from '@tandem/contract/learning'
import type { Events } from '../event/events.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { ownSentences } from '../memory/rule/extract/own-words.ts'
import { othersFirst } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import type { GapResults } from './gap-results.ts'
import type { Meanings } from './meanings.ts'
import { type Mined, openMiner } from './mine.ts'
import { saidIn } from './mine-sayings.ts'
import { type ReadBehaviorPorts, readBehavior } from './read-behavior.ts'
import type { Gaps } from './record/gaps.ts'
import type { RunLiterals } from './record/run-literals.ts'
import type { Traces } from './record/traces.ts'
import { crashPoint as crashPointOfRollout } from './rollout/crashpoint.ts'
import type { Matching } from './rollout/matching.ts'
import type { Recommendations } from './rollout/record/recommendations.ts'
import type { Rollout } from './rollout/rollout.ts'
import { recommendedKind } from './rollout/rule/recommended-kind.ts'
import { skillNameOf, titleOf } from './rollout/rule/routine.ts'
import type { BehaviorFacts } from './rule/behavior.ts'
import { confidenceOf, gapOf } from './rule/gap.ts'
import type { MinedBehavior } from './rule/mined-behavior.ts'
import { matchingSkill, type RegistrySkill } from './rule/skill-match.ts'
import { summaryOf } from './rule/summary.ts'

function isMatterOfSkills(kind: GapKind): boolean {
  return kind === 'skill_gap' || kind === 'workflow_gap'
}

/** A skill that the run could have used. */
export interface KnownSkill extends RegistrySkill {
  /** To the agent of the run. */
  readonly bound: boolean
}

export interface EvolutionPorts extends ReadBehaviorPorts {
  readonly store: Store
  readonly events: Events
  readonly traces: Traces
  readonly gaps: Gaps
  readonly meanings: Meanings
  readonly literals: Pick<RunLiterals, 'put'>
  readonly results: GapResults
  /** Whether the agent or the conversation of the run is excluded from learning. */
  isExcluded(run: RunRecord): boolean
  skillsFor(run: RunRecord): Promise<readonly KnownSkill[]>
  readonly recommendations: Pick<Recommendations, 'create' | 'names'>
  readonly matching: Pick<Matching, 'prepare' | 'ended'>
  readonly rollout: Pick<Rollout, 'after' | 'advance'>
  /** What a learning cycle was about. */
  triggerOf(cycle_id: string): string | null
}

export interface Evolution {
  /** For a learning cycle. Doing it again changes nothing. */
  record(run_id: string, cycle_id: string, signal: AbortSignal): Promise<void>
}

const mostTraces = 100

export function openEvolution(ports: EvolutionPorts): Evolution {
  const { store, events, journal, traces, gaps, meanings, literals, results, recommendations, matching, rollout } = ports
  const miner = openMiner(store, { meanings })

  function recordOnce(facts: BehaviorFacts, run: RunRecord, cycle_id: string, skills: readonly KnownSkill[]): void {
    store.transaction(() => {
      if (traces.isMined(run.run_id, cycle_id)) return
      const mined = miner.mine(facts)
      literals.put(facts)
      const trace_id = tell(run, mined, cycle_id)
      for (const behavior of mined.behaviors) analyze(run, behavior, { trace_id, cycle_id, skills, facts })
      crashPoint('trace_recording')
    })
    crashPoint('trace_recorded')
  }

  function tell(run: RunRecord, mined: Mined, cycle_id: string): string {
    const { run_id, agent_id, conversation_id } = run
    const { tool_sequences, repeated_constraints, manual_remediations } = mined
    const { id: trace_id } = traces.put(
      { run_id, agent_id, conversation_id, tool_sequences, repeated_constraints, manual_remediations },
      cycle_id,
    )
    const counts = {
      tool_sequences: tool_sequences.length,
      repeated_constraints: repeated_constraints.length,
      manual_remediations: manual_remediations.length,
    }
    events.emit('behavior_trace_mined', { run }, { trace_id, ...counts })
    return trace_id
  }

  interface Around {
    readonly trace_id: string
    readonly cycle_id: string
    readonly skills: readonly KnownSkill[]
    readonly facts: BehaviorFacts
  }

  function analyze(run: RunRecord, behavior: MinedBehavior, around: Around): void {
    const { trace_id, cycle_id, skills, facts } = around
    const match = matchingSkill(behavior.compared, skills)
    const bound = skills.some(({ name, bound: isBound }) => name === match && isBound)
    const gap_kind = gapOf({ ...behavior, matches: match !== null, bound })
    if (gap_kind === null) return
    const { run_id, agent_id, conversation_id } = run
    const { signature, repetitions } = behavior
    const behavior_trace_ids = [...new Set([trace_id, ...behavior.trace_ids])].slice(0, mostTraces)
    const found = gaps.put({
      ...{ run_id, agent_id, conversation_id, gap_kind, signature, repetitions, behavior_trace_ids },
      summary: summaryOf(behavior),
      confidence: confidenceOf(behavior),
      matching_skill: gap_kind === 'skill_gap' ? match : null,
      already_bound: bound,
    })
    if (!found) return
    const { id: gap_analysis_id, matching_skill } = found.gap
    if (found.isNew) events.emit('skill_gap_detected', { run }, { gap_analysis_id, gap_kind, repetitions, matching_skill })
    if (isMatterOfSkills(gap_kind)) {
      if (found.gap.recommendation_id === null) recommend(run, behavior, found.gap, around)
    } else if (isUndecided(gap_analysis_id)) {
      results.propose(found.gap, behavior, facts, run, cycle_id)
      crashPoint('gap_result_recorded')
    }
  }

  /** More repetitions may lead to something that fewer did not. */
  function isUndecided(gap_analysis_id: string): boolean {
    const link = gaps.linkOf(gap_analysis_id)
    return link === null || link.kind === 'nothing'
  }

  /** Once for each gap, until it is dismissed. */
  function recommend(run: RunRecord, { tools }: MinedBehavior, gap: SkillGapAnalysis, { skills, facts: { said } }: Around): void {
    const kind = recommendedKind(gap.gap_kind, gap.matching_skill)
    if (kind === null) return
    const request = said.filter(({ starts }) => starts).flatMap(({ text }) => ownSentences(text).map((sentence) => sentence.text.trim()))
    const title = kind === 'bind_existing_skill' ? `Use the skill ${gap.matching_skill}` : titleOf(request, tools)
    const taken = new Set([...skills.map(({ name }) => name), ...recommendations.names()])
    const { id } = recommendations.create({
      ...{ run, gap_analysis_id: gap.id, kind, title, confidence: gap.confidence, rationale: gap.summary },
      skill_name: kind === 'workflow' ? null : (gap.matching_skill ?? skillNameOf(title, taken)),
    })
    gaps.setRecommendation(gap.id, id)
    crashPointOfRollout('recommendation_created')
  }

  /** Doing it again changes nothing. */
  async function follow(run: RunRecord, cycle_id: string, signal: AbortSignal): Promise<void> {
    await othersFirst()
    await matching.prepare(run, 'ended', signal)
    store.transaction(() => matching.ended(run))
    const trigger = ports.triggerOf(cycle_id)
    if (trigger === 'failed' || trigger === 'restored') await rollout.after(run, trigger)
    await rollout.advance(run.agent_id, 'scheduler', signal)
  }

  return {
    async record(run_id, cycle_id, signal) {
      const run = journal.run(run_id)
      if (!run || ports.isExcluded(run)) return
      if (!traces.isMined(run_id, cycle_id)) {
        const facts = await readBehavior(ports, run)
        crashPoint('trace_reading')
        // An embedder answers from another thread or host: before the transaction.
        await meanings.prepare(saidIn(facts), signal)
        const skills = await ports.skillsFor(run)
        await othersFirst()
        recordOnce(facts, run, cycle_id, skills)
      }
      await follow(run, cycle_id, signal)
    },
  }
}
