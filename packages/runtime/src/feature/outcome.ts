// The result of a command: its value, or why it was refused.
import type { CommandErrorCode } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Rejection

export interface Rejection {
  readonly ok: false
  readonly code: CommandErrorCode
  readonly message: string
  readonly remedy?: string
  readonly fields?: readonly FieldProblem[]
  readonly failure_contract?: FailureContract
}

/** `message` continues a sentence that begins with the name of the field. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export function rejection(code: CommandErrorCode, message: string): Rejection {
  return { ok: false, code, message }
}

/** `message` says it where no form shows the field. */
export function invalidField(field: string, problem: string, message = `\`${field}\` ${problem}`): Rejection {
  return { ok: false, code: 'invalid_params', message, fields: [{ field, message: problem }] }
}
