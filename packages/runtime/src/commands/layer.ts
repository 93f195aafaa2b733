// The command layer: takes a name and parameters, returns a result or an error with a remedy. It never throws.

import {
  type CloudCommandName,
  type CommandError,
  type CommandErrorCode,
  type CommandName,
  type CommandParams,
  type CommandResult,
  cloudCommandNames,
  commandErrors,
  isCommandName,
  type RuntimeCommandName,
  runtimeCommandNames,
} from '@tandem/contract/command'
import { systemErrorText } from '@tandem/contract/system-error'
import { namedErrors, validationText } from '@tandem/contract/validation'
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { Outcome, Rejection } from '../feature/outcome.ts'
import type { Features } from './features.ts'
import { commandTable } from './table.ts'

export type CommandAnswer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: CommandError }

export interface CommandLayer {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandAnswer<CommandResult<Name>>>
  /** For untrusted input: validates the name and the parameters. */
  callUntrusted(name: string, params: unknown): Promise<CommandAnswer<unknown>>
}

export interface LayerOptions {
  log(line: string): void
}

export function openCommands(features: Partial<Features>, { log }: LayerOptions): CommandLayer {
  const table = commandTable(features) as {
    readonly [name: string]: ((params: unknown) => Outcome<unknown> | Promise<Outcome<unknown>>) | undefined
  }
  const validators = new Map<CommandName, Promise<Validator>>()

  function validatorOf(name: CommandName): Promise<Validator> {
    const validator = validators.get(name) ?? compiled(name)
    validators.set(name, validator)
    return validator
  }

  async function receive(name: string, params: unknown): Promise<CommandAnswer<unknown>> {
    if (!isCommandName(name)) return refuse('unknown_command', `there is no command named ${shortened(name)}`)
    const handler = table[name]
    if (!handler) return refuse('not_available', 'this version of Tandem cannot do this yet')
    try {
      const validator = await validatorOf(name)
      if (!validator.Check(params)) return invalid(validator.Errors(params))
      const outcome = await handler(params)
      return outcome.ok ? outcome : refuse(outcome.code, outcome.message, outcome)
    } catch (error) {
      const unwritable = storageProblem(error)
      if (unwritable) return refuse('storage_unavailable', unwritable)
      log(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`)
      return refuse('internal_error', 'an unexpected error occurred; the log of the runtime has the details')
    }
  }

  return {
    callUntrusted: receive,
    call: (name, params) => receive(name, params) as Promise<CommandAnswer<never>>,
  }
}

export function refuse(
  code: CommandErrorCode,
  message: string,
  { failure_contract, fields = [], ...own }: Pick<Rejection, 'remedy' | 'fields' | 'failure_contract'> = {},
): { readonly ok: false; readonly error: CommandError } {
  // The failure contract describes this failure; the remedy of a code is general.
  const remedy = failure_contract?.details.remedy ?? own.remedy ?? commandErrors[code].remedy
  return {
    ok: false,
    error: {
      code,
      message: shortened(message, 60_000),
      remedy,
      ...(fields.length > 0 ? { fields: fields.slice(0, mostFields).map(({ field, message: text }) => ({ field, message: text })) } : {}),
      ...(failure_contract ? { failure_contract } : {}),
    },
  }
}

const mostFields = 100

function invalid(errors: Parameters<typeof validationText>[0]) {
  return refuse('invalid_params', validationText(errors, 'the parameters'), { fields: namedErrors(errors) })
}

/** Schemas are loaded and compiled on first use, so a start that calls one command loads only one. */
async function compiled(name: CommandName): Promise<Validator> {
  const [{ Compile }, { Settings }, params] = await Promise.all([import('typebox/compile'), import('typebox/system'), paramsOf(name)])
  // By default it stops after 8, which is too early to tell which form of a union was meant.
  Settings.Set({ maxErrors: 100 })
  return Compile(params)
}

async function paramsOf(name: CommandName): Promise<TSchema> {
  if (isRuntimeCommand(name)) return (await import('@tandem/contract/command/runtime/schema')).runtimeCommands[name].params
  if (isCloudCommand(name)) return (await import('@tandem/contract/command/cloud/schema')).cloudCommands[name].params
  return (await import('@tandem/contract/command/schema')).commands[name].params
}

function isRuntimeCommand(name: string): name is RuntimeCommandName {
  return (runtimeCommandNames as readonly string[]).includes(name)
}

function isCloudCommand(name: string): name is CloudCommandName {
  return (cloudCommandNames as readonly string[]).includes(name)
}

/** A message if the disk is full or cannot be written; otherwise null. */
function storageProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? String(error.code) : ''
  const sqlite = 'errcode' in error ? Number(error.errcode) & 0xff : 0
  if (code === 'ENOSPC' || sqlite === sqliteFull) return 'the disk is full'
  if (code === 'EDQUOT') return 'the disk quota of this user is used up'
  if (['EROFS', 'EACCES', 'EIO'].includes(code) || sqliteUnwritable.includes(sqlite))
    return `the disk cannot be written to: ${systemErrorText(error)}`
  return null
}

const sqliteFull = 13
/** Read-only, I/O error, cannot open. */
const sqliteUnwritable = [8, 10, 14]

function shortened(text: string, longest = 100): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
}
