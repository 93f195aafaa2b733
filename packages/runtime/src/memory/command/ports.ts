// What the memory commands need.
import type { Memory } from '@tandem/contract/memory'
import type { Clock } from '../../clock/clock.ts'
import type { Outcome } from '../../feature/outcome.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { RecallHealth } from '../../recall/recall.ts'
import type { Store } from '../../store/store.ts'
import type { Flush } from '../flush.ts'
import type { Forget } from '../forget.ts'
import type { GraphViews } from '../graph-views.ts'
import type { InjectedMemories } from '../injection.ts'
import type { Learned } from '../learned.ts'
import type { Corrections } from '../record/corrections.ts'
import type { Decisions } from '../record/decisions.ts'
import type { DistillationPolicies } from '../record/distillation-policies.ts'
import type { DroppedCounts } from '../record/dropped.ts'
import type { Exclusions } from '../record/exclusions.ts'
import type { GraphRecords } from '../record/graph-records.ts'
import type { Memories } from '../record/memories.ts'
import type { ProcedureRuns } from '../record/procedure-runs.ts'
import type { Reviews } from '../record/reviews.ts'
import type { ResolutionCycle } from '../resolution-cycle.ts'
import type { Review } from '../review.ts'
import type { MemorySearch } from '../search.ts'

export interface MemoryCommandPorts {
  readonly store: Store
  readonly clock: Clock
  readonly journal: Journal
  readonly memories: Memories
  readonly cycle: ResolutionCycle
  readonly corrections: Corrections
  readonly decisions: Decisions
  readonly reviews: Reviews
  readonly policies: DistillationPolicies
  readonly procedureRuns: Pick<ProcedureRuns, 'runsOf'>
  readonly graph: GraphRecords
  readonly views: GraphViews
  readonly learned: Learned
  readonly forget: Forget
  readonly exclusions: Exclusions
  readonly dropped: Pick<DroppedCounts, 'recent'>
  readonly search: MemorySearch
  readonly flush: Flush
  readonly review: Review
  readonly agents: { has(agent_id: string): boolean; ids(): readonly string[] }
  /** Whether the preferences of the user that this agent learns are for all agents. */
  sharesPreferences(agent_id: string): boolean
  /** The user corrected what this run did or said. Called when it is on disk. */
  corrected(run_id: string): void
  /** The memories that the prompts of a run had. */
  injected(run: RunRecord): InjectedMemories
  isRecallable(memory: Memory): boolean
  expiryOf(memory: Memory): string | null
  /** What may be found has changed. */
  recallAgain(): void
  searchIndex(): Promise<RecallHealth>
  /** Aborted when the runtime stops: nothing else ends what the user started. */
  readonly ending: AbortSignal
  /** Compacts the context of a conversation, after its flush. */
  compact(conversation_id: string): Promise<Outcome<CompactedContext>>
  background(): { readonly enabled: boolean; readonly tokens_today: number; readonly daily_tokens: number; readonly model: string | null }
}

export interface CompactedContext {
  readonly tokens_before: number
  readonly tokens_after: number
  readonly through_seq: number
  readonly summary: string
}
