import Type, { type Static } from 'typebox'
import { Usage } from '../run/schema.ts'
import { Count, Flag, Line, listOf, nullable, object, oneOf, Text, Timestamp } from '../shape.ts'
import { connectionResults } from './connection.ts'
import { billings, priceSources } from './cost.ts'
import { presetNames } from './preset.ts'

const Dollars = Type.Number({ minimum: 0, maximum: 10_000, description: 'US dollars per million tokens' })

export const ModelPrice = object({ input: Dollars, cached_input: nullable(Dollars), output: Dollars })
export type ModelPrice = Static<typeof ModelPrice>

/** A model that an address offers. What its server does not say is null. */
export const ListedModel = object({
  id: Line,
  name: nullable(Line),
  context_tokens: nullable(Count),
  images: nullable(Flag),
  tools: nullable(Flag),
  billing: oneOf(billings),
  price: nullable(ModelPrice),
  price_source: nullable(oneOf(priceSources)),
})
export type ListedModel = Static<typeof ListedModel>

export const ConnectionTest = object({
  result: oneOf(connectionResults),
  works: Flag,
  preset: oneOf(presetNames),
  /** Host and port; empty if there is no address. */
  host: Type.String({ maxLength: 500 }),
  models: Count,
  message: Text,
  remedy: Text,
})
export type ConnectionTest = Static<typeof ConnectionTest>

export const ModelList = object({
  /** Without its query; null if there is none. */
  address: nullable(Line),
  /** When the list was read; null if it never was. */
  seen_at: nullable(Timestamp),
  /** Why the list could not be read now; then it is the one that was last seen. */
  problem: nullable(ConnectionTest),
  models: listOf(ListedModel),
  /** How many more the address offers. */
  omitted: Count,
})
export type ModelList = Static<typeof ModelList>

/** `YYYY-MM`, in UTC. */
export const Month = Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$', description: 'Month in UTC' })

const Cost = object({ dollars: Type.Number({ minimum: 0 }), approximate: Flag })

export const UsageRow = object({
  model: Line,
  /** Where it was called; null for runs of a version that did not record it. */
  address: nullable(Line),
  runs: Count,
  usage: Usage,
  billing: oneOf(billings),
  price: nullable(ModelPrice),
  price_source: nullable(oneOf(priceSources)),
  cost: nullable(Cost),
})
export type UsageRow = Static<typeof UsageRow>

/** What the runs of this device used, by model. */
export const UsageReport = object({
  month: nullable(Month),
  rows: listOf(UsageRow),
  total: object({ runs: Count, usage: Usage }),
})
export type UsageReport = Static<typeof UsageReport>
