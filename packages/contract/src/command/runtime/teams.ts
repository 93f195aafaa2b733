import Type, { type Static } from 'typebox'
import { runStates } from '../../run/index.ts'
import { Message } from '../../run/schema.ts'
import { Count, Id, Key, Line, listOf, object, oneOf, pageOf, Timestamp } from '../../shape.ts'
import { DelegationGraph, Team, TeamMessage, WorkspaceCopy } from '../../team/schema.ts'
import { type Command, listParams } from '../command.ts'

const result = object({ team: Team })
const MessageText = Type.String({ minLength: 1, maxLength: 1_000_000 })

/** A message that the user wrote to a run, until the run has received it. If the run has ended, it was not sent. */
export const QueuedMessage = object({
  message_id: Id,
  run_id: Id,
  text: Type.String(),
  attachments: Message.properties.attachments,
  queued_at: Timestamp,
})
export type QueuedMessage = Static<typeof QueuedMessage>
const More = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }))

export const teamCommands = {
  team_get: {
    summary: 'Show the team of a run: all its members, their states and their budget. Any member can be named.',
    params: object({ run_id: Id }),
    result,
  },
  team_pause: {
    summary: 'Pause a run and everything it started.',
    params: object({ run_id: Id }),
    result,
  },
  team_resume: {
    summary: 'Resume a run and everything it started that is paused.',
    params: object({ run_id: Id }),
    result,
  },
  team_cancel: {
    summary: 'Cancel a run and everything it started.',
    params: object({ run_id: Id, reason: Type.Optional(Line) }),
    result,
  },
  team_raise_budget: {
    summary: 'Allow a team to spend more, and resume the runs that were paused because its budget was used up.',
    params: object({ run_id: Id, tokens: More, turns: More, seconds: More }),
    result,
  },
  team_list_messages: {
    summary: 'List the messages between the members of a team, oldest first.',
    params: listParams({ run_id: Id }),
    result: pageOf(TeamMessage),
  },
  agent_run_add_message: {
    summary: 'Write a message to a run that has not ended. It gets the message at its next turn; a paused run is resumed.',
    params: object({
      run_id: Id,
      text: MessageText,
      attachments: Type.Optional(Message.properties.attachments),
      /** Repeating the call with the same key writes only one message. */
      key: Type.Optional(Key),
    }),
    result: object({ message_id: Id }),
  },
  agent_run_get_queue: {
    summary:
      'Show the messages of the user that the runs of a conversation have not received, in the order in which they were written. Those of a run that has ended were not sent.',
    params: object({ run_id: Id }),
    result: object({ queued: listOf(QueuedMessage, { maxItems: 1_000 }) }),
  },
  agent_run_edit_queued: {
    summary: 'Change the text of a message that a run has not received.',
    params: object({ run_id: Id, message_id: Id, text: MessageText }),
    result: object({ queued: QueuedMessage }),
  },
  agent_run_remove_queued: {
    summary: 'Remove a message that a run has not received.',
    params: object({ run_id: Id, message_id: Id }),
    result: object({ queued: QueuedMessage }),
  },
  agent_run_send_now: {
    summary:
      'Interrupt the turn of a run and continue with all queued messages. A tool that is running may finish; calls that have not started are not made. If the run has ended, a new one starts with them, or the open one of the conversation gets them.',
    params: object({ run_id: Id }),
    result: object({ run_id: Id, state: oneOf(runStates), delivered: Count }),
  },
  team_get_graph: {
    summary: 'Show which agents may delegate to which, and how often they have on this device.',
    params: object({}),
    result: object({ graph: DelegationGraph }),
  },
  team_get_copies: {
    summary: 'List the copies of folders that members of teams work in, with their size.',
    params: object({}),
    result: object({ copies: listOf(WorkspaceCopy, { maxItems: 10_000 }), used_bytes: Count, quota_bytes: Count }),
  },
  team_discard_copy: {
    summary: 'Delete the copy that a member worked in, with all changes that were not merged.',
    params: object({ run_id: Id }),
    result: object({ freed_bytes: Count }),
  },
} satisfies Record<string, Command>
