// A caller that knows the contract: every response is checked against the schemas of the route.
import { isContent, type Route } from '@tandem/contract/http'
import { type RouteId, routes } from '@tandem/contract/http/schema'
import { anthropicErrorType } from '@tandem/contract/llm'
import { AnthropicErrorBody, OpenAiErrorBody } from '@tandem/contract/llm/schema'
import { type Problem, type ProblemCode, problems } from '@tandem/contract/problem'
import { Problem as ProblemSchema } from '@tandem/contract/problem/schema'
import { Compile } from 'typebox/compile'

export interface ContractRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is sent as is: multipart, invalid JSON. */
  readonly raw?: string | FormData
  readonly token?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies whose shape has just been checked
  readonly body: any
  readonly problem: Problem | undefined
}

const isProblem = Compile(ProblemSchema)
const dialectErrors = { openai: Compile(OpenAiErrorBody), anthropic: Compile(AnthropicErrorBody) }
const compiled = new Map<object, ReturnType<typeof Compile>>()

export async function callRoute(
  base: string,
  id: RouteId,
  { params = {}, query, headers = {}, body, raw, token }: ContractRequest = {},
): Promise<Reply> {
  const route: Route = routes[id]
  const path = route.path.replaceAll(/:([a-z_]+)|\*/g, (found, name = found) => encodeURIComponent(params[name] ?? ''))
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const response = await fetch(`${base}${path}${search}`, {
    method: route.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(raw !== undefined ? { body: raw } : body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  return await read(route, response)
}

async function read(route: Route, response: Response): Promise<Reply> {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const json = /json/.test(type) && text !== '' ? JSON.parse(text) : undefined
  const { status, headers } = response
  const shape = route.replies[status]
  if (type.startsWith('application/problem+json')) {
    if (!isProblem.Check(json)) throw new Error(`${route.id} ${status}: not a problem: ${text}`)
    return { status, headers, body: json, problem: json }
  }
  if (route.dialect && status >= 400) {
    if (!dialectErrors[route.dialect].Check(json)) throw new Error(`${route.id} ${status}: not an error of ${route.dialect}: ${text}`)
    return { status, headers, body: json, problem: undefined }
  }
  if (!shape) throw new Error(`${route.id} answered ${status}, which its contract does not name: ${text.slice(0, 500)}`)
  if (!isContent(shape)) {
    const check = compiled.get(shape) ?? Compile(shape)
    compiled.set(shape, check)
    if (!check.Check(json)) {
      const [first] = check.Errors(json)
      throw new Error(`${route.id} ${status}: ${first?.instancePath} ${first?.message} in ${text.slice(0, 500)}`)
    }
  }
  return { status, headers, body: json ?? text, problem: undefined }
}

/** What distinguishes refusals on this route, and the value for `code`: Anthropic's format has no code, only a type. */
export function refusalOf(id: RouteId, { status, body, problem }: Reply): readonly [number, unknown] {
  const { dialect }: Route = routes[id]
  if (!dialect) return [status, problem?.code]
  return [status, dialect === 'openai' ? body?.error?.code : body?.error?.type]
}

export function refusalFor(id: RouteId, code: ProblemCode): readonly [number, unknown] {
  const { dialect }: Route = routes[id]
  const { status } = problems[code]
  return [status, dialect === 'anthropic' ? anthropicErrorType(status) : code]
}
