// Models: where they come from, what an address offers, and what their tokens cost.
export * from './connection.ts'
export * from './cost.ts'
export * from './preset.ts'
export type { ConnectionTest, ListedModel, ModelList, ModelPrice, UsageReport, UsageRow } from './schema.ts'
export * from './search.ts'
export * from './usage-table.ts'
