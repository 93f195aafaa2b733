// Converts a response of the cloud to the result of a command.

import type { CommandErrorCode } from '@tandem/contract/command'
import type { ProblemCode } from '@tandem/contract/problem'
import { fieldPath } from '@tandem/contract/validation'
import type { Identity } from '../account/account.ts'
import type { CloudFailure, CloudRefusal, CloudResult } from '../account/cloud-result.ts'
import type { FieldProblem, Outcome } from './outcome.ts'

const codes: Partial<Record<ProblemCode, CommandErrorCode>> = {
  not_found: 'not_found',
  transition_refused: 'transition_refused',
  wrong_device: 'transition_refused',
  version_conflict: 'version_conflict',
  invalid_request: 'invalid_params',
  wrong_password: 'wrong_password',
  weak_password: 'weak_password',
  rate_limited: 'rate_limited',
  limit_reached: 'limit_reached',
  unauthorized: 'signed_out',
  invalid_token: 'signed_out',
  token_expired: 'signed_out',
  session_ended: 'signed_out',
  refresh_token_reused: 'signed_out',
}

export function toFailedOutcome(answer: CloudFailure): Outcome<never> {
  if (answer.kind === 'unreachable')
    return { ok: false, code: 'cloud_unreachable', message: `the server cannot be reached: ${answer.detail}` }
  const code = codes[answer.code] ?? (answer.status >= 500 || answer.status === 429 ? 'cloud_unreachable' : 'cloud_refused')
  return { ok: false, code, message: messageOf(code, answer), fields: fieldsOf(answer) }
}

/** What the cloud says of a field is also what a command says of it: both have the same names. */
export function fieldsOf({ code, detail, errors = [] }: Pick<CloudRefusal, 'code' | 'detail' | 'errors'>): FieldProblem[] {
  const named = errors.flatMap(({ pointer, message }) => (pointer === '' ? [] : [{ field: fieldPath(pointer), message }]))
  if (named.length > 0) return named
  if (code === 'weak_password') return [{ field: 'new_password', message: detail }]
  return []
}

function messageOf(code: CommandErrorCode, { detail, retry_after_ms }: CloudRefusal): string {
  if (code === 'signed_out') return `the server does not accept this device's sign-in: ${detail}`
  if (code !== 'rate_limited' || retry_after_ms === undefined) return detail
  const wait = `${Math.ceil(retry_after_ms / 1_000)} s`
  return detail.includes(wait) ? detail : `${detail}; try again in ${wait}`
}

/** The session, or a refusal that needs no network. */
export function sessionOf(identity: Identity | null): Outcome<Identity> {
  if (identity === null) return { ok: false, code: 'signed_out', message: 'you are not signed in on this device' }
  if (identity.ended === null) return { ok: true, value: identity }
  return { ok: false, code: 'signed_out', message: `the server ended the session of ${identity.email}: ${identity.ended}` }
}

/** Without a response, it is unknown whether the change was made: `note` explains what to do. */
export function withUncertainNote<Value>(outcome: Outcome<Value>, note: string): Outcome<Value> {
  if (outcome.ok || outcome.code !== 'cloud_unreachable') return outcome
  return { ...outcome, message: `${outcome.message}. ${note}` }
}

export function toOutcome<Body, Value>(answer: CloudResult<Body>, tell: (body: Body) => Value): Outcome<Value> {
  return answer.kind === 'ok' ? { ok: true, value: tell(answer.body) } : toFailedOutcome(answer)
}
