// What the cloud answered, as a command tells it.
import type { CommandErrorCode } from '@tandem/contract/command'
import type { ProblemCode } from '@tandem/contract/problem'
import type { Answer, NoAnswer } from '../account/answer.ts'
import type { Outcome } from './features.ts'

const codes: Partial<Record<ProblemCode, CommandErrorCode>> = {
  not_found: 'not_found',
  transition_refused: 'transition_refused',
  wrong_device: 'transition_refused',
  version_conflict: 'version_conflict',
  invalid_request: 'invalid_params',
  unauthorized: 'signed_out',
  invalid_token: 'signed_out',
  token_expired: 'signed_out',
  session_ended: 'signed_out',
  refresh_token_reused: 'signed_out',
}

export function noAnswer(answer: NoAnswer): Outcome<never> {
  if (answer.kind === 'unreachable')
    return { ok: false, code: 'cloud_unreachable', message: `the cloud can't be reached: ${answer.detail}` }
  const code = codes[answer.code] ?? (answer.status >= 500 || answer.status === 429 ? 'cloud_unreachable' : 'cloud_refused')
  return { ok: false, code, message: code === 'signed_out' ? `the cloud does not know this device: ${answer.detail}` : answer.detail }
}

export function told<Body, Value>(answer: Answer<Body>, tell: (body: Body) => Value): Outcome<Value> {
  return answer.kind === 'ok' ? { ok: true, value: tell(answer.body) } : noAnswer(answer)
}
