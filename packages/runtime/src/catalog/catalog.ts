// The models of an address: asked for, remembered, and shown with their prices.
import {
  type ConnectionResult,
  type ConnectionTest,
  connectionText,
  isConnected,
  type ListedModel,
  type ModelList,
  presetOf,
  presets,
} from '@tandem/contract/model'
import { type Clock, timestamp } from '../clock/clock.ts'
import { type AskedModels, askModels } from '../model/ask-models.ts'
import { addressKey, type CheckedAddress, checkedAddress, isLocal } from '../model/base-url.ts'
import type { OfferedModel } from '../model/listed-models.ts'
import { billingOf } from './billing.ts'
import type { ModelRecords } from './model-records.ts'

export interface AddressInUse {
  readonly base_url: string
  key(): Promise<string | null>
}

export interface CatalogPorts {
  readonly records: ModelRecords
  readonly clock: Clock
  /** The address that is configured, or that the account offers; null if there is none. */
  inUse(): AddressInUse | null
  /** The address that the account offers, also while another one is configured. */
  offered(): AddressInUse | null
}

export type AddressSource = { readonly from: 'use' | 'account' } | { readonly from: 'text'; readonly base_url: string }

export interface Catalog {
  test(source: AddressSource, key: string | null): Promise<ConnectionTest>
  list(source: AddressSource, refresh: boolean): Promise<ModelList>
  /** The address in use, as records have it; null if there is none. */
  address(): string | null
  model(address: string, id: string): ListedModel
  stop(): void
}

type UsableAddress = Extract<CheckedAddress, { ok: true }>

/** A provider rarely changes its list. A model is added to a local server at any time. */
const freshFor_ms = { far: 3_600_000, near: 15_000 } as const

export function openCatalog({ records, clock, inUse, offered }: CatalogPorts): Catalog {
  const closing = new AbortController()
  const asking = new Map<string, Promise<AskedModels>>()

  const known = ({ from }: AddressSource) => (from === 'account' ? offered() : inUse())

  function addressOf(source: AddressSource): UsableAddress | null {
    const base_url = source.from === 'text' ? source.base_url : (known(source)?.base_url ?? null)
    const checked = base_url === null ? null : checkedAddress(base_url)
    return checked?.ok ? checked : null
  }

  /** A stored key is sent only to the host it was entered for. */
  async function keyFor(base_url: string, source: AddressSource): Promise<string | null> {
    const now = known(source)
    const same = now && URL.parse(now.base_url)?.origin === new URL(base_url).origin
    return same ? await now.key() : null
  }

  async function ask({ base_url, candidates }: UsableAddress, source: AddressSource, entered: string | null): Promise<AskedModels> {
    const key = entered ?? (await keyFor(base_url, source))
    const { key_check } = presets[presetOf(base_url)]
    const asked = await askModels({ candidates, key, key_check, signal: closing.signal }, clock)
    if (isConnected(asked.result) && !closing.signal.aborted) records.putList(addressKey(base_url), asked.offered)
    return asked
  }

  /** One request at a time for each address, however many lists are open. */
  function askOnce(checked: UsableAddress, source: AddressSource): Promise<AskedModels> {
    const name = `${source.from} ${checked.base_url}`
    const under = asking.get(name) ?? ask(checked, source, null).finally(() => asking.delete(name))
    asking.set(name, under)
    return under
  }

  function shown(address: string, listed: readonly OfferedModel[]): ListedModel[] {
    const entered = records.prices(address)
    return listed.map(({ price, ...model }) => ({
      ...model,
      ...billingOf({ address, model: model.id, entered: entered.get(model.id) ?? null, listed: price }),
    }))
  }

  return {
    async test(source, key) {
      const checked = addressOf(source)
      if (!checked) return withoutAddress(source)
      const { result, offered: list } = await ask(checked, source, key)
      return testOf(result, checked.base_url, list.models.length + list.omitted)
    },
    async list(source, refresh) {
      const checked = addressOf(source)
      if (!checked) return { address: null, seen_at: null, problem: withoutAddress(source), models: [], omitted: 0 }
      const address = addressKey(checked.base_url)
      const freshFor = isLocal(address) ? freshFor_ms.near : freshFor_ms.far
      const before = records.list(address)
      const isFresh = !refresh && before !== null && clock.now() - before.seen_at < freshFor
      const asked = isFresh ? null : await askOnce(checked, source)
      const list = records.list(address)
      return {
        address,
        seen_at: list && timestamp(list.seen_at),
        problem: asked === null || isConnected(asked.result) ? null : testOf(asked.result, checked.base_url, 0),
        models: shown(address, list?.models ?? []),
        omitted: list?.omitted ?? 0,
      }
    },
    address() {
      const checked = addressOf({ from: 'use' })
      return checked && addressKey(checked.base_url)
    },
    model(address, id) {
      const listed = records.list(address)?.models.find((one) => one.id === id)
      const [model] = shown(address, [listed ?? { id, name: null, context_tokens: null, images: null, tools: null, price: null }])
      if (!model) throw new Error('a model was lost')
      return model
    },
    stop: () => closing.abort(new Error('the runtime is stopping')),
  }
}

function withoutAddress({ from }: AddressSource): ConnectionTest {
  return testOf(from === 'account' ? 'signed_out' : 'no_address', null, 0)
}

function testOf(result: ConnectionResult, base_url: string | null, models: number): ConnectionTest {
  const host = base_url === null ? '' : new URL(base_url).host
  const preset = presetOf(base_url)
  return { result, works: isConnected(result), preset, host, models, ...connectionText(result, { host, models, preset }) }
}
