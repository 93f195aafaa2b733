// The dependencies of the run loop, passed in by `runtime.ts`, and what it reports to its observers.
import type { Agent } from '@tandem/contract/agent'
import type { RestoreKind } from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import type { TodoItem } from '@tandem/contract/sync'
import type { Approvals } from '../approval/approvals.ts'
import type { Tool } from '../call/tool.ts'
import type { CheckpointPlan } from '../checkpoint/plan.ts'
import type { Bus } from '../event/bus.ts'
import type { Events } from '../event/events.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { PromptSection } from '../feature/feature.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { LayerNames } from '../journal/step.ts'
import type { ContextWindow } from '../model/context-window.ts'
import type { Model } from '../model/model.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { CallStatus, ReadyCall } from '../pipeline/prepared-call.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { Policies } from '../policy/policies.ts'
import type { Questions } from '../question/questions.ts'
import type { Store } from '../store/store.ts'
import type { Carrier } from './carrier.ts'
import type { ReachCrashPoint } from './crashpoint.ts'
import type { OpenCall, RunProgress } from './run-progress.ts'
import type { RunTeam } from './team.ts'
import type { ModelMemory } from './turn/model-memory.ts'

/** The tools that a run can use now. */
export interface RunTools {
  readonly tools: readonly Tool[]
  /** The layers that change the policies of its tools. */
  readonly layers: LayerNames
  /** The canaries of policies that apply to its next turn. */
  readonly canaries: readonly string[]
}

export interface LoopPorts {
  readonly store: Store
  readonly journal: Journal
  readonly events: Events
  readonly bus: Bus
  readonly approvals: Approvals
  readonly policies: Policies
  readonly registry: ToolRegistry
  readonly pipeline: Pipeline
  readonly questions: Questions
  readonly checkpoints: RunCheckpoints
  readonly changes: CallChanges
  readonly memory: ModelMemory
  readonly lifecycle: Pick<Lifecycle, 'hear'>
  readonly team: RunTeam
  /** Whether this process continues runs automatically, whoever started them. */
  readonly isResident: boolean
  /** How long the loop waits for listeners before a compaction. */
  compactionWait_ms(): number
  readonly crashPoint: ReachCrashPoint
  /** What decides which calls a run without a model makes; null for a run with a model. */
  carrierOf(run: RunRecord): Carrier | null
  /** Whether a workflow waits for the run. Such a run continues by itself after a crash or a restart, as the workflow does. */
  isAwaited(run_id: string): boolean
  /** The model of this name; null if no configured address serves it. */
  modelFor(name: string): { readonly model: Model; window(): Promise<ContextWindow> } | null
  defaultModel(): string | null
  agent(agent_id: string): Agent | undefined
  /** `loaded`: see `RunProgress`. */
  toolsFor(run: RunRecord, loaded: readonly string[]): RunTools
  todos(conversation_id: string): readonly TodoItem[]
  /** The prompt sections of features, in the order of the prompt. */
  promptSections(): readonly PromptSection[]
  beforeModelCall?(run: RunRecord): void
  /** An attachment of a message; undefined if it is not on this device. */
  attachment?(file_id: string): Buffer | undefined
  /** Whether models get images: `auto` asks their server, and tries it. */
  imagesToModels?(): 'auto' | 'always' | 'never'
  /** The name of another device; null if it is unknown. */
  deviceName?(device_id: string): string | null
  /** A folder for this run only. */
  tempFor(run_id: string): string
  /** Cleans up after a run: background processes, browsers, its folder. */
  endRun(run_id: string): Promise<void>
  /** Ends the background commands that the calls of these checkpoints started. */
  endBackground(checkpoint_ids: readonly string[]): Promise<void>
  random(): number
  log(line: string): void
}

export interface TakenCheckpoint {
  readonly ok: true
  readonly checkpoint_id: string
  readonly restore_kind: RestoreKind | null
  readonly artifact_count: number
  readonly artifact_bytes: number
  readonly duration_ms: number
}

/** `plan` is set if only the budget of the store prevents it: the call may run without a recovery point if the user approves that. */
export interface FailedCheckpoint {
  readonly ok: false
  readonly failure_contract: FailureContract
  readonly plan: CheckpointPlan | null
}

/** Recovery points around calls. */
export interface RunCheckpoints {
  /** Null for a call that changes nothing on disk. */
  take(
    run: RunRecord,
    progress: RunProgress,
    call: OpenCall,
    ready: ReadyCall,
    status?: CallStatus,
  ): Promise<TakenCheckpoint | FailedCheckpoint | null>
  /** For a call that was approved without a recovery point: returns what to call when it has ended. */
  beginUnprotected(run: RunRecord, ready: ReadyCall): () => void
  /**
   * Closes the checkpoint of a call that is over; with a background command it stays open until that ends. The result says why it could
   * not be closed, or the state not be recorded; otherwise null.
   */
  settle(checkpoint_id: string, call_id: string, failure: FailureContract | null, status?: CallStatus): Promise<FailureContract | null>
  /** An approval of the run was requested, answered or withdrawn. */
  approvalsChanged(run: Pick<RunRecord, 'no' | 'run_id'>): void
}

/** Records which files a call changed, for rules about commands that take instructions from them. */
export interface CallChanges {
  begin(call_id: string, call: ReadyCall, run: RunRecord): void
  end(call_id: string, call: ReadyCall, run: RunRecord, checkpoint_id: string | null): Promise<void>
}
