import Type, { type Static } from 'typebox'
import { Line, object } from '../shape.ts'

/** `GET /status.json` on the runtime's loopback host. */
export const HostStatus = object({ product: object({ name: Type.Literal('Tandem'), version: Line }) })
export type HostStatus = Static<typeof HostStatus>
