import Type from 'typebox'
import { conflictChoices, restoreChanges, restoreGroups, restoreScopes } from '../checkpoint/index.ts'
import {
  BackgroundSelection,
  CheckpointArtifact,
  CheckpointSummary,
  RestoreCounts,
  RestorePreviewEntry,
  RunCheckpoint,
} from '../checkpoint/schema.ts'
import { FailureContract } from '../failure/schema.ts'
import { approvalAnswers, runStates } from '../run/index.ts'
import { QuestionAnswer, ResumeContract } from '../run/schema.ts'
import { Count, Flag, Id, JsonText, Line, listOf, object, oneOf, pageOf, Sha256, Text } from '../shape.ts'
import { withdrawnChoices } from '../team/index.ts'
import { WithdrawnMember } from '../team/schema.ts'
import { type Command, listParams, paging } from './command.ts'
import type { CommandNameIn } from './index.ts'

const yes = approvalAnswers.filter((answer) => answer !== 'no')
const ofApproval = {
  kind: Type.Literal('approval'),
  approval_id: Id,
  /** Of the call that was shown: an answer never applies to another call. */
  fingerprint: Sha256,
}
const ofQuestion = { kind: Type.Literal('question'), question_id: Id }

const Answer = Type.Union([
  object({ ...ofApproval, answer: oneOf(yes), edited_arguments: Type.Optional(JsonText) }),
  object({ ...ofApproval, answer: Type.Literal('no'), reason: Text }),
  object({ ...ofQuestion, answer: QuestionAnswer }),
])

const elsewhere = {
  workspace: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4_096, description: 'The current path of the folder of the run, if it was moved' }),
  ),
}

const ofRestore = {
  run_id: Id,
  checkpoint_id: Id,
  counts: RestoreCounts,
  set_aside_message_ids: listOf(Id, { description: 'Messages after the checkpoint: kept, but no longer part of the conversation' }),
}

const RestoredMember = object({
  run_id: Id,
  title: Line,
  counts: RestoreCounts,
  /** Restores the state before the member was restored. */
  safety_checkpoint_id: Id,
  left_alone: listOf(RestorePreviewEntry, { maxItems: 200 }),
})

const Resumed = object({ run_id: Id, state: oneOf(runStates), step_id: Id, resume_contract: ResumeContract })

export const checkpointCommands = {
  agent_run_list_checkpoints: {
    summary: 'List the recovery points of a run, newest first.',
    params: listParams({ run_id: Id, recovery_chain_id: Type.Optional(Id) }),
    result: pageOf(CheckpointSummary),
  },
  agent_run_get_checkpoint: {
    summary: 'Show one recovery point with a page of its file snapshots.',
    params: object({ run_id: Id, checkpoint_id: Id, ...paging }),
    result: object({ checkpoint: RunCheckpoint, artifacts: pageOf(CheckpointArtifact) }),
  },
  agent_run_restore_checkpoint: {
    summary: 'Preview a restore, or roll files, tool calls and approvals back and leave the run paused.',
    params: Type.Union([
      object({
        action: Type.Literal('preview'),
        run_id: Id,
        checkpoint_id: Id,
        /** Whether the paths of this page include their diffs. */
        diffs: Type.Optional(Flag),
        /** Only paths with this change; the counts are of all paths. */
        change: Type.Optional(oneOf(restoreChanges)),
        /** Which group is listed: what would be restored, or everything that changed while background commands ran. */
        group: Type.Optional(oneOf(restoreGroups)),
        background: Type.Optional(BackgroundSelection),
        ...elsewhere,
        ...paging,
      }),
      object({
        action: Type.Literal('restore'),
        run_id: Id,
        checkpoint_id: Id,
        on_conflict: oneOf(conflictChoices),
        /**
         * Without it, the group is not changed. Selecting a path ends the background commands that still run and may have changed it;
         * `all` ends all that still run.
         */
        background: Type.Optional(BackgroundSelection),
        /** Whether what withdrawn members changed in the shared folder is restored as well, before the run itself; `keep` by default. */
        members: Type.Optional(oneOf(withdrawnChoices)),
        /** `files`: the run and its messages stay as they are, for a branch that continues from an earlier point; `run` by default. */
        scope: Type.Optional(oneOf(restoreScopes)),
        ...elsewhere,
      }),
    ]),
    result: Type.Union([
      object({
        ...ofRestore,
        outcome: Type.Literal('previewed'),
        /** What changed while background commands ran, and how many of these commands still run. */
        background: object({ counts: RestoreCounts, running: Count }),
        /** Members that the run started after the checkpoint: a restore pauses them. */
        members: listOf(WithdrawnMember, { maxItems: 1_000 }),
        notes: listOf(Text, { maxItems: 10, description: 'Notes to read before deciding' }),
        entries: pageOf(RestorePreviewEntry),
      }),
      object({
        ...ofRestore,
        outcome: Type.Literal('restored'),
        state: oneOf(runStates),
        /** Restores the state before this restore. */
        safety_checkpoint_id: Id,
        cursor_seq: Count,
        /** Paths that changed while background commands ran. */
        background: object({ restored: Count, left: Count }),
        /** Paths that were not restored or lost something, and why; if there are many, the first of them. */
        left_alone: listOf(RestorePreviewEntry, { maxItems: 200 }),
        /** The members that were restored as well, in this order. */
        members: listOf(RestoredMember, { maxItems: 1_000 }),
        failure_contract: Type.Optional(FailureContract),
      }),
    ]),
  },
  resume_agent_run: {
    summary: 'Continue a paused run from its current state.',
    params: object({ run_id: Id }),
    result: Resumed,
  },
  agent_run_resume: {
    summary: 'Answer a pending question or approval and continue the run.',
    params: object({ run_id: Id, answer: Answer }),
    result: Resumed,
  },
} satisfies Record<CommandNameIn<'checkpoints'> | 'agent_run_resume', Command>
