// Schema errors as sentences: which field is wrong and what is expected. Validator text and JSON pointers never reach a user.
import { formatTexts, patternTexts } from './expected.ts'

/** As TypeBox reports it. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: object
  readonly message: string
}

/** One field with its first error. `message` continues a sentence that begins with the name of the field. */
export interface FieldError {
  readonly pointer: string
  readonly message: string
}

/** `name` refers to the value as a whole, such as "the parameters". */
export function validationText(errors: readonly SchemaError[], name: string, most = 3): string {
  const sentences = fieldErrors(errors).map(({ pointer, message }) => `${pointer === '' ? name : fieldName(pointer)} ${message}`)
  const more = sentences.length > most ? '; and more' : ''
  return sentences.length === 0 ? `invalid value for ${name}` : sentences.slice(0, most).join('; ') + more
}

/** A JSON pointer as users write the field, in backticks. */
export function fieldName(pointer: string): string {
  return `\`${fieldPath(pointer)}\``
}

/** `/nodes/0/id` is `nodes[0].id`. Names may be untrusted, so their length is limited. */
export function fieldPath(pointer: string): string {
  const parts = pointer.split('/').filter((part) => part !== '')
  const path = parts
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) && index > 0 ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('')
  return path.length > longestName ? `${path.slice(0, longestName - 1)}…` : path
}

const longestName = 300

/** One error per field, in the order they were found. */
export function fieldErrors(errors: readonly SchemaError[], prefix = ''): FieldError[] {
  const found = new Map<string, string>()
  for (const { keyword, pointer, message } of flatten(errors, '')) {
    // A format has a better message than the pattern next to it.
    if (!found.has(pointer) || keyword === 'format') found.set(pointer, message)
  }
  return [...found].map(([pointer, message]) => ({ pointer: prefix + pointer, message }))
}

/** The fields by their paths, so that a form can show each error next to its field. Errors of the value as a whole are not included. */
export function namedErrors(errors: readonly SchemaError[]): { field: string; message: string }[] {
  return fieldErrors(errors).flatMap(({ pointer, message }) => (pointer === '' ? [] : [{ field: fieldPath(pointer), message }]))
}

type Sentence = (params: Readonly<Record<string, unknown>>) => string

