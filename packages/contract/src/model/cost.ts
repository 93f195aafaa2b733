// What tokens cost: price × tokens. A price that is not known is never guessed. Pure.
import type { Usage } from '../run/index.ts'
import type { ModelPrice, UsageRow } from './schema.ts'

/** `priced`: the price is known. `local`: the model runs on a machine of the user. `unknown`: only tokens are shown. */
export const billings = ['priced', 'local', 'unknown'] as const
export type Billing = (typeof billings)[number]

/** `entered`: by the user. `listed`: in the list of models of the address. */
export const priceSources = ['entered', 'listed'] as const
export type PriceSource = (typeof priceSources)[number]

export interface Cost {
  readonly dollars: number
  /** Tokens were estimated, or cached tokens were counted at the full price because theirs is not known. */
  readonly approximate: boolean
}

const million = 1_000_000

/** Prices are in dollars per million tokens. Cached tokens are a part of the input. */
export function costOf({ input_tokens, cached_tokens, output_tokens, estimated }: Usage, price: ModelPrice): Cost {
  const cached = Math.min(cached_tokens, input_tokens)
  const cachedPrice = price.cached_input ?? price.input
  const dollars = ((input_tokens - cached) * price.input + cached * cachedPrice + output_tokens * price.output) / million
  return { dollars, approximate: estimated || (cached > 0 && price.cached_input === null && price.input > 0) }
}

export interface CostTotal {
  /** The known part; null if no price is known. */
  readonly dollars: number | null
  readonly approximate: boolean
  /** Whether everything else is local. Otherwise it costs more than the known part. */
  readonly complete: boolean
  readonly isLocal: boolean
}

export function totalCost(rows: readonly Pick<UsageRow, 'billing' | 'cost'>[]): CostTotal {
  const known = rows.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  return {
    dollars: known.length === 0 ? null : known.reduce((sum, { dollars }) => sum + dollars, 0),
    approximate: known.some(({ approximate }) => approximate),
    complete: rows.every(({ billing }) => billing !== 'unknown'),
    isLocal: rows.length > 0 && rows.every(({ billing }) => billing === 'local'),
  }
}

/** Empty if nothing is known about the cost: then only tokens are shown. */
export function costText({ dollars, approximate, complete, isLocal }: CostTotal): string {
  if (isLocal) return 'local'
  if (dollars === null) return ''
  const text = `${approximate ? '~' : ''}${dollarText(dollars)}`
  return complete ? text : `at least ${text}`
}

export function dollarText(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 0.0001) return '<$0.0001'
  const digits = dollars < 0.1 ? 4 : 2
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** The price of a model in one phrase, per million tokens. */
export function priceText({ input, cached_input, output }: ModelPrice): string {
  if (input === 0 && output === 0) return 'free'
  const cached = cached_input === null ? '' : `, ${perMillion(cached_input)} cached`
  return `${perMillion(input)} in${cached}, ${perMillion(output)} out`
}

function perMillion(dollars: number): string {
  return `$${dollars.toLocaleString('en-US', { minimumFractionDigits: dollars < 10 ? 2 : 0, maximumFractionDigits: 6 })}`
}
