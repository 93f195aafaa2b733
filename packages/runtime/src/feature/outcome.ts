// What a command comes to: its value, or why not.
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
