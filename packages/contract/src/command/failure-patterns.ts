import Type from 'typebox'
import { failureTaxonomies } from '../failure/index.ts'
import { AffectedSubsystem, FailurePattern } from '../learning/schema.ts'
import { Id, Key, oneOf, pageOf, Timestamp } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

export const failurePatternCommands = {
  agent_run_list_failure_patterns: {
    summary: 'List clustered failure patterns, the latest seen first.',
    params: listParams({
      run_id: Type.Optional(Id),
      agent_id: Type.Optional(Key),
      taxonomy: Type.Optional(oneOf(failureTaxonomies)),
      affected_subsystem: Type.Optional(AffectedSubsystem),
      since: Type.Optional(Timestamp),
    }),
    result: pageOf(FailurePattern),
  },
} satisfies Record<CommandNameIn<'failure_patterns'>, Command>
