// How a device reads what a newer version may have written: nothing unknown is refused or lost.

/** The part of JSON Schema that synchronized entities use. */
interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: unknown
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly 'x-grows'?: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Any name of a table that later versions extend. */
const anyName: JsonSchema & Readonly<Record<string, unknown>> = { type: 'string', minLength: 1, maxLength: 100 }

/** The schema for reading: it accepts unknown fields at every depth, and unknown names of tables that later versions extend. */
export function toReadSchema(schema: object): object {
  return opened(schema)
}

function opened(schema: JsonSchema): JsonSchema {
  if (schema['x-grows']) return anyName
  const { additionalProperties: closed, ...rest } = schema
  return {
    ...rest,
    ...(closed === false || closed === undefined ? {} : { additionalProperties: closed }),
    ...(schema.properties && { properties: mapValues(schema.properties, opened) }),
    ...(schema.items && { items: opened(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(opened) }),
  }
}

/** `own`: fields that the schema does not name. `inside`: the same for the fields that it does name. */
export interface UnknownFields {
  readonly own: Fields
  readonly inside: Readonly<Record<string, UnknownFields>>
}

/** The fields of `value` that the schema does not name; null if it names all of them. Items of lists are left out. */
export function unknownFields(schema: object, value: unknown): UnknownFields | null {
  const known = knownFields(schema)
  if (known === null || !isFields(value)) return null
  const own: Record<string, unknown> = {}
  const inside: Record<string, UnknownFields> = {}
  for (const [name, field] of Object.entries(value)) {
    const of = Object.hasOwn(known, name) ? known[name] : undefined
    const found = of && unknownFields(of, field)
    if (!of) own[name] = field
    else if (found) inside[name] = found
  }
  return Object.keys(own).length + Object.keys(inside).length === 0 ? null : { own, inside }
}

/** `value` with the unknown fields of its earlier state. The current write takes precedence; a removed field loses its content too. */
export function withUnknownFields<Value>(value: Value, unknown: UnknownFields | null): Value {
  if (unknown === null || !isFields(value)) return value
  const merged: Record<string, unknown> = { ...unknown.own, ...value }
  for (const [name, found] of Object.entries(unknown.inside)) {
    if (Object.hasOwn(value, name)) merged[name] = withUnknownFields(value[name], found)
  }
  return merged as Value
}

/** For a union, the fields of all its members; null if any field is allowed. */
function knownFields({ properties, anyOf }: JsonSchema): Readonly<Record<string, JsonSchema>> | null {
  if (properties) return properties
  const choices = (anyOf ?? []).flatMap((choice) => knownFields(choice) ?? [])
  return choices.length === 0 ? null : Object.assign({}, ...choices)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues<Value, Mapped>(record: Readonly<Record<string, Value>>, map: (value: Value) => Mapped): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}
