// The inputs of a workflow as the fields of a form hold them, and as a start needs them.
import type { WorkflowInput, WorkflowValueType } from '@tandem/contract/workflow'
import { workflowWords } from '../strings/workflows.ts'

/** What is in each field; a flag is `true` or `false`. */
export type InputDraft = Readonly<Record<string, string>>

export type ReadInputs =
  | { readonly ok: true; readonly inputs: string }
  | { readonly ok: false; readonly fields: readonly { readonly field: string; readonly message: string }[] }

const told = workflowWords.start

/** The defaults, or the values of an earlier start. */
export function draftOf(inputs: readonly WorkflowInput[], given: Readonly<Record<string, unknown>> = {}): InputDraft {
  return Object.fromEntries(
    inputs.map(({ name, type, default_value }) => {
      const value = Object.hasOwn(given, name) ? given[name] : default_value === undefined ? null : parsed(default_value)
      return [name, fieldText(type, value)]
    }),
  )
}

/** Empty fields are left out, so that defaults apply; a text that has a default can be empty. */
export function readInputs(inputs: readonly WorkflowInput[], draft: InputDraft): ReadInputs {
  const fields: { field: string; message: string }[] = []
  const values: Record<string, unknown> = {}
  for (const { name, type, default_value } of inputs) {
    const text = draft[name] ?? ''
    const isText = type === 'text' || type === 'file'
    if (isText ? text === '' && default_value === undefined : text.trim() === '') continue
    const value = valueIn(type, text)
    if (value === undefined) fields.push({ field: `inputs.${name}`, message: type === 'number' ? told.notNumber : told.notJson })
    else values[name] = value
  }
  return fields.length > 0 ? { ok: false, fields } : { ok: true, inputs: JSON.stringify(values) }
}

/** Undefined if the text is not a value of this type. */
function valueIn(type: WorkflowValueType, text: string): unknown {
  if (type === 'flag') return text === 'true'
  if (type === 'json') return parsed(text)
  if (type !== 'number') return text
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

function fieldText(type: WorkflowValueType, value: unknown): string {
  if (type === 'flag') return value === true ? 'true' : 'false'
  if (value === null || value === undefined) return ''
  if (type === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON.
    return undefined
  }
}
