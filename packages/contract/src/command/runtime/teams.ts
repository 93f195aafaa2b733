import Type from 'typebox'
import { Count, Id, Key, Line, listOf, object, pageOf } from '../../shape.ts'
import { DelegationGraph, Team, TeamMessage, WorkspaceCopy } from '../../team/schema.ts'
import { type Command, listParams } from '../command.ts'

const result = object({ team: Team })
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
    summary: 'Write a message to a run that is waiting or running. It gets the message at its next turn.',
    params: object({
      run_id: Id,
      text: Type.String({ minLength: 1, maxLength: 1_000_000 }),
      /** Repeating the call with the same key writes only one message. */
      key: Type.Optional(Key),
    }),
    result: object({ message_id: Id }),
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
