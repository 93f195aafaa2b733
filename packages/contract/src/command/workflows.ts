// Workflows: writing and approving them, starting them, and seeing and controlling what they do.
import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Count, Flag, Id, JsonText, Key, Line, listOf, nullable, object, oneOf, pageOf, Sha256, Timestamp, Version } from '../shape.ts'
import { workflowOutcomes } from '../workflow/definition.ts'
import { WorkflowContent, WorkflowDefinition, WorkflowName } from '../workflow/schema.ts'
import {
  missedStarts,
  workflowCloudStates,
  workflowControls,
  workflowNodeStates,
  workflowRunStates,
  workflowWaits,
} from '../workflow-run/state.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const one = object({ workflow_id: Id })
const oneRun = { workflow_run_id: Id }
const Folder = Type.String({ maxLength: 4_096, description: 'The absolute path of a folder on this device' })
const iteration = Type.Optional(listOf(Count, { maxItems: 4 }))

/** A place in the text or the definition, and what is wrong there. */
const Issue = object({ pointer: Type.String({ maxLength: 2_000 }), message: Type.String({ maxLength: 4_000 }) })
const TextIssue = object({ ...Issue.properties, line: nullable(Count), column: nullable(Count) })

const { definition: _definition, ...head } = WorkflowContent.properties

export const ListedWorkflow = object({
  workflow_id: Id,
  ...head,
  version: Version,
  sha256: Sha256,
  node_count: Count,
  /** Whether a person on this device approved this version, and whether that includes the calls of its tool nodes. */
  is_approved: Flag,
  covers_calls: Flag,
  cloud_state: oneOf(workflowCloudStates),
  /** The recommendation whose draft it is. It stays on this device until that goes live. */
  draft_of: Type.Optional(Id),
  updated_at: Timestamp,
  /** The next time that a schedule starts it. */
  next_start: nullable(Timestamp),
  last_run: nullable(object({ ...oneRun, run_id: Id, state: oneOf(workflowRunStates), needs_user: Flag, started_at: Timestamp })),
})
export type ListedWorkflow = Static<typeof ListedWorkflow>

/** `conflict`: the version of the cloud, if it was changed on both sides. */
const StoredWorkflow = object({ ...ListedWorkflow.properties, definition: WorkflowDefinition, conflict: nullable(WorkflowContent) })

export const ListedWorkflowRun = object({
  ...oneRun,
  workflow_id: Id,
  name: Line,
  /** The run that makes its calls: its steps, approvals and recovery points are there. */
  run_id: Id,
  state: oneOf(workflowRunStates),
  reason: nullable(Line),
  /** A node waits for an approval or an answer of the user. */
  needs_user: Flag,
  started_at: Timestamp,
  ended_at: nullable(Timestamp),
})
export type ListedWorkflowRun = Static<typeof ListedWorkflowRun>

export const WorkflowRunNode = object({
  node_id: Key,
  iteration: listOf(Count),
  state: oneOf(workflowNodeStates),
  outcome: nullable(oneOf(workflowOutcomes)),
  attempt: Count,
  waits_for: nullable(oneOf(workflowWaits)),
  until: nullable(Timestamp),
  reason: nullable(Line),
  failure_contract: nullable(FailureContract),
  call_id: nullable(Key),
  child_run_id: nullable(Id),
  started_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
  /** Used by its agent, or by the agents of its workflow; null for other nodes, and on other devices. */
  tokens: nullable(Count),
})
export type WorkflowRunNode = Static<typeof WorkflowRunNode>

