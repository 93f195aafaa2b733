import Type, { type Static } from 'typebox'
import { healthParts, healthStates } from '../health/index.ts'
import { Count, Flag, Line, listOf, nullable, object, oneOf } from '../shape.ts'
import { sides, sightFailures } from './index.ts'

/** Of a backend's health only states and numbers are passed on, none of its free text. */
export const SeenHealth = object({
  status: oneOf(healthStates),
  version: nullable(Line),
  uptime_seconds: nullable(Count),
  parts: listOf(object({ name: oneOf(healthParts), status: oneOf(['ok', 'failing']) })),
})
export type SeenHealth = Static<typeof SeenHealth>

export const BackendSight = Type.Union([
  /** None was started with this runtime. */
  object({ state: Type.Literal('absent') }),
  object({ state: Type.Literal('answering'), address: Line, health: SeenHealth }),
  object({ state: Type.Literal('failing'), address: Line, code: oneOf(sightFailures), detail: Line }),
])
export type BackendSight = Static<typeof BackendSight>

/** `GET /status.json` on the runtime's loopback host. */
export const HostStatus = object({
  product: object({ name: Type.Literal('Tandem'), version: Line }),
  /** Every promise of the product and whether it is kept today. */
  features: listOf(object({ name: Line, side: oneOf(sides), works: Flag })),
  backend: BackendSight,
})
export type HostStatus = Static<typeof HostStatus>
