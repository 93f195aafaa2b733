// Converts what a user wrote into the arguments of any tool that the client offers, by the tool's JSON Schema.
import { field, list, string } from './conversation.ts'

/** The values, by their role in the call. */
export type IntentValues = Readonly<Partial<Record<Part, string>>>
export type Part = keyof typeof names

/** The names that tools use for a role, most likely first. */
const names = {
  path: ['path', 'file_path', 'filepath', 'file', 'filename', 'target_file', 'directory', 'dir', 'folder', 'root', 'cwd'],
  content: ['content', 'contents', 'text', 'data', 'body', 'file_text'],
  before: ['old_string', 'old_text', 'old_str', 'old', 'find', 'search', 'before', 'oldText', 'pattern'],
  after: ['new_string', 'new_text', 'new_str', 'new', 'replace', 'replacement', 'after', 'newText'],
  command: ['command', 'cmd', 'script', 'code', 'input'],
  query: ['query', 'pattern', 'q', 'regex', 'search', 'term', 'text', 'needle'],
  title: ['title', 'todo', 'task', 'text', 'content', 'name', 'description', 'subject'],
  id: ['id', 'todo_id', 'task_id', 'item_id'],
  question: ['question', 'prompt', 'message', 'text', 'title'],
} as const

const depth = 6

export function fillArguments(schema: unknown, wanted: IntentValues): Record<string, unknown> {
  return fitObject(schema, { ...wanted }, depth)
}

/** Removes from `left` what it could assign. */
function fitObject(schema: unknown, left: { -readonly [P in keyof IntentValues]: IntentValues[P] }, deep: number): Record<string, unknown> {
  const properties = field(schema, 'properties')
  const filled: Record<string, unknown> = {}
  if (typeof properties !== 'object' || properties === null) {
    for (const part of parts(left)) filled[names[part][0]] = left[part]
    return filled
  }
  for (const part of parts(left)) {
    const name = names[part].find(
      (one) => Object.hasOwn(properties, one) && !Object.hasOwn(filled, one) && takesText(field(properties, one)),
    )
    if (name === undefined) continue
    filled[name] = asType(field(properties, name), left[part] ?? '')
    delete left[part]
  }
  // Values without a property of their own may belong to the items of a list: `todos: [{title}]`, `edits: [{old, new}]`.
  for (const [name, inner] of Object.entries(properties)) {
    const items = field(real(inner), 'items')
    if (deep === 0 || parts(left).length === 0 || Object.hasOwn(filled, name) || field(real(items), 'properties') === undefined) continue
    filled[name] = [fitObject(real(items), left, deep - 1)]
  }
  for (const name of list(field(schema, 'required')).map(string)) {
    if (!Object.hasOwn(filled, name)) filled[name] = anything(field(properties, name), deep)
  }
  return filled
}

function parts(wanted: IntentValues): Part[] {
  return (Object.keys(wanted) as Part[]).filter((part) => wanted[part] !== undefined)
}

/** The first of several alternatives that is not null. */
function real(schema: unknown): unknown {
  const forms = [...list(field(schema, 'anyOf')), ...list(field(schema, 'oneOf'))]
  return forms.find((form) => field(form, 'type') !== 'null') ?? schema
}

function typeOf(schema: unknown): string {
  const type = field(real(schema), 'type')
  return string(Array.isArray(type) ? type.find((one) => one !== 'null') : type)
}

function takesText(schema: unknown): boolean {
  const type = typeOf(schema)
  if (type === 'array') return field(real(field(real(schema), 'items')), 'properties') === undefined
  return type === '' || type === 'string' || type === 'integer' || type === 'number'
}

function asType(schema: unknown, text: string): unknown {
  const type = typeOf(schema)
  if (type === 'array') return [text]
  if (type !== 'integer' && type !== 'number') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : 0
}

/** A value that the schema allows, for required properties that were not given. */
function anything(schema: unknown, deep: number): unknown {
  const form = real(schema)
  const given = [field(form, 'default'), field(form, 'const'), list(field(form, 'enum'))[0]].find((value) => value !== undefined)
  if (given !== undefined) return given
  switch (typeOf(form)) {
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return field(form, 'minimum') ?? 0
    case 'array':
      return []
    case 'object':
      return deep === 0 ? {} : fitObject(form, {}, deep - 1)
    case 'null':
      return null
    default:
      return '-'.repeat(Number(field(form, 'minLength') ?? 0))
  }
}
