// What a schema finds wrong, as sentences a person can act on.
import type { Fault } from './fault.ts'

/** As TypeBox reports it. */
export interface ShapeError {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: object
  readonly message: string
}

type Sentence = (params: Readonly<Record<string, unknown>>) => string

const sentences: Readonly<Record<string, Sentence>> = {
  boolean: () => 'is not a field that is known here',
  type: ({ type }) => `must be ${nameOfType(type)}`,
  enum: ({ allowedValues }) => `must be one of ${names(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  // No pattern of the contract ends so but that of a timestamp.
  pattern: ({ pattern }) =>
    String(pattern).endsWith('\\d{3}Z$') ? `must be ${formats['date-time']}` : `must match the pattern ${pattern}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? `a valid ${format}`}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minProperties: ({ limit }) => `must have at least ${limit} fields`,
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  uniqueItems: () => 'must not have the same item twice',
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'a moment that exists, in UTC and with milliseconds, as 2026-01-31T12:00:00.000Z',
  date: 'a day that exists, as 2026-01-31',
  email: 'an e-mail address',
  uri: 'an address with its scheme',
}

/** One fault for each place, in the order they were found. */
export function shapeFaults(errors: readonly ShapeError[], prefix: string): Fault[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf')
  const faults = new Map<string, string>()
  for (const error of errors) {
    const { keyword, instancePath, params } = error
    // Every such field has an error of its own, and every form of a union is named with the union.
    if (keyword === 'additionalProperties' || isBranch(error, unions)) continue
    for (const [pointer, message] of keyword === 'required' ? missing(instancePath, params) : [[instancePath, sentenceOf(error, errors)]]) {
      // A format says it better than the pattern beside it.
      if (pointer !== undefined && message !== undefined && (keyword === 'format' || !faults.has(pointer))) faults.set(pointer, message)
    }
  }
  return [...faults].map(([pointer, message]) => ({ pointer: prefix + pointer, message }))
}

function sentenceOf(error: ShapeError, errors: readonly ShapeError[]): string {
  if (error.keyword === 'anyOf') return unionSentence(error, errors)
  return sentences[error.keyword]?.({ ...error.params }) ?? error.message
}

function missing(path: string, params: object): [string, string][] {
  const required = 'requiredProperties' in params && Array.isArray(params.requiredProperties) ? params.requiredProperties : []
  return required.map((name) => [`${path}/${String(name)}`, 'is missing'])
}

function isBranch({ schemaPath }: ShapeError, unions: readonly ShapeError[]): boolean {
  return unions.some((union) => schemaPath.startsWith(`${union.schemaPath}/anyOf/`))
}

function unionSentence(union: ShapeError, errors: readonly ShapeError[]): string {
  const types = errors.flatMap(({ keyword, instancePath, schemaPath, params }) =>
    keyword === 'type' && instancePath === union.instancePath && schemaPath.startsWith(`${union.schemaPath}/anyOf/`) && 'type' in params
      ? [nameOfType(params.type)]
      : [],
  )
  const others = errors.some((error) => error.keyword !== 'type' && error.keyword !== 'anyOf' && isBranch(error, [union]))
  return types.length > 0 && !others ? `must be ${[...new Set(types)].join(' or ')}` : 'has none of the forms it may have'
}

function nameOfType(type: unknown): string {
  const known: Readonly<Record<string, string>> = {
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return known[String(type)] ?? String(type)
}

function names(values: unknown): string {
  const text = Array.isArray(values) ? values.map(String).join(', ') : String(values)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}
