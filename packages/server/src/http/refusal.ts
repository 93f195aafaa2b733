// A request that cannot be served, with a code from the contract's table.
import { type Problem, type ProblemCode, problems, problemType } from '@tandem/contract/problem'

type Extra = Partial<Omit<Problem, 'type' | 'title' | 'status' | 'detail' | 'code' | 'request_id' | 'remedy'>>

/** Thrown by handlers and caught in one place, which turns it into the response. */
export class Refusal extends Error {
  readonly code: ProblemCode
  readonly extra: Extra

  constructor(code: ProblemCode, detail: string, extra: Extra = {}) {
    super(detail)
    this.code = code
    this.extra = extra
  }
}

export function refuse(code: ProblemCode, detail: string, extra?: Extra): Refusal {
  return new Refusal(code, detail, extra)
}

export function problemBody(refusal: Refusal, requestId: string): Problem {
  const { status, title, remedy } = problems[refusal.code]
  return {
    type: problemType(refusal.code),
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    request_id: requestId,
    remedy,
    ...refusal.extra,
  }
}

export function bodyTooLarge(limit: number): Refusal {
  return refuse('payload_too_large', `the body is larger than ${limit} bytes`, { limits: [{ name: 'body_bytes', limit }] })
}