export const WorkflowSnapshot = object({
  ...ListedWorkflowRun.properties,
  run_id: nullable(Id),
  device_id: Key,
  owner_agent_id: Key,
  inputs: nullable(JsonText),
  definition_sha256: Sha256,
  /** Null if it is in a file that is not on this device. */
  definition: nullable(WorkflowDefinition),
  last_seq: Count,
  /** How many nodes are in each state, rounds of loops counted separately. */
  counts: object(
    Object.fromEntries(workflowNodeStates.map((state) => [state, Count])) as Record<(typeof workflowNodeStates)[number], typeof Count>,
  ),
  /** Those that no loop repeats, those that are running, waiting or failed, and as many others as fit. */
  nodes: listOf(WorkflowRunNode),
  nodes_left_out: Count,
  /** Used by all agents that have worked for it so far, as far as this device knows. */
  tokens: Count,
  /** What it returned, as JSON; null until it has completed. */
  result: nullable(Type.String({ contentMediaType: 'application/json' })),
})
export type WorkflowSnapshot = Static<typeof WorkflowSnapshot>

export const WorkflowSchedule = object({
  schedule_id: Id,
  workflow_id: Id,
  /** Minute, hour, day of the month, month, day of the week. */
  cron: Line,
  time_zone: Line,
  /** What happens to times at which Tandem was not running. */
  missed: oneOf(missedStarts),
  agent_id: Key,
  workspace: Folder,
  inputs: JsonText,
  is_enabled: Flag,
  next_at: nullable(Timestamp),
  last_at: nullable(Timestamp),
  last_run_id: nullable(Id),
  /** Why it did not start the last time. */
  last_problem: nullable(Line),
})
export type WorkflowSchedule = Static<typeof WorkflowSchedule>

const Control = object({
  ...oneRun,
  action: oneOf(workflowControls),
  /** For `skip`: which node, why, and how the workflow goes on. */
  node_id: Type.Optional(WorkflowName),
  iteration,
  reason: Type.Optional(Line),
  outcome: Type.Optional(oneOf(workflowOutcomes)),
})

