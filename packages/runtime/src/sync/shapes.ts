// Payloads held against the contract: what is not understood here is kept aside, whole, and never half applied.
import type { EntityPayload } from '@tandem/contract/entity'
import { entityPayloads } from '@tandem/contract/entity/schema'
import type { EntityType } from '@tandem/contract/sync'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

const compiled = new Map<EntityType, Validator>()

export function fits<Type extends EntityType>(type: Type, payload: unknown): payload is EntityPayload<Type> {
  const check = compiled.get(type) ?? Compile(entityPayloads[type] as TSchema)
  compiled.set(type, check)
  return check.Check(payload)
}
