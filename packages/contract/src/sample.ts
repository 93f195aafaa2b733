// Generated values of any schema of the contract, for property tests: `sampleOf(Memory)` is a fast-check arbitrary of memories.
// It reads the plain JSON Schema, so that samples depend only on the schema and not on the code under test.
import fc from 'fast-check'
import type { Static, TSchema } from 'typebox'

export function sampleOf<Schema extends TSchema>(schema: Schema): fc.Arbitrary<Static<Schema>> {
  return arbitraryOf(schema as JsonSchema) as fc.Arbitrary<Static<Schema>>
}

/** The keywords the contract uses. Any other keyword is an error instead of being ignored. */
interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly contentMediaType?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Long enough to find bugs, short enough to sample the whole contract in seconds. */
const longestText = 24
const longestList = 3

const known = new Set(
  'type const enum anyOf properties required additionalProperties patternProperties items minItems maxItems minLength maxLength pattern format contentEncoding contentMediaType minimum maximum description default title examples $id x-grows'.split(
    ' ',
  ),
)

/** Schemas share parts: `Id` is built once, not for each of its thousand uses. */
const built = new WeakMap<JsonSchema, fc.Arbitrary<unknown>>()

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const arbitrary = built.get(schema) ?? build(schema)
  built.set(schema, arbitrary)
  return arbitrary
}

function build(schema: JsonSchema): fc.Arbitrary<unknown> {
  const strange = Object.keys(schema).filter((keyword) => !known.has(keyword) && !keyword.startsWith('~'))
  if (strange.length > 0) throw new Error(`no sample for the keyword ${strange.join(', ')} in ${JSON.stringify(schema)}`)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitraryOf))
  switch (schema.type) {
    case undefined:
      return json
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? longestList, longestList)),
      })
    case 'object':
      return objectOf(schema)
    default:
      throw new Error(`no sample for the type ${schema.type}`)
  }
}

/** -0 is left out: JSON cannot represent it. */
const withoutMinusZero = (value: number): number => (value === 0 ? 0 : value)

function numberOf({ minimum = -1_000_000, maximum = 1_000_000 }: JsonSchema): fc.Arbitrary<number> {
  return fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }).map(withoutMinusZero)
}

/** For open schemas: anything that survives JSON. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown)

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid({ version: 7 }),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  'date-time': fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
}

function textOf({
  format,
  pattern,
  contentEncoding,
  contentMediaType,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: JsonSchema): fc.Arbitrary<string> {
  if (format !== undefined) {
    const made = formats[format]
    if (!made) throw new Error(`no sample for the format ${format}`)
    return made
  }
  const longest = Math.max(minLength, Math.min(maxLength, longestText))
  if (pattern !== undefined) {
    const lengths = maxLength < Number.POSITIVE_INFINITY ? { maxLength } : {}
    // Most generated texts are short and would be discarded one after the other where a long one is needed.
    const longer = minLength > 2 ? pattern.replace(/\+\$$/, `{${minLength},${minLength + 4}}$`) : pattern
    return fc.stringMatching(new RegExp(longer), { ...lengths, size: 'xsmall' }).filter((text) => text.length >= minLength)
  }
  if (contentEncoding === 'base64') return fc.base64String({ maxLength: longest })
  if (contentMediaType === 'application/json') return fc.json({ maxDepth: 1 })
  return fc.string({ minLength, maxLength: longest, unit: 'grapheme' })
}

function objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, arbitraryOf(field)] as const)
  const named = fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] })
  const others = Object.values(schema.patternProperties ?? {})[0]
  if (!others) return named
  const free = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), arbitraryOf(others), { maxKeys: longestList })
  return fc.tuple(free, named).map(([extra, own]) => ({ ...extra, ...own }))
}
