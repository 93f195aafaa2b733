// A route as data: input, output and problems. The server serves these, the client calls them, the documentation shows them.
import type { Static, TSchema } from 'typebox'
import type { ApiKeyScope } from '../auth/index.ts'
import type { ProblemCode } from '../problem/index.ts'
import type { RateClass } from './rate.ts'

/** `WS` is a WebSocket; everything else is HTTP. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'WS'

/** Whose schemas a model call uses. */
export type Dialect = 'openai' | 'anthropic'

/** Bodies and replies that are not one JSON document of our own schemas. */
export type Content =
  | { readonly content: 'none' }
  /** One file part named `file`, and text parts. */
  | { readonly content: 'multipart'; readonly file: string; readonly fields: TSchema; readonly max_bytes: number }
  | { readonly content: 'bytes' }
  | { readonly content: 'text'; readonly media_type: string }
  /** Passed through unchanged, chunk by chunk; its format is documented by the dialect. */
  | { readonly content: 'passthrough'; readonly dialect: Dialect; readonly media_types: readonly string[] }
  | { readonly content: 'messages'; readonly client: TSchema; readonly server: TSchema; readonly subprotocol: string }

export interface Route {
  readonly id: string
  readonly method: Method
  /** In Fastify's notation: `/api/v1/tasks/:id`. */
  readonly path: string
  readonly tag: RouteTag
  readonly summary: string
  readonly description?: string
  readonly auth: 'none' | 'user'
  readonly params?: TSchema
  /** Arrives as text: numbers and booleans are converted before the check. */
  readonly query?: TSchema
  /** The headers this route reads, in lower case. Closed like every schema: pick these out of the request before the check. */
  readonly headers?: TSchema
  readonly body?: TSchema | Content
  /** A missing body is treated as `{}`. */
  readonly body_optional?: true
  /** By status; `examples.reply` shows the lowest success. Replies with a `version` also have it as `ETag`. */
  readonly replies: { readonly [status: number]: TSchema | Content }
  /** Its own problems; `problemsOf` adds those that every route of its kind can respond with. */
  readonly problems: readonly ProblemCode[]
  /** Bytes; `limits.body_bytes` when absent. */
  readonly body_limit?: number
  readonly rate: RateClass
  /** Takes `Idempotency-Key`: a repeated request gets the reply of the first one. */
  readonly idempotent?: true
  /** Its errors have this dialect's format; if absent, they are `Problem`s. */
  readonly dialect?: Dialect
  readonly examples: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown; readonly reply?: unknown }
}

export const routeTags = ['auth', 'users', 'device', 'sync', 'workflows', 'tasks', 'files', 'logs', 'llm', 'realtime', 'service'] as const
export type RouteTag = (typeof routeTags)[number]

/** The scope an API key needs for a route; undefined if the route needs a session. */
export function keyScopeOf({ tag }: Pick<Route, 'tag'>): ApiKeyScope | undefined {
  return keyScopes[tag]
}

const keyScopes: Partial<Record<RouteTag, ApiKeyScope>> = { llm: 'gateway', sync: 'sync', device: 'sync' }

/** Returns its argument, only to keep the exact type. */
export function route<const R extends Route>(route: R): R {
  return route
}

export function isContent(body: TSchema | Content): body is Content {
  return 'content' in body
}

export type RouteParams<R extends Route> = Part<R, 'params'>
export type RouteQuery<R extends Route> = Part<R, 'query'>
export type RouteHeaders<R extends Route> = Part<R, 'headers'>
export type RouteBody<R extends Route> = Part<R, 'body'>
export type RouteReply<R extends Route, Status extends keyof R['replies'] = SuccessOf<R>> = Value<R['replies'][Status]>
/** The 2xx statuses a route declares. */
export type SuccessOf<R extends Route> = Extract<keyof R['replies'], 200 | 201 | 202 | 204 | 206>

type Part<R extends Route, Name extends 'params' | 'query' | 'headers' | 'body'> = Name extends keyof R ? Value<R[Name]> : undefined
/** Content that is not JSON has no value here: its handler reads or writes the stream. */
type Value<Shape> = Shape extends Content ? undefined : Shape extends TSchema ? Static<Shape> : undefined
