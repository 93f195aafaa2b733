import { Validator } from '@seriousme/openapi-schema-validator'
import type { Route } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { expect, test } from 'vitest'
import { openApiDocument } from './document.ts'

const all = Object.values(routes) as Route[]
const document = openApiDocument(all, '0.0.0')

test('a validator of the OpenAPI community finds no error', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test.each(all.filter((route) => route.method !== 'WS'))('$id is described whole', (route) => {
  const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}').replaceAll('*', '{wildcard}')
  const operation = document.paths[path]?.[route.method.toLowerCase()] as Record<string, Record<string, { description: string }>>
  expect(operation).toMatchObject({ operationId: route.id, summary: route.summary })
  const described = Object.values(operation.responses ?? {}).map((response) => response.description)
  for (const code of route.problems) expect(described.join()).toContain(`\`${code}\``)
  expect(JSON.stringify(operation)).not.toContain('~kind')
})