const sentences: Readonly<Record<string, Sentence>> = {
  boolean: () => unknownField,
  type: ({ type }) => `must be ${typeText(type)}`,
  enum: ({ allowedValues }) => `must be one of ${valueList(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  pattern: ({ pattern }) => patternTexts[String(pattern)] ?? `must match the pattern ${pattern}`,
  format: ({ format }) => `must be ${formatTexts[String(format)] ?? `a valid ${format}`}`,
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  minItems: ({ limit }) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} items`),
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  minProperties: ({ limit }) => `must have at least ${counted(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  uniqueItems: () => 'must not contain the same item twice',
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  anyOf: () => noForm,
  oneOf: () => noForm,
}

export const unknownField = 'is not a known field'
const noForm = 'does not match any of the allowed formats'
/** For keywords that only schemas of MCP servers use (`not`, `if`, `contains` …). */
const unknownKeyword = 'does not match its schema'

interface Found extends FieldError {
  readonly keyword: string
}

/** `base` is the schema whose errors these are. A union's errors are those of the form that was meant, if it can be determined. */
function flatten(errors: readonly SchemaError[], base: string): Found[] {
  const found: Found[] = []
  const open = new Map<string, Map<string, SchemaError[]>>()
  for (const error of errors) {
    const branch = /^(.*?)\/(?:anyOf|oneOf)\/\d+(?=\/|$)/.exec(error.schemaPath.slice(base.length))
    if (branch) {
      const [union, form] = [base + branch[1], base + branch[0]]
      const forms = open.get(union) ?? new Map<string, SchemaError[]>()
      open.set(union, forms)
      forms.set(form, [...(forms.get(form) ?? []), error])
    } else if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      found.push(...unionErrors(error.instancePath, open.get(error.schemaPath) ?? new Map()))
      open.delete(error.schemaPath)
    } else {
      found.push(...plainErrors(error))
    }
  }
  // The validator stops after a number of errors: those of this union are incomplete.
  for (const forms of open.values()) found.push(...cutUnionErrors(forms))
  return found
}

/** The errors of each form of a union, by the path of its schema. */
type Forms = ReadonlyMap<string, SchemaError[]>

function plainErrors({ keyword, instancePath, params }: SchemaError): Found[] {
  // Every such field has its own error.
  if (keyword === 'additionalProperties' || keyword === 'propertyNames') return []
  if (keyword === 'required') return missing(params).map((name) => ({ keyword, pointer: `${instancePath}/${name}`, message: 'is missing' }))
  return [{ keyword, pointer: instancePath, message: sentences[keyword]?.({ ...params }) ?? unknownKeyword }]
}

function unionErrors(pointer: string, forms: Forms): Found[] {
  const meant = nearest(
    [...forms].filter(([, errors]) => isMeant(errors, pointer)),
    pointer,
  )
  const [only] = meant
  if (only && meant.length === 1) return flatten(only[1], only[0])
  const all = [...forms.values()]
  if (meant.length > 1) {
    const [first = [], ...others] = all.map((errors) => missingAt(errors, pointer))
    const shared = first.filter((name) => others.every((names) => names.includes(name)))
    if (shared.length > 0) return shared.map((name) => ({ keyword: 'required', pointer: `${pointer}/${name}`, message: 'is missing' }))
    const everywhere = inEveryForm(meant.map(([form, errors]) => flatten(errors, form)))
    if (everywhere.length > 0) return everywhere
  }
  return discriminatorError(all) ?? [{ keyword: 'anyOf', pointer, message: alternatives(all, pointer) }]
}

/** These are wrong in every form. */
function inEveryForm([first = [], ...others]: readonly (readonly Found[])[]): Found[] {
  return first.filter(({ pointer, message }) =>
    others.every((form) => form.some((one) => one.pointer === pointer && one.message === message)),
  )
}

function cutUnionErrors(forms: Forms): Found[] {
  // The errors of the last form may be incomplete.
  const complete = [...forms].slice(0, -1)
  const paths = [...forms.values()].flat().map(({ instancePath }) => instancePath)
  const pointer = paths.reduce((shortest, path) => (path.length < shortest.length ? path : shortest))
  const meant = complete.filter(([, errors]) => isMeant(errors, pointer))
  const [only] = meant
  if (only && meant.length === 1) return flatten(only[1], only[0])
  return [{ keyword: 'anyOf', pointer, message: noForm }]
}

/** Errors other than a wrong type or kind. */
function isMeant(errors: readonly SchemaError[], pointer: string): boolean {
  return !errors.some(({ keyword, instancePath }) => {
    if (instancePath === pointer) return keyword === 'type' || keyword === 'const' || keyword === 'enum'
    return keyword === 'const' && isChild(instancePath, pointer)
  })
}

/** Without the forms that do not allow the value of a field, if another one does: `answer: "no"` does not match the form of an approval. */
function nearest(forms: readonly [string, SchemaError[]][], pointer: string): readonly [string, SchemaError[]][] {
  const allowed = (path: string) => forms.some(([, errors]) => !errors.some(({ instancePath }) => instancePath === path))
  const left = forms.filter(
    ([, errors]) =>
      !errors.some((error) => error.keyword === 'enum' && isChild(error.instancePath, pointer) && allowed(error.instancePath)),
  )
  return left.length > 0 ? left : forms
}

function isChild(path: string, parent: string): boolean {
  return path.startsWith(`${parent}/`) && !path.slice(parent.length + 1).includes('/')
}

/** Every form requires another value of one field, such as `kind`. */
function discriminatorError(forms: readonly (readonly SchemaError[])[]): Found[] | undefined {
  const constants = forms.map((errors) => errors.find(({ keyword }) => keyword === 'const'))
  const pointer = constants[0]?.instancePath
  if (pointer === undefined || constants.some((error) => error?.instancePath !== pointer)) return undefined
  const values = constants.map((error) => ({ ...error?.params }) as { allowedValue?: unknown })
  return [{ keyword: 'enum', pointer, message: `must be one of ${valueList(values.map(({ allowedValue }) => allowedValue))}` }]
}

/** "must be a string or null". */
function alternatives(forms: readonly (readonly SchemaError[])[], pointer: string): string {
  const own = forms.map((errors) => (errors.every(({ instancePath }) => instancePath === pointer) ? errors[0] : undefined))
  const messages = own.flatMap((error) => (error ? plainErrors(error).map(({ message }) => message) : []))
  if (messages.length < forms.length || !messages.every((message) => message.startsWith('must be '))) return noForm
  return `must be ${[...new Set(messages.map((message) => message.slice('must be '.length)))].join(' or ')}`
}

function missingAt(errors: readonly SchemaError[], pointer: string): string[] {
  return errors.flatMap(({ keyword, instancePath, params }) => (keyword === 'required' && instancePath === pointer ? missing(params) : []))
}

function missing(params: object): string[] {
  return 'requiredProperties' in params && Array.isArray(params.requiredProperties) ? params.requiredProperties.map(String) : []
}

function typeText(type: unknown): string {
  const known: Readonly<Record<string, string>> = {
    string: 'a string',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  }
  return Array.isArray(type) ? type.map(typeText).join(' or ') : (known[String(type)] ?? String(type))
}

function valueList(values: unknown): string {
  const text = Array.isArray(values) ? values.map(String).join(', ') : String(values)
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

function counted(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}
