// The result of a command: its value, or why it was refused.
import type { CommandErrorCode } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Rejection

export interface Rejection {
  readonly ok: false
  readonly code: CommandErrorCode
  readonly message: string
  readonly remedy?: string
  readonly failure_contract?: FailureContract
}
