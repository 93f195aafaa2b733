// The commands of a feature, by name.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Outcome } from './outcome.ts'

type Handler<Name extends CommandName> = (
  params: CommandParams<Name>,
) => Outcome<CommandResult<Name>> | Promise<Outcome<CommandResult<Name>>>

export type CommandTable = { readonly [Name in CommandName]?: Handler<Name> }
