import Type, { type Static } from 'typebox'
import { Count, Line, listOf, object, oneOf, Timestamp } from '../shape.ts'
import { healthParts, healthStates } from './index.ts'

export const HealthPart = object({
  name: oneOf(healthParts),
  status: oneOf(['ok', 'failing']),
  detail: Type.Optional(Line),
  latency_ms: Type.Optional(Count),
  checked_at: Timestamp,
})
export type HealthPart = Static<typeof HealthPart>

/** Unauthenticated callers see only `status`; `version` and `parts` are for callers on loopback or with the metrics token. */
export const Health = object({
  status: oneOf(healthStates),
  version: Type.Optional(Line),
  uptime_seconds: Type.Optional(Count),
  parts: Type.Optional(listOf(HealthPart)),
})
export type Health = Static<typeof Health>

/** Whether traffic may be sent here. */
export const Ready = object({ status: oneOf(['ready', 'not_ready']), parts: Type.Optional(listOf(HealthPart)) })
export type Ready = Static<typeof Ready>
