// A schema as people read it: a list of fields with the words for their types.

/** The part of JSON Schema that the contract's schemas are made of; TypeBox keeps it from the types of its schemas. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number | boolean
  readonly format?: string
  readonly description?: string
}

export interface Field {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly description: string | null
  /** What is inside, by alternative: more than one where the field is one of several objects. */
  readonly inside: readonly (readonly Field[])[]
}

/** The fields of a schema; one list for each alternative it allows. */
export function fieldsOf(schema: object): readonly (readonly Field[])[] {
  const shape: Shape = schema
  if (shape.anyOf) return shape.anyOf.flatMap(fieldsOf)
  if (shape.type === 'array' && shape.items) return fieldsOf(shape.items)
  if (!shape.properties) return []
  const required = new Set(shape.required)
  return [Object.entries(shape.properties).map(([name, field]) => fieldOf(name, field, !required.has(name)))]
}

export function typeOf(schema: object): string {
  const shape: Shape = schema
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeOf))].join(' | ')
  if (shape.type === 'array') return shape.items ? `${bracketed(typeOf(shape.items))}[]` : 'list'
  if (shape.format) return shape.format
  return shape.type ?? 'anything'
}

function fieldOf(name: string, shape: Shape, optional: boolean): Field {
  return { name, type: typeOf(shape), optional, description: shape.description ?? null, inside: fieldsOf(shape) }
}

function bracketed(type: string): string {
  return type.includes(' | ') ? `(${type})` : type
}
