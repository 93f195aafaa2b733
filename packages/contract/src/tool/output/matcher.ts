// Whether a value matches one of the output schemas. TypeBox has its own check: its compiled form needs `new Function`, which the window's
// content security policy forbids, and its interpreter takes 0.2 s for a list of 10,000 files and 38 KiB of the bundle. Tests compare this
// one with TypeBox's.

export type Matcher = (value: unknown) => boolean

/** The keywords that output schemas use. Any other keyword is an error when the matcher is created. */
interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

const known = new Set(
  'type const enum anyOf properties required patternProperties items minItems maxItems minLength maxLength pattern minimum maximum description'.split(
    ' ',
  ),
)

export function matcherOf(schema: JsonSchema): Matcher {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword) && !keyword.startsWith('~'))
  if (unknown.length > 0) throw new Error(`an output schema uses the keyword ${unknown.join(', ')}, which is not checked`)
  if (schema.anyOf) return anyOf(schema.anyOf.map(matcherOf))
  if (schema.enum) return isIn(new Set(schema.enum))
  if ('const' in schema) return isIn(new Set([schema.const]))
  switch (schema.type) {
    case undefined:
      return () => true
    case 'null':
      return (value) => value === null
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'integer':
      return integer(schema)
    case 'string':
      return text(schema)
    case 'array':
      return list(schema)
    case 'object':
      return fields(schema)
    default:
      throw new Error(`an output schema uses the type ${schema.type}, which is not checked`)
  }
}

function anyOf(matchers: readonly Matcher[]): Matcher {
  return (value) => matchers.some((matches) => matches(value))
}

function isIn(values: ReadonlySet<unknown>): Matcher {
  return (value) => values.has(value)
}

function integer({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: JsonSchema): Matcher {
  return (value) => typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
}

function text({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: JsonSchema): Matcher {
  const form = pattern === undefined ? null : new RegExp(pattern, 'u')
  const isBounded = minLength > 0 || maxLength < Number.POSITIVE_INFINITY
  const fits = (value: string) => {
    // JSON Schema counts characters, not UTF-16 units; only a text that is too long in units can be too long in characters.
    const length = value.length > maxLength || value.length < minLength * 2 ? [...value].length : value.length
    return length >= minLength && length <= maxLength
  }
  return (value) => typeof value === 'string' && (!isBounded || fits(value)) && (form === null || form.test(value))
}

function list({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: JsonSchema): Matcher {
  const matches = matcherOf(items)
  return (value) => Array.isArray(value) && value.length >= minItems && value.length <= maxItems && value.every(matches)
}

/** Fields that the schema does not name are accepted: a newer version may have written them. */
function fields({ properties = {}, required = [], patternProperties = {} }: JsonSchema): Matcher {
  const named = Object.entries(properties).map(([name, schema]) => ({
    name,
    matches: matcherOf(schema),
    isRequired: required.includes(name),
  }))
  const patterns = Object.entries(patternProperties).map(([pattern, schema]) => ({
    form: new RegExp(pattern, 'u'),
    matches: matcherOf(schema),
  }))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const found = value as Readonly<Record<string, unknown>>
    return (
      named.every(({ name, matches, isRequired }) => (Object.hasOwn(found, name) ? matches(found[name]) : !isRequired)) &&
      patterns.every(({ form, matches }) => Object.entries(found).every(([name, field]) => !form.test(name) || matches(field)))
    )
  }
}
