import Type from 'typebox'
import { importLimits, importSources } from '../../import/index.ts'
import { Flag, Id, Key, Line, listOf, object, oneOf, Timestamp } from '../../shape.ts'
import type { Command } from '../command.ts'
import { importOutcomes } from './names.ts'

export const importCommands = {
  conversation_import: {
    summary: 'Add a conversation that another assistant exported. Importing it again adds only its newer messages.',
    params: object({
      source: oneOf(importSources),
      /** Its id in the export. */
      source_id: Type.String({ minLength: 1, maxLength: 200 }),
      /** The last message of this path through it, in exports with branches. */
      leaf_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      title: Line,
      created_at: Timestamp,
      updated_at: Timestamp,
      messages: listOf(
        object({
          role: oneOf(['user', 'assistant'] as const),
          text: Type.String({ minLength: 1, maxLength: importLimits.characters }),
          created_at: Timestamp,
        }),
        { minItems: 1, maxItems: importLimits.messages },
      ),
      /** The default agent when absent. */
      agent_id: Type.Optional(Key),
      /** Whether its messages count as the user's own words, so that memories may be made from them. */
      for_memory: Type.Optional(Flag),
    }),
    result: object({ conversation_id: Id, outcome: oneOf(importOutcomes) }),
  },
} satisfies Record<string, Command>
