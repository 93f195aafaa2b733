// What a server asks the user during a call, one field after the other, as questions; and the answers as the values that it expects. Pure.
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'
import { withoutInvisible } from '../../policy/untrusted-text.ts'

export interface ElicitedField {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly required: boolean
  readonly least: number | null
  readonly most: number | null
}

export type ElicitedValue = string | number | boolean | readonly string[]

/** More fields are not a question, but a survey. */
const mostFields = 10
/** A question has at most 20 options; three of them are ours. */
const mostOptions = 16

/** A string is why the user is not asked. */
export function elicitedFields(schema: unknown): readonly ElicitedField[] | string {
  const { properties, required } = fieldsOf(schema)
  const entries = Object.entries(fieldsOf(properties))
  if (entries.length > mostFields) return `it asks for ${entries.length} fields; ${mostFields} are allowed`
  const needed = Array.isArray(required) ? required : []
  const fields = entries.map(([name, value]) => elicitedField(name, fieldsOf(value), needed.includes(name)))
  const broken = fields.find((field) => typeof field === 'string')
  return typeof broken === 'string' ? broken : fields.filter((field) => typeof field !== 'string')
}

function elicitedField(name: string, schema: Fields, required: boolean): ElicitedField | string {
  const shared = { name, title: line(schema.title) || line(name), description: line(schema.description), required }
  const own = { ...shared, options: [], least: null, most: null }
  const choices = optionsOf(schema.type === 'array' ? fieldsOf(schema.items) : schema)
  if (choices !== null && choices.length > mostOptions) return `the field ${shared.title} has more than ${mostOptions} options`
  if (choices !== null) return { ...own, kind: schema.type === 'array' ? 'choices' : 'choice', options: choices }
  switch (schema.type) {
    case 'string':
      return { ...own, kind: 'text', least: numberOf(schema.minLength), most: numberOf(schema.maxLength) }
    case 'number':
    case 'integer':
      return { ...own, kind: schema.type, least: numberOf(schema.minimum), most: numberOf(schema.maximum) }
    case 'boolean':
      return {
        ...own,
        kind: 'boolean',
        options: [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ],
      }
    default:
      return `the field ${shared.title} is neither text, a number, yes or no, nor a choice`
  }
}

/** `enum` with `enumNames`, or `oneOf`/`anyOf` with titles. */
function optionsOf(schema: Fields): ElicitedField['options'] | null {
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? schema.enumNames : []
    const values = schema.enum.filter((value) => typeof value === 'string' && value !== '')
    return values.map((value, at) => ({ value: String(value).slice(0, 500), label: line(names[at]) || line(value) }))
  }
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray)
  if (!titled) return null
  return titled.map(fieldsOf).flatMap(({ const: value, title }) => {
    return typeof value === 'string' && value !== '' ? [{ value: value.slice(0, 500), label: line(title) || line(value) }] : []
  })
}

/** Values that no option of a server can have, because these are never empty and have no such prefix. */
const ours = { skip: 'tandem:skip', accept: 'tandem:accept', decline: 'tandem:decline', cancel: 'tandem:cancel' }

export interface Asking {
  readonly server_name: string
  readonly tool: string
  readonly message: string
  readonly field: ElicitedField | null
  /** Why the last answer was not accepted. */
  readonly problem: string | null
}

/** `field` null: the server only asks for a confirmation. */
export function questionFor(ids: Pick<QuestionPrompt, 'question_id' | 'call_id'>, asking: Asking): QuestionPrompt {
  const { server_name, tool, message, field, problem } = asking
  const what = field ? `${field.title}${field.required ? '' : ' (optional)'}${field.description ? `: ${field.description}` : ''}` : ''
  const text = [
    `The MCP server “${line(server_name)}” asks during ${tool}:`,
    withoutInvisible(message).slice(0, 4_000),
    what,
    problem ?? '',
    asksForSecret(field, message)
      ? 'It seems to ask for a secret. Your answer is sent to the server, stored in this conversation and read by the model. Decline, and set secrets with tandem mcp secret.'
      : 'Your answer is sent to the server and stored in this conversation.',
  ]
  return {
    ...ids,
    question: text.filter((part) => part !== '').join('\n\n'),
    options: [
      ...(field ? field.options.map(({ value, label }) => ({ value, label })) : [{ value: ours.accept, label: 'Confirm' }]),
      ...(field && !field.required ? [{ value: ours.skip, label: 'Leave it out' }] : []),
      { value: ours.decline, label: 'Decline' },
      { value: ours.cancel, label: 'Cancel' },
    ],
    multiple: field?.kind === 'choices',
    allows_text: field !== null && (field.kind === 'text' || field.kind === 'number' || field.kind === 'integer'),
  }
}

const secretWords =
  /\b(?:password|passphrase|passcode|secret|api[ _-]?key|access[ _-]?token|auth[ _-]?token|private[ _-]?key|pin|cvv|card number|seed phrase)\b/i

export function asksForSecret(field: ElicitedField | null, message: string): boolean {
  const parts = [
    message,
    ...(field ? [field.name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '), field.title, field.description] : []),
  ]
  return parts.some((part) => secretWords.test(part))
}

export type FieldAnswer =
  | { readonly action: 'decline' | 'cancel' | 'skip' }
  | { readonly action: 'value'; readonly value: ElicitedValue }
  | { readonly action: 'again'; readonly problem: string }

export function answerOf(field: ElicitedField | null, { chosen, text }: QuestionAnswer): FieldAnswer {
  if (chosen.includes(ours.cancel)) return { action: 'cancel' }
  if (chosen.includes(ours.decline)) return { action: 'decline' }
  if (chosen.includes(ours.skip)) return { action: 'skip' }
  if (!field) return { action: 'value', value: true }
  if (field.kind === 'choices') return { action: 'value', value: chosen }
  const [first = ''] = chosen
  if (field.kind === 'choice') return { action: 'value', value: first }
  if (field.kind === 'boolean') return { action: 'value', value: first === 'true' }
  return typed(field, text ?? '')
}

function typed({ kind, least, most }: ElicitedField, text: string): FieldAnswer {
  const [low, high] = [least ?? Number.NEGATIVE_INFINITY, most ?? Number.POSITIVE_INFINITY]
  if (kind === 'text') {
    if (text.length < low) return { action: 'again', problem: `The answer needs at least ${low} characters.` }
    return text.length > high
      ? { action: 'again', problem: `The answer may have at most ${high} characters.` }
      : { action: 'value', value: text }
  }
  const value = text.trim() === '' ? Number.NaN : Number(text.trim())
  if (!Number.isFinite(value) || (kind === 'integer' && !Number.isInteger(value)))
    return { action: 'again', problem: kind === 'integer' ? 'The answer must be a whole number.' : 'The answer must be a number.' }
  if (value < low) return { action: 'again', problem: `The answer must be at least ${low}.` }
  return value > high ? { action: 'again', problem: `The answer must be at most ${high}.` } : { action: 'value', value }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function line(value: unknown): string {
  return typeof value === 'string' ? withoutInvisible(value).replace(/\s+/g, ' ').trim().slice(0, 300) : ''
}
