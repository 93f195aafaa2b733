// What gaps of skill evolution propose to remember, or to change in a policy: the same candidates as those of reflections, decided about and
// tested in the same way. Called in the transaction that records the gap.
import type { MemoryWritebackCandidate } from '@tandem/contract/learning'
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import type { RunRecord } from '../journal/run-record.ts'
import type { PolicyCandidates } from './candidate/open-candidates.ts'
import type { PolicyWish } from './candidate/rule/wished.ts'
import type { Reflections } from './record/reflections.ts'
import type { Writebacks } from './record/writebacks.ts'

/** What found the gap. */
export interface GapOrigin {
  readonly gap_analysis_id: string
  readonly run: RunRecord
  /** The learning cycle after which it was found. */
  readonly cycle_id: string
}

export interface GapCandidates {
  /** Returns the id of the candidate; that of the same one if it was proposed before and not dismissed. Null if there is no reflection. */
  proposeMemory(memory: Pick<MemoryWritebackCandidate, 'memory_kind' | 'content' | 'confidence'>, origin: GapOrigin): string | null
  /** The candidate that is open for the same field, or a new one. Null if no rule proposes anything. */
  proposePolicy(wish: PolicyWish, origin: GapOrigin): string | null
  memory(candidate_id: string): MemoryWritebackCandidate | undefined
  policy(candidate_id: string): PolicyCandidate | undefined
  /** The user dismissed the gap: what it proposed and no person has decided about is withdrawn. */
  withdraw(gap_analysis_id: string): void
}

export interface GapCandidatesPorts {
  readonly reflections: Pick<Reflections, 'ofEvaluation'>
  readonly writebacks: Writebacks
  readonly candidates: Pick<PolicyCandidates, 'forGap' | 'create' | 'get' | 'withdraw'>
}

export function openGapCandidates({ reflections, writebacks, candidates }: GapCandidatesPorts): GapCandidates {
  return {
    proposeMemory(memory, { gap_analysis_id, run, cycle_id }) {
      const { run_id, agent_id, conversation_id } = run
      const known = writebacks.find(agent_id, memory.content)
      if (known) return known.id
      const reflection_id = reflections.ofEvaluation(cycle_id)?.id
      if (reflection_id === undefined) return null
      return writebacks.add({ run_id, agent_id, conversation_id, reflection_id, gap_analysis_id, ...memory }).id
    },
    proposePolicy(wish, { gap_analysis_id, run, cycle_id }) {
      const wished = candidates.forGap(run.agent_id, wish)
      if (wished?.is === 'open') return wished.candidate_id
      const reflection_id = reflections.ofEvaluation(cycle_id)?.id
      if (!wished || reflection_id === undefined) return null
      return candidates.create(wished.recommended, { reflection_id, gap_analysis_id, run }).id
    },
    memory: writebacks.get,
    policy: candidates.get,
    withdraw(gap_analysis_id) {
      for (const { id } of writebacks.pendingOf(gap_analysis_id)) writebacks.move(id, 'dismiss', null)
      candidates.withdraw(gap_analysis_id)
    },
  }
}
