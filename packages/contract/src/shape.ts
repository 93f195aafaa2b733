// The building blocks of every schema. A schema and its type share one name.

import type { TObjectOptions, TProperties, TSchema, TSchemaOptions } from 'typebox'
import * as Type from 'typebox'

/** A closed object: unknown fields are refused. */
export function object<Properties extends TProperties>(properties: Properties, options?: TObjectOptions) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** One of the names of a table. */
export function oneOf<const Name extends string>(names: readonly Name[], options?: TSchemaOptions) {
  return Type.Unsafe<Name>(Type.Enum([...names], options))
}

/**
 * One of the names of a table that later versions extend. Writers use the names of the table; readers of a synchronized entity accept
 * others too (see `entity/readable.ts`) and must have a text for them.
 */
export function extensibleOneOf<const Name extends string>(names: readonly Name[]) {
  return Type.Unsafe<Name>(Type.Enum([...names], { 'x-grows': true }))
}

export function listOf<Item extends TSchema>(item: Item, options?: { maxItems?: number; minItems?: number; description?: string }) {
  return Type.Array(item, options)
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** A page of a list: `next_cursor` is null on the last page. */
export function pageOf<Item extends TSchema>(item: Item) {
  return object({ items: listOf(item), next_cursor: nullable(Type.String()) })
}

/** UUIDv7: sortable by creation time. */
export const Id = Type.String({ format: 'uuid', description: 'UUIDv7' })

/** Identifier of a synchronized entity or a device; chosen by the device that created it. */
export const Key = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9._:@/-]+$' })

/** ISO 8601 UTC with milliseconds, the only time format on the wire. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$',
  // The pattern alone would accept 30 February.
  format: 'date-time',
  description: 'ISO 8601 UTC with milliseconds',
})

export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Version = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const Fraction = Type.Number({ minimum: 0, maximum: 1 })
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hexadecimal' })
export const Line = Type.String({ minLength: 1, maxLength: 500 })
/** In a synchronized entity even the longest one fits the payload; longer texts are stored in a file. */
export const Text = Type.String({ maxLength: 65_536 })
/** JSON as text: kept byte for byte, so that what was approved is what runs. */
export const JsonText = Type.String({ maxLength: 65_536, description: 'JSON text', contentMediaType: 'application/json' })
export const Flag = Type.Boolean()
