import { ToolFailure } from '../call/failure.ts'
import type { Rejection } from '../feature/outcome.ts'

/** Why a request of a tool was refused. */
export function failureOf({ code, message, remedy }: Rejection): ToolFailure {
  return new ToolFailure(code, message, { ...(remedy ? { remedy } : {}), recoverability: 'user_action' })
}
