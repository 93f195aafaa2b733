// What fits at the cursor of a half-written workflow.
import schema from '../../../../../docs/reference/workflow.schema.json' with { type: 'json' }
import { isOfType, type JsonSchema, schemasAt } from './schema-at.ts'
import { suggestedEdgeParts } from './suggested-edge-parts.ts'
import { suggestedFields } from './suggested-fields.ts'
import { suggestedPlaceholders } from './suggested-placeholders.ts'
import { suggestedValues } from './suggested-values.ts'
import type { KnownNames, Suggestions } from './suggestion.ts'
import { readOutline, type TextEnd, type TextPath } from './text-outline.ts'
import { WorkflowOutline } from './workflow-outline.ts'

const openPlaceholder = /\{\{[^{}]*$/
const name = /^[\w$-]*$/
const value = /^[\w.:-]*$/
const placeholder = /^\{\{[\w.]*$/

export function suggestionsAt(text: string, offset: number, known: KnownNames): Suggestions | null {
  const before = text.slice(0, offset)
  const { end } = readOutline(before)
  const lineStart = before.lastIndexOf('\n') + 1
  const isBeforeContent = before.slice(lineStart).trim() === '' && /^[^\n]*\S/.test(text.slice(offset))
  if (end.expects === 'nothing' || (isBeforeContent && end.expects !== 'text')) return null
  const outline = new WorkflowOutline(text)
  if (openPlaceholder.test(end.written)) return placeholders(text, offset, end, outline)
  if (end.expects === 'text') return null
  const schemas = schemasWithArguments(end.path, outline, known)
  const from = offset - end.written.length
  if (end.path.length === 2 && end.path[0] === 'edges' && !end.isFlow) {
    const edge = suggestedEdgeParts(end.written, outline)
    if (edge && edge.options.length > 0) return { from: offset - edge.part.length, to: offset, options: edge.options, validFor: name }
  }
  const column = end.isFlow ? null : from - end.quote.length - lineStart
  const quotes = end.quote === '"' ? 'open' : text.trimStart().startsWith('{') ? 'both' : 'none'
  const fields = end.expects === 'value' ? [] : suggestedFields(schemas, { present: outline.fieldsAt(end.path), column, quotes })
  if (fields.length > 0) return { from, to: offset, options: fields, validFor: name }
  const items = end.expects === 'field' && column !== null && end.written === '' ? suggestedItems(schemas, column) : []
  if (items.length > 0) return { from, to: offset, options: items, validFor: name }
  const options = suggestedValues({ path: end.path, schemas, outline, known })
  return options.length === 0 ? null : { from, to: offset, options: quoted(options, quotes), validFor: value }
}

/** The first field of an item, where a list is expected. */
function suggestedItems(schemas: readonly JsonSchema[], column: number): Suggestions['options'] {
  const items = schemas.flatMap((one) => (isOfType(one, 'array') && one.items ? (one.items.oneOf ?? [one.items]) : []))
  const fields = suggestedFields(items, { present: [], column: column + 2, quotes: 'none' })
  return fields.slice(0, 1).map((field) => ({ ...field, label: `- ${field.label}`, insert: `- ${field.insert}` }))
}

/** In JSON, all texts are in quotes. */
function quoted(options: Suggestions['options'], quotes: 'none' | 'both' | 'open'): Suggestions['options'] {
  if (quotes === 'none') return options
  return options.map((option) => {
    const text = option.insert ?? option.label
    const isPlain = /^(?:true|false)$/.test(text) && quotes === 'both'
    return isPlain ? option : { ...option, insert: quotes === 'both' ? `"${text}"` : `${text}"` }
  })
}

/** A text that begins with a placeholder must be in quotes, because YAML would read an object. */
function placeholders(text: string, offset: number, end: TextEnd, outline: WorkflowOutline): Suggestions | null {
  const from = offset - (openPlaceholder.exec(end.written)?.[0].length ?? 0)
  const closing = /^[\w.]*\}\}/.exec(text.slice(offset))?.[0].length ?? 0
  const needsQuotes = end.expects !== 'text' && end.quote === '' && end.written.startsWith('{{')
  const options = suggestedPlaceholders(end.path, outline).map((one) => (needsQuotes ? { ...one, insert: `"${one.label}"` } : one))
  return options.length === 0 ? null : { from, to: offset + closing, options, validFor: placeholder }
}

/** The arguments of a call have the schema of its tool. */
function schemasWithArguments(path: TextPath, outline: WorkflowOutline, { tools }: KnownNames): readonly JsonSchema[] {
  const at = path.indexOf('arguments')
  if (path[0] !== 'nodes' || at === -1) return schemasAt(schema as JsonSchema, path, outline)
  const tool = outline.valueAt([...path.slice(0, at), 'tool'])
  const input = tools.find(({ name }) => name === tool)?.input_schema
  return input === undefined ? [] : schemasAt(JSON.parse(input) as JsonSchema, path.slice(at + 1), outline)
}
