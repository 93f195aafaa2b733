import * as Type from 'typebox'
import { extensibleOneOf, listOf, object } from '../../shape.ts'
import { workflowNodeStates, workflowRunEventKinds, workflowRunStates, workflowWaits } from '../../workflow-run/state.ts'
import type { OutputOf } from './output-of.ts'

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String()
const none = Type.Null()

const run = {
  workflow_run_id: Text,
  workflow_id: Text,
  name: Text,
  state: extensibleOneOf(workflowRunStates),
  /** Why it is paused, failed or was canceled. */
  reason: Type.Union([Text, none]),
}

/** `round`: of the loops that the node is in, outermost first. */
const node = { node: Text, round: listOf(Count) }
const Waiting = object({ ...node, waits_for: extensibleOneOf(workflowWaits), reason: Text })
const Failed = object({ ...node, message: Text })

export const WorkflowStartOutput = object(run)
export type WorkflowStartOutput = OutputOf<typeof WorkflowStartOutput>

export const WorkflowRunOutput = object({
  ...run,
  waiting: listOf(Waiting),
  failed: listOf(Failed),
  /** What it returned, as JSON text; null until it has completed. */
  result: Type.Union([Text, none]),
})
export type WorkflowRunOutput = OutputOf<typeof WorkflowRunOutput>

export const WorkflowSnapshotOutput = object({
  ...run,
  /** The number of its last event. */
  seq: Count,
  nodes: listOf(object({ ...node, state: extensibleOneOf(workflowNodeStates), attempt: Count, note: Type.Union([Text, none]) })),
  /** Rounds of loops that are not listed. */
  more: Count,
})
export type WorkflowSnapshotOutput = OutputOf<typeof WorkflowSnapshotOutput>

export const WorkflowQueryOutput = object({
  ...run,
  ...node,
  node_state: extensibleOneOf(workflowNodeStates),
  waits_for: Type.Union([extensibleOneOf(workflowWaits), none]),
  /** As JSON text. */
  output: Type.Union([Text, none]),
  error: Type.Union([Text, none]),
  /** Of all agents that have worked for the workflow run so far. */
  input_tokens: Count,
  output_tokens: Count,
})
export type WorkflowQueryOutput = OutputOf<typeof WorkflowQueryOutput>

export const WorkflowHistoryOutput = object({
  workflow_run_id: Text,
  events: listOf(object({ seq: Count, time: Text, kind: extensibleOneOf(workflowRunEventKinds), text: Text })),
  /** Pass it as `after` for the next page; null if there is none. */
  next_after: Type.Union([Count, none]),
})
export type WorkflowHistoryOutput = OutputOf<typeof WorkflowHistoryOutput>
