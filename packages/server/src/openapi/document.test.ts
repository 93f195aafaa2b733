import { Validator } from '@seriousme/openapi-schema-validator'
import { isContent, type Route } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { expect, test } from 'vitest'
import { openApiDocument } from './document.ts'

interface Media {
  readonly schema: { readonly type?: string; readonly $ref?: string; readonly anyOf?: readonly { readonly $ref?: string }[] }
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: Record<string, { readonly description: string; readonly content?: Record<string, Media> }>
}

const all = Object.values(routes) as Route[]
const document = openApiDocument(all, '0.0.0')
const described = all
  .filter((route) => route.method !== 'WS')
  .map((route) => {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}').replaceAll('*', '{wildcard}')
    return { id: route.id, route, operation: document.paths[path]?.[route.method.toLowerCase()] as Operation }
  })

test('a validator of the OpenAPI community finds no error', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test.each(described)('$id is described completely', ({ route, operation }) => {
  expect(operation).toMatchObject({ operationId: route.id, summary: route.summary })
  const told = Object.values(operation.responses).map((response) => response.description)
  for (const code of route.problems) expect(told.join()).toContain(`\`${code}\``)
  expect(JSON.stringify(operation)).not.toContain('~kind')
})

test.each(described)('$id has an example of its request and its response', ({ route, operation }) => {
  for (const media of Object.values(operation.requestBody?.content ?? {})) expect(media.example).toMatchObject(Object(route.examples.body))
  expect(operation.requestBody !== undefined).toBe(route.body !== undefined)
  if (route.body) expect(route.examples.body).toBeDefined()
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  expect(inPath.map(({ example }) => example)).toEqual(Object.values(Object(route.examples.params)))
  const [good] = Object.values(operation.responses)
  const shown = Object.entries(good?.content ?? {}).flatMap(([type, media]) => (type === 'text/event-stream' ? [] : [media.example]))
  expect(shown).toEqual(shown.map(() => route.examples.reply))
  if (good?.content) expect(route.examples.reply).toBeDefined()
})

test.each(described.filter(({ route }) => route.dialect !== undefined))(
  '$id describes its errors in its dialect',
  ({ route, operation }) => {
    const name = `#/components/schemas/${route.dialect === 'openai' ? 'OpenAiError' : 'AnthropicError'}`
    for (const [status, { content }] of Object.entries(operation.responses).filter(([code]) => Number(code) >= 400)) {
      // Refused by its headers alone, before the route is known.
      if (status === '431' || status === '417') {
        expect(Object.keys(content ?? {})).toEqual(['application/problem+json'])
        continue
      }
      const { schema } = content?.['application/json'] ?? expect.fail(`${status} has no JSON`)
      expect([status, schema.$ref ?? schema.anyOf?.[0]?.$ref]).toEqual([status, name])
      if (status !== '408') expect(Object.keys(content ?? {})).toEqual(['application/json'])
    }
  },
)

test('forwarded bodies are objects, and events are text', () => {
  const through = described.filter(({ route }) => route.body && isContent(route.body) && route.body.content === 'passthrough')
  expect(through).toHaveLength(7)
  for (const { operation } of through) {
    const answered = operation.responses['200']?.content ?? {}
    expect(operation.requestBody?.content['application/json']?.schema.type).toBe('object')
    expect([answered['application/json']?.schema.type, answered['text/event-stream']?.schema.type]).toEqual(['object', 'string'])
  }
})
