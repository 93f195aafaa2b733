// Checks every part of a request against the contract's schema before a handler gets it.
import type { IncomingHttpHeaders } from 'node:http'
import { isContent, type Route } from '@tandem/contract/http'
import { fieldErrors } from '@tandem/contract/validation'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { invalid } from './fault.ts'
import { sample } from './sample.ts'

export interface CheckedParts {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

/** The parts of a request that are checked. */
export interface RequestParts {
  readonly params: unknown
  readonly query: unknown
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** Compiled once per route; throws a refusal that lists every error with its JSON pointer. */
export function requestCheck(route: Route): (request: RequestParts) => CheckedParts {
  const params = textCheck(route.params, '/params')
  const query = textCheck(route.query, '/query')
  // Clients of models add their own parameters (`?beta=true`): they have a meaning for their provider, but not here.
  const queryNames = route.tag === 'llm' ? namesOf(route.query) : undefined
  const headers = textCheck(route.headers, '/headers')
  const headerNames = namesOf(route.headers)
  const body = route.body && !isContent(route.body) ? check(route.body, '') : undefined

  return (request) => ({
    params: params?.(request.params),
    query: query
      ? query(queryNames ? pick(Object(request.query), queryNames) : request.query)
      : queryNames
        ? undefined
        : refuseQuery(request),
    headers: headers?.(pick(request.headers, headerNames)),
    body: body?.(request.body === undefined ? (route.body_optional ? {} : null) : request.body),
  })
}

type Check = (value: unknown) => unknown

function check(schema: TSchema, prefix: string): Check {
  const compiled = Compile(schema)
  return (value) => {
    refuseWide(value, prefix)
    if (compiled.Check(value)) return value
    throw invalid(fieldErrors(compiled.Errors(sample(value)), prefix))
  }
}

/** No body of the contract has nearly as many fields, and checking each name would block the process. */
const widest = 1_000

function refuseWide(value: unknown, prefix: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length <= widest) return
  throw invalid([{ pointer: prefix, message: `must have at most ${widest} fields` }])
}

/** Parts that arrive as text: numbers and flags are parsed before the check. */
function textCheck(schema: TSchema | undefined, prefix: string): Check | undefined {
  if (!schema) return undefined
  const strict = check(schema, prefix)
  const properties = 'properties' in schema ? (schema.properties as Record<string, { type?: string }>) : {}
  return (value) => {
    const read = Object.entries(value as object).map(([name, text]) => [
      name,
      readText(text, Object.hasOwn(properties, name) ? properties[name]?.type : undefined),
    ])
    return strict(Object.fromEntries(read))
  }
}

/** Only exact numbers and flags are converted; anything else is left to the check. */
function readText(text: unknown, type: string | undefined): unknown {
  if (typeof text !== 'string') return text
  if (type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text)
  if (type === 'number' && /^-?\d{1,16}(?:\.\d{1,16})?$/.test(text)) return Number(text)
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text
}

function refuseQuery(request: RequestParts): undefined {
  const names = Object.keys(Object(request.query))
  if (names.length > 0) throw invalid(names.map((name) => ({ pointer: `/query/${name}`, message: 'is not supported here' })))
  return undefined
}

function namesOf(schema: TSchema | undefined): string[] {
  return schema && 'properties' in schema ? Object.keys(schema.properties as object) : []
}

function pick(headers: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
}