export const workflowCommands = {
  workflow_list: {
    summary: 'List the workflows of this device with their last runs.',
    params: listParams({}),
    result: pageOf(ListedWorkflow),
  },
  workflow_get: { summary: 'Show a workflow with its definition.', params: one, result: object({ workflow: StoredWorkflow }) },
  workflow_save: {
    summary: 'Create a workflow, or replace one. What is saved here is approved on this device.',
    params: object({
      workflow_id: Type.Optional(Id),
      /** The version that was read; refused if it has changed since. */
      version: Type.Optional(Version),
      ...WorkflowContent.properties,
      /** The calls of its tool nodes need no further approval, as far as a person has seen their arguments. */
      covers_calls: Type.Optional(Flag),
    }),
    result: object({ workflow: StoredWorkflow }),
  },
  workflow_delete: {
    summary: 'Delete a workflow with its schedules. Runs that have started continue.',
    params: one,
    result: object({ workflow_id: Id }),
  },
  workflow_check: {
    summary: 'Check a definition without saving it.',
    params: object({ workflow_id: Type.Optional(Id), definition: WorkflowDefinition }),
    result: object({ issues: listOf(Issue) }),
  },
  workflow_read_text: {
    summary: 'Read a workflow from YAML or JSON, and report all mistakes with their lines.',
    params: object({ text: Type.String({ maxLength: 1_048_576 }) }),
    result: object({ content: nullable(WorkflowContent), issues: listOf(TextIssue) }),
  },
  workflow_write_text: {
    summary: 'Write a workflow as YAML or JSON, to be edited.',
    params: object({ workflow_id: Id, format: oneOf(['yaml', 'json']) }),
    result: object({ text: Type.String() }),
  },
  workflow_draft: {
    summary: 'Write the calls of a finished run as the text of a new workflow, to be edited and saved.',
    params: object({ run_id: Id, format: oneOf(['yaml', 'json']) }),
    /** `notes`: what was left out, and what to look at before it is saved. */
    result: object({ text: Type.String(), notes: listOf(Line) }),
  },
  workflow_approve: {
    summary: 'Approve a version of a workflow for this device, by its hash; or take the approval back.',
    params: object({ workflow_id: Id, sha256: Sha256, is_approved: Flag, covers_calls: Type.Optional(Flag) }),
    result: object({ workflow: StoredWorkflow }),
  },
  workflow_resolve: {
    summary: 'Decide which version stays, if a workflow was changed here and on another device.',
    params: object({ workflow_id: Id, keep: oneOf(['mine', 'theirs']) }),
    result: object({ workflow: StoredWorkflow }),
  },
  workflow_start: {
    summary: 'Start a workflow.',
    params: object({
      workflow_id: Id,
      /** An object as JSON. */
      inputs: Type.Optional(JsonText),
      /** The agent whose policy applies; the default agent if absent. */
      agent_id: Type.Optional(Key),
      workspace: Type.Optional(Folder),
      /** Starting again with the same key starts nothing, and returns the run that it started. */
      key: Type.Optional(Key),
    }),
    result: object({ run: ListedWorkflowRun }),
  },
  workflow_wait: {
    summary: 'Wait until a workflow run has ended, for a limited time, and show its state then.',
    params: object({
      ...oneRun,
      timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600, description: '60 if absent' })),
    }),
    result: object({ run: WorkflowSnapshot }),
  },
  workflow_control: {
    summary: 'Pause, resume, cancel or retry a workflow run, or skip one of its nodes.',
    params: Control,
    result: object({ run: WorkflowSnapshot }),
  },
  workflow_run_list: {
    summary: 'List the workflow runs of this device, newest first.',
    params: listParams({ workflow_id: Type.Optional(Id), state: Type.Optional(oneOf(workflowRunStates)) }),
    result: pageOf(ListedWorkflowRun),
  },
  workflow_snapshot: {
    summary: 'Show the whole state of a workflow run, now or after one of its events. Also for runs of other devices.',
    params: object({ ...oneRun, at_seq: Type.Optional(Count) }),
    result: object({ run: WorkflowSnapshot }),
  },
  workflow_schedule_list: {
    summary: 'List when workflows start by themselves on this device.',
    params: listParams({ workflow_id: Type.Optional(Id) }),
    result: pageOf(WorkflowSchedule),
  },
  workflow_schedule_check: {
    summary: 'Show the next times of a schedule before it is saved, or what is wrong with it.',
    params: object({
      cron: Type.String({ maxLength: 500 }),
      /** The time zone of this device if absent. */
      time_zone: Type.Optional(Line),
    }),
    result: object({ times: listOf(Timestamp), problem: nullable(Line) }),
  },
  workflow_schedule_save: {
    summary: 'Let a workflow start by itself at certain times, or change when. What is absent stays as it was.',
    params: object({
      schedule_id: Type.Optional(Id),
      workflow_id: Id,
      cron: Line,
      /** The time zone of this device if absent. */
      time_zone: Type.Optional(Line),
      missed: Type.Optional(oneOf(missedStarts)),
      agent_id: Type.Optional(Key),
      workspace: Type.Optional(Folder),
      inputs: Type.Optional(JsonText),
      is_enabled: Type.Optional(Flag),
    }),
    result: object({ schedule: WorkflowSchedule }),
  },
  workflow_schedule_delete: {
    summary: 'Delete a schedule. Runs that it has started continue.',
    params: object({ schedule_id: Id }),
    result: object({ schedule_id: Id }),
  },
  workflow_query: {
    summary: 'Show one node of a workflow run with what it was given and what it returned.',
    params: object({ ...oneRun, node_id: WorkflowName, iteration }),
    result: object({
      node: WorkflowRunNode,
      /** With its placeholders filled in; null if it is not known on this device, or is very long. */
      input: nullable(Type.String({ contentMediaType: 'application/json' })),
      output: nullable(Type.String({ contentMediaType: 'application/json' })),
    }),
  },
} satisfies Record<CommandNameIn<'workflows'>, Command>
