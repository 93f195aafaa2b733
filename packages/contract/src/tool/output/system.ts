import * as Type from 'typebox'
import { Count, Flag, listOf, object } from '../../shape.ts'
import type { OutputOf } from './output-of.ts'
import { ShownBody } from './web.ts'

export const TimeNowOutput = object({
  iso: Type.String(),
  utc: Type.String(),
  zone: Type.String(),
  offset: Type.String(),
  date: Type.String(),
  time: Type.String(),
  weekday: Type.String(),
  week: Count,
  unix: Type.Integer(),
})
export type TimeNowOutput = OutputOf<typeof TimeNowOutput>

/** Written out: `Type.Record` alone would add 38 KiB to the bundle of the window. */
const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  patternProperties: { '^.*$': Type.String() },
  additionalProperties: false,
})

/** Values of headers that look like secrets are hidden. */
export const HttpRequestOutput = object({
  request: object({ method: Type.String(), url: Type.String(), headers: Headers }),
  url: Type.String(),
  status: Count,
  headers: Headers,
  bytes: Count,
  truncated: Flag,
  redirected_from: listOf(Type.String()),
  redirect_stopped: Type.Optional(Type.String({ description: 'The target of a redirect that was not followed' })),
  body: ShownBody,
})
export type HttpRequestOutput = OutputOf<typeof HttpRequestOutput>
