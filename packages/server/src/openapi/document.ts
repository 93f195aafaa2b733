// The contract's routes as an OpenAPI 3.1 document: the same schemas that check requests, so the two can't disagree.
import { type Content, isContent, problemsOf, type Route } from '@tandem/contract/http'
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
      schemas: { Problem: plain(Problem) },
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
    responses: { ...replies(route), ...problemReplies(problemsOf(route)) },
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

/** One answer for a status, listing each code it can carry. */
function problemReplies(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, all]) => [
      String(status),
      {
        description: all.map((code) => `\`${code}\`: ${problems[code].title}`).join('; '),
        content: { [problemMediaType]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function content(shape: TSchema | Content, example: unknown): Record<string, object> {
  if (!isContent(shape)) return { 'application/json': { schema: plain(shape), ...(example === undefined ? {} : { example }) } }
  switch (shape.content) {
    case 'none':
    case 'messages':
      return {}
    case 'bytes':
      return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    case 'text':
      return { [shape.media_type]: { schema: { type: 'string' } } }
    case 'passthrough':
      return Object.fromEntries(
        shape.media_types.map((type) => [type, { schema: { type: 'string', description: `as ${shape.dialect} documents it` } }]),
      )
    case 'multipart': {
      const fields = plain(shape.fields) as { properties?: object; required?: string[] }
      const properties = { ...fields.properties, [shape.file]: { type: 'string', format: 'binary' } }
      const required = [...(fields.required ?? []), shape.file]
      return { 'multipart/form-data': { schema: { type: 'object', properties, required } } }
    }
  }
}

/** The schema without the builder's own marks. */
function plain(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema))
}
