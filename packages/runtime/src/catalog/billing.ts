// Whether the tokens of a model cost something, and how much. Pure.
import type { Billing, ListedModel, ModelPrice, PriceSource } from '@tandem/contract/model'
import { isLocal } from '../model/base-url.ts'

export interface PriceFacts {
  /** Null for runs of a version that did not record it. */
  readonly address: string | null
  readonly model: string
  /** By the user. */
  readonly entered: ModelPrice | null
  /** In the list of the address. */
  readonly listed: ModelPrice | null
}

export type ModelBilling = Pick<ListedModel, 'billing' | 'price' | 'price_source'>

/** The price of the user comes first. A gateway is often local, and what it calls is not. */
export function billingOf({ address, model, entered, listed }: PriceFacts): ModelBilling {
  if (entered !== null) return priced(entered, 'entered')
  if (listed !== null) return priced(listed, 'listed')
  return { billing: runsHere(address, model) ? 'local' : 'unknown', price: null, price_source: null }
}

function priced(price: ModelPrice, price_source: PriceSource): ModelBilling {
  return { billing: 'priced' satisfies Billing, price, price_source }
}

/** Ollama passes models whose names end in “cloud” on to its own servers. */
function runsHere(address: string | null, model: string): boolean {
  return address !== null && isLocal(address) && !address.endsWith('/api/v1/llm') && !/[:-]cloud$/.test(model)
}
