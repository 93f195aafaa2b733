// LLM_CONFIG: one JSON file for settings that do not fit in variables. It refers to keys by their variables and never contains one.
import { dialects, modelCapabilities } from '@tandem/contract/llm'
import { ModelId } from '@tandem/contract/llm/schema'
import { fieldErrors, fieldName } from '@tandem/contract/validation'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { operations } from '../../operation.ts'

const closed = { additionalProperties: false } as const
const names = <const Name extends string>(list: readonly Name[]) => Type.Unsafe<Name>(Type.Enum([...list]))
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' })
const Tokens = Type.Integer({ minimum: 1, maximum: 100_000_000 })

const ConfigFile = Type.Object(
  {
    providers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Name,
            base_url: Type.Optional(Type.String({ maxLength: 500 })),
            /** The variable with the key. */
            key_env: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,79}$' })),
            auth: Type.Optional(names(['bearer', 'x-api-key'])),
            dialects: Type.Optional(Type.Array(names(dialects), { minItems: 1 })),
            operations: Type.Optional(Type.Array(names(operations), { minItems: 1 })),
            stream_usage: Type.Optional(names(['asked', 'always'])),
          },
          closed,
        ),
        { maxItems: 50 },
      ),
    ),
    aliases: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9._:@/+-]{1,300}$' }), ModelId, closed)),
    fallbacks: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 300 }), Type.Array(ModelId, { minItems: 1, maxItems: 9 }), closed),
    ),
    models: Type.Optional(
      Type.Record(
        Type.String({ minLength: 3, maxLength: 300 }),
        Type.Object(
          {
            display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
            context_window: Type.Optional(Tokens),
            max_output_tokens: Type.Optional(Tokens),
            capabilities: Type.Optional(Type.Array(names(modelCapabilities))),
          },
          closed,
        ),
        closed,
      ),
    ),
  },
  closed,
)
export type ConfigFile = Static<typeof ConfigFile>

const check = Compile(ConfigFile)

export type ConfigFileResult = { readonly ok: true; readonly file: ConfigFile } | { readonly ok: false; readonly cause: string }

/** Names the field and what was expected, never the value: any value may be a secret. */
export function readConfigFile(text: string): ConfigFileResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, cause: 'the file is not valid JSON' }
  }
  if (check.Check(value)) return { ok: true, file: value }
  const [first = { pointer: '', message: 'is not valid' }] = fieldErrors(check.Errors(value))
  const parts = first.pointer.split('/').slice(1)
  // Unknown field names may be secrets too: only known ones are repeated.
  const unknown = parts.findIndex((part) => !known.test(part))
  const place = (unknown < 0 ? parts : parts.slice(0, unknown)).map((part) => `/${part}`).join('')
  return { ok: false, cause: `${place === '' ? 'the file' : fieldName(place)} ${unknown < 0 ? first.message : 'is not valid'}` }
}

const known =
  /^(?:\d{1,3}|providers|aliases|fallbacks|models|name|base_url|key_env|auth|dialects|operations|stream_usage|display_name|context_window|max_output_tokens|capabilities)$/
