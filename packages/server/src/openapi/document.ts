// The contract's routes as an OpenAPI 3.1 document: the same schemas validate requests, so the two cannot differ.
import { type Content, type Dialect, isContent, problemsOf, type Route } from '@tandem/contract/http'
import { AnthropicErrorBody, OpenAiErrorBody } from '@tandem/contract/llm/schema'
import { type ProblemCode, problemMediaType, problems } from '@tandem/contract/problem'
import { Problem } from '@tandem/contract/problem/schema'
import type { TSchema } from 'typebox'

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: object
  readonly tags: readonly object[]
  readonly paths: Record<string, Record<string, object>>
  readonly components: object
}

export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    if (route.method === 'WS') continue
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}').replaceAll('*', '{wildcard}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tandem cloud backend',
      version,
      description: 'Stores and forwards. It never executes a tool, an agent loop or a workflow.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: plain(Problem), OpenAiError: plain(OpenAiErrorBody), AnthropicError: plain(AnthropicErrorBody) },
    },
  }
}

function operation(route: Route): object {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    security: route.auth === 'user' ? [{ bearer: [] }] : [],
    parameters: [...parameters(route, 'path'), ...parameters(route, 'query'), ...parameters(route, 'header')],
    ...(route.body ? { requestBody: { required: route.body_optional !== true, content: content(route.body, route.examples.body) } } : {}),
    responses: { ...replies(route), ...problemReplies(route) },
  }
}

const parts = { path: 'params', query: 'query', header: 'headers' } as const

function parameters(route: Route, where: keyof typeof parts): object[] {
  const schema = route[parts[where]]
  if (!schema || !('properties' in schema)) return wildcard(route, where)
  const required = 'required' in schema ? (schema.required as string[]) : []
  const examples = where === 'header' ? {} : ((where === 'path' ? route.examples.params : route.examples.query) ?? {})
  return Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => {
    const example = (examples as Record<string, unknown>)[name]
    return {
      name: name === '*' ? 'wildcard' : name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...('description' in property ? { description: property.description } : {}),
      schema: plain(property),
      ...(example === undefined ? {} : { example }),
    }
  })
}

function wildcard(route: Route, where: keyof typeof parts): object[] {
  return where === 'path' && route.path.includes('*') ? [{ name: 'wildcard', in: 'path', required: true, schema: { type: 'string' } }] : []
}

function replies(route: Route): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, shape], index) => {
      const body = content(shape, index === 0 ? route.examples.reply : undefined)
      return [status, { description: route.summary, ...(Object.keys(body).length > 0 ? { content: body } : {}) }]
    }),
  )
}

/** One response per status, listing all its codes, in the dialect of the route. */
function problemReplies(route: Route): Record<string, object> {
  const byStatus = Map.groupBy(problemsOf(route), (code) => problems[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('; '),
        content: problemContent(route, status, codes),
      },
    ]),
  )
}

/** Sent by the connection before the route is known; it is a problem on every route. */
const saidBeforeRouting = {
  headers_too_large: 'always',
  expectation_failed: 'always',
  request_timeout: 'sometimes',
} as const satisfies Partial<Record<ProblemCode, string>>

function problemContent({ dialect, replies }: Route, status: number, codes: readonly ProblemCode[]): Record<string, object> {
  const problem = { [problemMediaType]: { schema: { $ref: '#/components/schemas/Problem' } } }
  if (!dialect) return problem
  const before = codes.flatMap((code) => (code in saidBeforeRouting ? [saidBeforeRouting[code as keyof typeof saidBeforeRouting]] : []))
  if (before.length === codes.length && !before.includes('sometimes')) return problem
  const own = { $ref: `#/components/schemas/${dialectErrors[dialect]}` }
  // A provider's own text about an invalid request is forwarded unchanged.
  const passes = status < 500 && Object.values(replies).some((shape) => isContent(shape) && shape.content === 'passthrough')
  const schema = passes ? { anyOf: [own, openObject(dialect)] } : own
  return { 'application/json': { schema }, ...(before.length > 0 ? problem : {}) }
}

const dialectErrors = { openai: 'OpenAiError', anthropic: 'AnthropicError' } as const satisfies Record<Dialect, string>

function content(shape: TSchema | Content, example: unknown): Record<string, object> {
  const shown = example === undefined ? {} : { example }
  if (!isContent(shape)) return { 'application/json': { schema: plain(shape), ...shown } }
  switch (shape.content) {
    case 'none':
    case 'messages':
      return {}
    case 'bytes':
      return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' }, ...shown } }
    case 'text':
      return { [shape.media_type]: { schema: { type: 'string' }, ...shown } }
    case 'passthrough':
      return Object.fromEntries(
        shape.media_types.map((type) => [
          type,
          type === 'text/event-stream'
            ? { schema: { type: 'string', description: `events as ${shape.dialect} documents them` } }
            : { schema: openObject(shape.dialect), ...shown },
        ]),
      )
    case 'multipart': {
      const fields = plain(shape.fields) as { properties?: object; required?: string[] }
      const properties = { ...fields.properties, [shape.file]: { type: 'string', format: 'binary' } }
      const required = [...(fields.required ?? []), shape.file]
      return {
        'multipart/form-data': {
          schema: { type: 'object', properties, required },
          example: { ...Object(example), [shape.file]: 'the bytes of the file' },
        },
      }
    }
  }
}

/** Forwarded unchanged, so it may contain anything. */
function openObject(dialect: Dialect): object {
  return { type: 'object', description: `as ${dialect} documents it`, additionalProperties: true }
}

/** The schema without the symbols of its builder. */
function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema))
}
