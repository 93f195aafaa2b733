// The settings of one feature: a section with its own schema.
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

/** Why a setting is invalid; null if it is valid. */
export function sectionProblem({ name, schema }: SettingsSection, setting: string, value: unknown): string | null {
  const shape = Object.hasOwn(schema.properties, setting) ? schema.properties[setting] : undefined
  if (!shape) return `the section ${name} has no setting ${setting}: it has ${Object.keys(schema.properties).join(', ')}`
  const [error] = Errors(shape, value)
  return error ? `${name}.${setting} ${error.message}` : null
}
