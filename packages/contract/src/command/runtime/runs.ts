import Type, { type Static } from 'typebox'
import { CheckpointSummary } from '../../checkpoint/schema.ts'
import { pauseReasons, runStates } from '../../run/index.ts'
import { ApprovalPrompt, Message, QuestionPrompt, Run, RunStep } from '../../run/schema.ts'
import { Count, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { SandboxMode } from '../../tool/schema.ts'
import { type Command, listParams } from '../command.ts'
import { ChosenFolder, Folder } from './conversations.ts'

/** A run on its own device. */
export const LocalRun = object({
  ...Run.properties,
  pause_reason: nullable(oneOf(pauseReasons)),
  /** When it is retried automatically because no model responded. */
  retry_at: nullable(Timestamp),
  turns: Count,
  /** How many memories its prompts had. */
  memories_used: Count,
  workspace: ChosenFolder,
  /** Its place in a team. Absent if it has started no runs, and no run has started it. */
  team: Type.Optional(object({ root_run_id: Id, parent_run_id: nullable(Id) })),
})
export type LocalRun = Static<typeof LocalRun>

export const PendingApproval = object({ run_id: Id, asked_at: Timestamp, approval: ApprovalPrompt })
export type PendingApproval = Static<typeof PendingApproval>

export const PendingQuestion = object({ run_id: Id, asked_at: Timestamp, question: QuestionPrompt })
export type PendingQuestion = Static<typeof PendingQuestion>

const result = object({ run: LocalRun })

export const runCommands = {
  agent_run_start: {
    summary: 'Send a message to a conversation and start a run for it.',
    params: object({
      conversation_id: Id,
      text: Type.String({ minLength: 1, maxLength: 1_000_000 }),
      attachments: Type.Optional(Message.properties.attachments),
      /** Overrides the agent's. */
      model: Type.Optional(Line),
      sandbox_mode: Type.Optional(SandboxMode),
      /** For a conversation from another device, or whose folder no longer exists: the folder it uses from now on. */
      workspace: Type.Optional(Folder),
      /** Repeating the call with the same key starts only one run. */
      key: Type.Optional(Key),
    }),
    result,
  },
  agent_run_list: {
    summary: 'List runs, newest first.',
    params: listParams({
      agent_id: Type.Optional(Key),
      conversation_id: Type.Optional(Id),
      state: Type.Optional(oneOf(runStates)),
    }),
    result: pageOf(LocalRun),
  },
  agent_run_get: {
    summary: 'Show one run.',
    params: object({ run_id: Id }),
    result,
  },
  agent_run_pause: {
    summary: 'Pause a run at the next safe point.',
    params: object({ run_id: Id }),
    result,
  },
  agent_run_cancel: {
    summary: 'Cancel a run, with its model call and tools in progress.',
    params: object({ run_id: Id, reason: Type.Optional(Line) }),
    result,
  },
  agent_run_list_steps: {
    summary: 'List the steps of a run in order.',
    params: listParams({ run_id: Id, after_seq: Type.Optional(Type.Integer({ minimum: -1, maximum: Number.MAX_SAFE_INTEGER })) }),
    result: pageOf(RunStep),
  },
  agent_run_create_checkpoint: {
    summary: 'Create a recovery point of a run and its folder in their current state.',
    params: object({ run_id: Id }),
    result: object({
      checkpoint: CheckpointSummary,
      unprotected: listOf(Text, { description: 'What a restore does not cover' }),
    }),
  },
  approval_list: {
    summary: 'List the pending approvals, oldest first.',
    params: listParams({ run_id: Type.Optional(Id) }),
    result: pageOf(PendingApproval),
  },
  question_list: {
    summary: 'List the pending questions, oldest first.',
    params: listParams({ run_id: Type.Optional(Id) }),
    result: pageOf(PendingQuestion),
  },
} satisfies Record<string, Command>
