// The names of fields that an object can still have.
import { workflowWords } from '../../strings/workflows.ts'
import { isOfType, type JsonSchema } from './schema-at.ts'
import type { Suggestion } from './suggestion.ts'

interface Place {
  /** The fields that are already there. */
  readonly present: readonly string[]
  /** The column of the field; null in brackets, where all is on one line. */
  readonly column: number | null
  /** Whether names are in double quotes; `open`: the first one is already there. */
  readonly quotes: 'none' | 'both' | 'open'
}

export function suggestedFields(schemas: readonly JsonSchema[], place: Place): readonly Suggestion[] {
  const objects = schemas.filter(({ properties }) => properties !== undefined)
  const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const isRequired = (name: string) => objects.every(({ required }) => required?.includes(name))
  const isCommon = (name: string) => objects.every(({ properties }) => properties && Object.hasOwn(properties, name))
  const rank = (name: string) => (isRequired(name) ? 0 : isCommon(name) ? 1 : 2)
  return names
    .filter((name) => !place.present.includes(name) && name !== '$schema')
    .sort((left, right) => rank(left) - rank(right))
    .map((name) => {
      const field = objects.map(({ properties }) => properties?.[name]).find((one) => one !== undefined) ?? {}
      return {
        label: name,
        insert: inserted(name, field, place),
        ...(isRequired(name) ? { detail: workflowWords.editor.required } : {}),
        ...(field.description === undefined ? {} : { info: field.description }),
      }
    })
}

/** Lists and objects begin on the next line, where their items and fields can be completed, too. */
function inserted(name: string, field: JsonSchema, { column, quotes }: Place): string {
  const text = quotes === 'none' ? name : quotes === 'both' ? `"${name}"` : `${name}"`
  if (column === null) return `${text}: `
  const inner = `\n${' '.repeat(column + 2)}`
  if (isOfType(field, 'array')) return `${text}:${inner}- `
  return isOfType(field, 'object') || field.anyOf ? `${text}:${inner}` : `${text}: `
}
