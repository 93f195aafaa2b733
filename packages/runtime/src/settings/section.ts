// The settings of one feature: a section with its own schema.
import { fieldErrors } from '@tandem/contract/validation'
import type { Static, TObject } from 'typebox'
import { Check, Errors } from 'typebox/value'

export interface SettingsSection<Schema extends TObject = TObject> {
  readonly name: string
  /** Strings, numbers, booleans and lists of strings; every field has a description. */
  readonly schema: Schema
  readonly initial: Static<Schema>
}

/** The stored values, field by field; an invalid field gets its initial value. */
export function sectionValues<Schema extends TObject>({ schema, initial }: SettingsSection<Schema>, kept: unknown): Static<Schema> {
  const found: Record<string, unknown> = typeof kept === 'object' && kept !== null ? { ...kept } : {}
  const fitting = Object.entries(schema.properties).flatMap(([name, field]) =>
    Object.hasOwn(found, name) && Check(field, found[name]) ? [[name, found[name]]] : [],
  )
  return { ...initial, ...Object.fromEntries(fitting) }
}

/** Which part of a setting is invalid, and why, as the rest of a sentence about it; null if it is valid. */
export function sectionProblem(
  { name, schema }: SettingsSection,
  setting: string,
  value: unknown,
): { readonly part: 'setting' | 'value'; readonly message: string } | null {
  const shape = Object.hasOwn(schema.properties, setting) ? schema.properties[setting] : undefined
  if (!shape) {
    const known = Object.keys(schema.properties).join(', ')
    return { part: 'setting', message: `is ${setting}, which is not a setting of the section ${name}: use one of ${known}` }
  }
  const [error] = fieldErrors(Errors(shape, value))
  return error ? { part: 'value', message: `of ${name}.${setting} ${error.message}` } : null
}
