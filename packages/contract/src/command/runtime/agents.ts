import Type, { type Static } from 'typebox'
import { Agent } from '../../agent/schema.ts'
import { Flag, Key, object, pageOf, Timestamp, Version } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'

/** An agent with its id and version. */
export const StoredAgent = object({ agent_id: Key, version: Version, updated_at: Timestamp, agent: Agent })
export type StoredAgent = Static<typeof StoredAgent>

const { name, description, identity, instructions, model, temperature, max_turns, sandbox_mode, avatar, delegates_to, budget } =
  Agent.properties

/** The fields of an agent that the user sets; a missing one is unchanged, or has the default of a new agent. */
const said = {
  description: Type.Optional(description),
  identity: Type.Optional(identity),
  instructions: Type.Optional(instructions),
  model: Type.Optional(model),
  temperature: Type.Optional(temperature),
  max_turns: Type.Optional(max_turns),
  sandbox_mode: Type.Optional(sandbox_mode),
  avatar: Type.Optional(avatar),
  delegates_to,
  budget,
}

const result = object({ agent: StoredAgent })

export const agentCommands = {
  agent_create: {
    summary: 'Create an agent.',
    params: object({ name, ...said }),
    result,
  },
  agent_update: {
    summary: 'Change an agent; fields that are not given stay the same.',
    params: object({
      agent_id: Key,
      /** The version that the change is based on; if it is not current, the result is a `version_conflict`. */
      version: Type.Optional(Version),
      name: Type.Optional(name),
      ...said,
    }),
    result,
  },
  agent_get: {
    summary: 'Show one agent.',
    params: object({ agent_id: Key }),
    result,
  },
  agent_list: {
    summary: 'List the agents by name; archived ones only on request.',
    params: listParams({ archived: Type.Optional(Flag) }),
    result: pageOf(StoredAgent),
  },
  agent_archive: {
    summary: 'Archive or unarchive an agent. Its conversations are kept.',
    params: object({ agent_id: Key, archived: Flag }),
    result,
  },
} satisfies Record<string, Command>
