// Proposes what follows from a gap that is no matter of skills, and shows what came of it. Called in the transaction that records the gap, so
// it happens once, or not at all.
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import type { GapResult, MemoryWritebackCandidate, SkillGapAnalysis } from '@tandem/contract/learning'
import type { PolicyCandidate } from '@tandem/contract/policy-candidate'
import type { RunRecord } from '../journal/run-record.ts'
import type { GapLink, Gaps } from './record/gaps.ts'
import type { RunLiterals } from './record/run-literals.ts'
import type { BehaviorFacts } from './rule/behavior.ts'
import { type GapPlan, planOf } from './rule/gap-plan.ts'
import type { MinedBehavior } from './rule/mined-behavior.ts'

interface GapOrigin {
  readonly gap_analysis_id: string
  readonly run: RunRecord
  readonly cycle_id: string
}

/** What gaps need of other parts of the runtime. */
export interface GapCandidatePorts {
  /** Both return the id of a candidate that a person decides about, or null. */
  proposeMemory(memory: Pick<MemoryWritebackCandidate, 'memory_kind' | 'content' | 'confidence'>, origin: GapOrigin): string | null
  proposePolicy(
    wish: Omit<Extract<GapPlan, { is: 'policy' }>, 'is'> & { readonly run_ids: readonly string[]; readonly workspace: string },
    origin: GapOrigin,
  ): string | null
  memory(candidate_id: string): Pick<MemoryWritebackCandidate, 'content' | 'state'> | undefined
  policy(candidate_id: string): Pick<PolicyCandidate, 'title' | 'state'> | undefined
  withdraw(gap_analysis_id: string): void
  /** The source of the knowledge base at a path. */
  sourceAt(path: string): string | null
}

export interface GapResults {
  propose(gap: SkillGapAnalysis, behavior: MinedBehavior, facts: BehaviorFacts, run: RunRecord, cycle_id: string): void
}

export function openGapResults(ports: GapCandidatePorts, gaps: Pick<Gaps, 'setResult'>, literals: Pick<RunLiterals, 'of'>): GapResults {
  return {
    propose({ id: gap_analysis_id, signature, confidence }, behavior, facts, run, cycle_id) {
      const { run_ids, ...of } = literals.of(signature)
      const plan = planOf({ ...behavior, ...of, tools: stoppedTools(behavior, facts) }, run.workspace)
      gaps.setResult(gap_analysis_id, carriedOut(plan, { gap_analysis_id, run, cycle_id }, run_ids, confidence))
    },
  }

  function carriedOut(plan: GapPlan, origin: GapOrigin, run_ids: readonly string[], confidence: number): GapLink {
    switch (plan.is) {
      case 'nothing':
        return { kind: 'nothing', because: plan.because }
      case 'source':
        return proposedSource(plan.path)
      case 'memory': {
        // A preference would need a quote from the conversation in which it is committed.
        const memory = { memory_kind: 'semantic', content: plan.content, confidence } as const
        const candidate_id = ports.proposeMemory(memory, origin)
        return candidate_id === null ? { kind: 'nothing', because: 'The run was not evaluated.' } : { kind: 'memory', candidate_id }
      }
      case 'policy': {
        const { is: _is, ...wish } = plan
        const candidate_id = ports.proposePolicy({ ...wish, run_ids, workspace: origin.run.workspace }, origin)
        if (candidate_id !== null) return { kind: 'policy', candidate_id }
        return { kind: 'nothing', because: 'No change of the policy follows from your recorded calls yet.' }
      }
    }
  }
}

/** As the knowledge base names it. */
function proposedSource(path: string): GapLink {
  try {
    return { kind: 'source', path: realpathSync(path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : path) }
  } catch {
    // It is not on this device, or cannot be read.
    return { kind: 'nothing', because: 'The file or folder that you named is not on this device.' }
  }
}

/** What a link leads to now. Null if it is gone. */
export function shownResult(ports: GapCandidatePorts, link: GapLink): GapResult | null {
  switch (link.kind) {
    case 'memory': {
      const found = ports.memory(link.candidate_id)
      return found ? { kind: 'memory', candidate_id: link.candidate_id, content: found.content, state: found.state } : null
    }
    case 'policy': {
      const found = ports.policy(link.candidate_id)
      return found ? { kind: 'policy', candidate_id: link.candidate_id, title: found.title, state: found.state } : null
    }
    case 'source':
      return { ...link, source_id: ports.sourceAt(link.path) }
    case 'nothing':
      return link
  }
}

/** Of the calls of the latest run that the user denied, undid or stopped. */
function stoppedTools({ what }: MinedBehavior, { calls }: BehaviorFacts): readonly string[] {
  if (what === 'denied_call') return calls.filter(({ denied }) => denied).map(({ tool }) => tool)
  if (what === 'restored_checkpoint') return calls.filter(({ undone_by }) => undone_by !== null).map(({ tool }) => tool)
  return what === 'canceled_run' ? calls.slice(-1).map(({ tool }) => tool) : []
}
