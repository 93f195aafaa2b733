import Type, { type Static } from 'typebox'
import { FailureContract } from '../failure/schema.ts'
import { Line, listOf, object, oneOf, Text } from '../shape.ts'
import { checkpointCommands } from './checkpoints.ts'
import { cloudCommands } from './cloud/schema.ts'
import type { Command } from './command.ts'
import { diagnosticsCommands } from './diagnostics.ts'
import { commandErrorCodes } from './error.ts'
import { executorCommands } from './executors.ts'
import { failurePatternCommands } from './failure-patterns.ts'
import type { CommandName } from './index.ts'
import { knowledgeCommands } from './knowledge.ts'
import { learningCommands } from './learning.ts'
import { mcpServerCommands } from './mcp-servers.ts'
import { memoryCommands } from './memory.ts'
import { memoryBrowserCommands } from './memory-browser.ts'
import { modelCommands } from './models.ts'
import { policyCandidateCommands } from './policy-candidates.ts'
import { runtimeCommands } from './runtime/schema.ts'
import { skillEvolutionCommands, skillRolloutCommands } from './skill-evolution.ts'
import { skillCommands } from './skills.ts'
import { workflowCommands } from './workflows.ts'

export type { Command } from './command.ts'
export { RpcError, RpcNotification, RpcSubscription, RpcUnsubscription, RuntimeFile, SubscribeParams } from './rpc/schema.ts'

export const commands = {
  ...checkpointCommands,
  ...memoryCommands,
  ...memoryBrowserCommands,
  ...policyCandidateCommands,
  ...failurePatternCommands,
  ...skillEvolutionCommands,
  ...skillRolloutCommands,
  ...diagnosticsCommands,
  ...learningCommands,
  ...knowledgeCommands,
  ...mcpServerCommands,
  ...skillCommands,
  ...workflowCommands,
  ...executorCommands,
  ...modelCommands,
  ...runtimeCommands,
  ...cloudCommands,
} satisfies Record<CommandName, Command>

export type CommandParams<Name extends CommandName> = Static<(typeof commands)[Name]['params']>
export type CommandResult<Name extends CommandName> = Static<(typeof commands)[Name]['result']>

/** What a command returns instead of its result. */
export const CommandError = object({
  code: oneOf(commandErrorCodes),
  message: Text,
  remedy: Text,
  fields: Type.Optional(
    listOf(object({ field: Line, message: Text }), {
      maxItems: 100,
      description:
        'Each field that is wrong, such as `policy.rate_limit.calls`; the message continues a sentence that begins with its name',
    }),
  ),
  failure_contract: Type.Optional(FailureContract),
})
export type CommandError = Static<typeof CommandError>
