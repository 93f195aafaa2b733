// Every schema of the contract is closed at every depth, and can be loaded without Node.
import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isContent, type Route } from '../src/http/index.ts'
import { routes } from '../src/http/schema.ts'

const files = globSync(['packages/contract/src/*/schema.ts', 'packages/contract/src/tool/output/index.ts']).sort()

/**
 * Open schemas, by their description: the payload of an entity, the result of a tool, a change before it is checked on its own,
 * what a script in a page returned, and what an MCP server returned in addition to its texts.
 */
const openByNature = ['Entity content', 'The output of a tool', 'A change record', 'The value of an expression', 'Structured content']

interface Open {
  readonly where: string
  readonly why: string
}

/** Where below `schema` any value would be accepted. */
function openPlaces(schema: unknown, where: string): Open[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return []
  const node = schema as Record<string, unknown>
  if (openByNature.includes(String(node.description))) return []
  const found: Open[] = []
  const constrained = ['type', 'const', 'enum', 'anyOf', 'allOf', 'oneOf', '$ref', 'not', 'pattern'].some((keyword) => keyword in node)
  if (!constrained) found.push({ where, why: 'accepts anything' })
  if (node.type === 'object' && node.additionalProperties !== false) found.push({ where, why: 'is an open object' })
  for (const keyword of ['properties', 'patternProperties']) {
    for (const [name, child] of Object.entries((node[keyword] as object | undefined) ?? {}))
      found.push(...openPlaces(child, `${where}/${name}`))
  }
  for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
    for (const [index, child] of ((node[keyword] as unknown[] | undefined) ?? []).entries())
      found.push(...openPlaces(child, `${where}(${index})`))
  }
  if ('items' in node) found.push(...openPlaces(node.items, `${where}[]`))
  return found
}

const isSchema = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ('~kind' in value || '~unsafe' in value)

/** Exported as a looser form of schemas that are checked fully elsewhere. */
const looseOnPurpose = ['MergeableTodos']

describe('no schema is open', () => {
  test('the walk covers the contract', () => {
    expect(files.length).toBeGreaterThan(25)
  })

  test.each(files)('%s', async (file) => {
    const module: Record<string, unknown> = await import(`${process.cwd()}/${file}`)
    const found: Open[] = []
    let seen = 0
    const walk = (value: unknown, where: string, depth: number) => {
      if (looseOnPurpose.includes(where)) return
      if (isSchema(value)) {
        seen += 1
        found.push(...openPlaces(value, where))
      } else if (typeof value === 'object' && value !== null && depth < 4) {
        for (const [name, child] of Object.entries(value)) if (name !== 'examples') walk(child, `${where}.${name}`, depth + 1)
      }
    }
    for (const [name, value] of Object.entries(module)) walk(value, name, 0)
    expect(found).toEqual([])
    expect(seen).toBeGreaterThan(0)
  })

  test('the walk finds an open schema if there is one', () => {
    expect(openPlaces({ type: 'object', additionalProperties: false, properties: { a: {}, b: { type: 'object' } } }, 'x')).toEqual([
      { where: 'x/a', why: 'accepts anything' },
      { where: 'x/b', why: 'is an open object' },
    ])
  })

  test('every route validates its input', () => {
    for (const route of Object.values(routes) as Route[]) {
      if (route.method === 'POST' || route.method === 'PUT') expect(route.body, route.id).toBeDefined()
      for (const part of [route.params, route.query, route.headers]) if (part) expect(openPlaces(part, route.id)).toEqual([])
      if (route.body && !isContent(route.body)) expect(openPlaces(route.body, route.id)).toEqual([])
    }
  })
})
