// After each learning cycle: mines the run and finds out what is missing. All of it is one transaction, so it happens once, or not at all.
import type { Events } from '../event/events.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import { type Mined, openMiner } from './mine.ts'
import { type ReadBehaviorPorts, readBehavior } from './read-behavior.ts'
import type { Gaps } from './record/gaps.ts'
import type { Traces } from './record/traces.ts'
import type { BehaviorFacts } from './rule/behavior.ts'
import { confidenceOf, gapOf } from './rule/gap.ts'
import type { MinedBehavior } from './rule/mined-behavior.ts'
import { matchingSkill, type RegistrySkill } from './rule/skill-match.ts'
import { summaryOf } from './rule/summary.ts'

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
  /** Whether the agent or the conversation of the run is excluded from learning. */
  isExcluded(run: RunRecord): boolean
  skillsFor(run: RunRecord): Promise<readonly KnownSkill[]>
}

export interface Evolution {
  /** For a learning cycle. Doing it again changes nothing. */
  record(run_id: string, cycle_id: string): Promise<void>
}

const mostTraces = 100

export function openEvolution(ports: EvolutionPorts): Evolution {
  const { store, events, journal, traces, gaps } = ports
  const miner = openMiner(store)

  function recordOnce(facts: BehaviorFacts, run: RunRecord, cycle_id: string, skills: readonly KnownSkill[]): void {
    store.transaction(() => {
      if (traces.isMined(run.run_id, cycle_id)) return
      const mined = miner.mine(facts)
      const trace_id = tell(run, mined, cycle_id)
      for (const behavior of mined.behaviors) analyze(run, behavior, trace_id, skills)
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

  function analyze(run: RunRecord, behavior: MinedBehavior, trace_id: string, skills: readonly KnownSkill[]): void {
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
    if (!found?.isNew) return
    const { id: gap_analysis_id, matching_skill } = found.gap
    events.emit('skill_gap_detected', { run }, { gap_analysis_id, gap_kind, repetitions, matching_skill })
  }

  return {
    async record(run_id, cycle_id) {
      const run = journal.run(run_id)
      if (!run || ports.isExcluded(run) || traces.isMined(run_id, cycle_id)) return
      const facts = await readBehavior(ports, run)
      crashPoint('trace_reading')
      recordOnce(facts, run, cycle_id, await ports.skillsFor(run))
    },
  }
}
