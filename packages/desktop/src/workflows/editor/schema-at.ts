// The part of a JSON Schema that describes a place in a text.
import type { TextPath } from './text-outline.ts'
import type { WorkflowOutline } from './workflow-outline.ts'

/** The keywords that matter for completion. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
}

/** All schemas that a value at this place can have; several where the text does not decide yet, such as for a node without a kind. */
export function schemasAt(root: JsonSchema, path: TextPath, outline: WorkflowOutline): readonly JsonSchema[] {
  let found = alternatives(root)
  path.forEach((step, at) => {
    const possible = step === 'kind' ? found : ofKind(found, outline.valueAt([...path.slice(0, at), 'kind']))
    found = possible.flatMap((schema) => alternatives(typeof step === 'number' ? schema.items : describedField(schema, step)))
  })
  return ofKind(found, outline.valueAt([...path, 'kind']))
}

export function isOfType({ type, properties, items }: JsonSchema, name: 'object' | 'array' | 'string' | 'boolean'): boolean {
  if (type === undefined) return name === 'object' ? properties !== undefined : name === 'array' && items !== undefined
  return typeof type === 'string' ? type === name : type.includes(name)
}

function alternatives(schema: JsonSchema | undefined): readonly JsonSchema[] {
  if (!schema) return []
  const inner = schema.oneOf ?? schema.anyOf
  if (!inner) return [schema]
  return inner.flatMap((one) => alternatives(schema.description === undefined ? one : { description: schema.description, ...one }))
}

function ofKind(schemas: readonly JsonSchema[], kind: string): readonly JsonSchema[] {
  const fitting = schemas.filter((schema) => ownField(schema, 'kind')?.const === kind)
  return fitting.length > 0 ? fitting : schemas
}

/** A constant such as the kind of a node is described by what it selects. */
function describedField(schema: JsonSchema, name: string): JsonSchema | undefined {
  const field = ownField(schema, name)
  return field?.const === undefined || schema.description === undefined ? field : { ...field, description: schema.description }
}

function ownField({ properties }: JsonSchema, name: string): JsonSchema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined
}
