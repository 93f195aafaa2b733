import type { Static, TSchema } from 'typebox'

/** What a tool with this output schema returns. A result never changes. */
export type OutputOf<Schema extends TSchema> = Fixed<Static<Schema>>

type Fixed<Value> = Value extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Fixed<Value[Name]> }
    : Value
