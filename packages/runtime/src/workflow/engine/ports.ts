// What the engine of a workflow run depends on.
import type { FailureContract } from '@tandem/contract/failure'
import type { WorkflowNode } from '@tandem/contract/workflow'
import type { WorkflowRunState } from '@tandem/contract/workflow-run'
import type { Journal } from '../../journal/journal.ts'
import type { Store } from '../../store/store.ts'
import type { WorkflowCrashpoint } from '../crashpoint.ts'
import type { Evaluator } from '../evaluate/evaluator.ts'
import type { WorkflowRunRows } from '../record/workflow-run-rows.ts'

export interface EnginePorts {
  readonly store: Store
  readonly journal: Journal
  readonly rows: WorkflowRunRows
  readonly evaluator: Evaluator
  readonly children: ChildRuns
  /** Whether a person on this device approved the calls of the tool nodes of this version. */
  coversCalls(sha256: string): boolean
  /** The workflow run has ended, and so has the run that carried it. */
  ended(workflow_run_id: string, state: WorkflowRunState): void
  crashPoint(point: WorkflowCrashpoint): void
  log(line: string): void
}

export type ChildNode = Extract<WorkflowNode, { kind: 'agent' | 'workflow' }>

export interface ChildStart {
  readonly workflow_run_id: string
  /** Starting with the same key again starts nothing. */
  readonly key: string
  readonly node: ChildNode
  /** The prompt or the inputs, filled in. */
  readonly given: unknown
  readonly owner_agent_id: string
  readonly workspace: string
}

export type ChildEnd =
  | { readonly is: 'open' }
  | { readonly is: 'completed'; readonly output: unknown }
  | { readonly is: 'failed'; readonly failure_contract: FailureContract }

/** The runs of agents and of other workflows that nodes start. */
export interface ChildRuns {
  start(
    child: ChildStart,
  ): Promise<{ readonly ok: true; readonly run_id: string } | { readonly ok: false; readonly failure_contract: FailureContract }>
  end(kind: ChildNode['kind'], run_id: string): ChildEnd
  cancel(kind: ChildNode['kind'], run_id: string, reason: string): Promise<void>
}
