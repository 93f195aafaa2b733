// One HTTP request to the cloud, with a timeout. Refusals are parsed as problems.
import { type ProblemCode, problems } from '@tandem/contract/problem'
import type { Clock } from '../clock/clock.ts'
import type { CloudRefusal, CloudResult } from './cloud-result.ts'

export interface CloudRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Includes the query. */
  readonly path: string
  readonly json?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly timeout_ms?: number
}

export type SendRequest = (base: string, request: CloudRequest, token: string | null) => Promise<CloudResult<Response>>

const patience_ms = 30_000

/** `leaving` is aborted when the runtime stops; pending requests end then. */
export function createSendRequest(clock: Clock, leaving?: AbortSignal, request: typeof fetch = fetch): SendRequest {
  return async (base, { method, path, json, form, headers = {}, timeout_ms = patience_ms }, token) => {
    const ending = new AbortController()
    const cancel = clock.after(timeout_ms, () => ending.abort(new Error(`no response within ${timeout_ms / 1_000} s`)))
    try {
      const response = await request(`${base}${path}`, {
        method,
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(form ? { body: form } : json === undefined ? {} : { body: JSON.stringify(json) }),
        redirect: 'error',
        signal: leaving ? AbortSignal.any([ending.signal, leaving]) : ending.signal,
      })
      // The body of a successful response is still being read, under the same timeout.
      if (response.ok) return { kind: 'ok', body: response }
      const refusal = await refusalOf(response)
      cancel()
      return refusal
    } catch (error) {
      cancel()
      return { kind: 'unreachable', detail: causeOf(error) }
    }
  }
}

/** The body as JSON. An interrupted body counts as no response. */
export async function readJson<Body>(answer: CloudResult<Response>): Promise<CloudResult<Body>> {
  if (answer.kind !== 'ok') return answer
  let text: string
  try {
    text = await answer.body.text()
  } catch (error) {
    return { kind: 'unreachable', detail: `the response was interrupted: ${causeOf(error)}` }
  }
  try {
    return { kind: 'ok', body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    // The parser's own message quotes the text, which may contain a token or a key.
    return { kind: 'unreachable', detail: 'the response is not valid JSON' }
  }
}

async function refusalOf(response: Response): Promise<CloudResult<never>> {
  const text = await response.text()
  const problem = problemIn(text)
  // Something between this device and the cloud responded instead.
  if (!problem) return { kind: 'unreachable', detail: `the address responded with ${response.status} and is not a Tandem server` }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const refused: CloudRefusal = { kind: 'refused', status: response.status, ...problem }
  return Number.isFinite(seconds) ? { ...refused, retry_after_ms: seconds * 1_000 } : refused
}

function isFieldError(value: unknown): value is { readonly pointer: string; readonly message: string } {
  const { pointer, message } = Object(value) as Record<string, unknown>
  return typeof pointer === 'string' && typeof message === 'string'
}

function problemIn(text: string): Pick<CloudRefusal, 'code' | 'detail' | 'errors'> | undefined {
  try {
    const { code, detail, title, errors } = JSON.parse(text) as Record<string, unknown>
    if (typeof code !== 'string' || !Object.hasOwn(problems, code)) return undefined
    return {
      code: code as ProblemCode,
      detail: String(detail ?? title ?? code),
      errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    }
  } catch {
    // Not JSON, so not one of our problems.
    return undefined
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null
  return code ?? (cause instanceof Error ? cause.message : error.message)
}
