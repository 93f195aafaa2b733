// What is stored about models: the lists of addresses, entered prices, and where the model of each run was called.
import type { ModelPrice } from '@tandem/contract/model'
import type { OfferedModel, OfferedModels } from '../model/listed-models.ts'
import type { Store } from '../store/store.ts'

export interface StoredList extends OfferedModels {
  readonly seen_at: number
}

export interface ModelRecords {
  list(address: string): StoredList | null
  putList(address: string, offered: OfferedModels): void
  price(address: string, model: string): ModelPrice | null
  prices(address: string): ReadonlyMap<string, ModelPrice>
  /** Null removes it. */
  putPrice(address: string, model: string, price: ModelPrice | null): void
  /** The first address counts. */
  putRunAddress(run_id: string, address: string): void
}

interface PriceRow extends ModelPrice {
  readonly model: string
}

/** An address that was not used for longest is forgotten. */
const mostLists = 20

export function openModelRecords({ sql, clock, transaction }: Pick<Store, 'sql' | 'clock' | 'transaction'>): ModelRecords {
  return {
    list(address) {
      const row = sql.get`SELECT seen_at, models, omitted FROM model_lists WHERE address = ${address}`
      if (row === undefined) return null
      const models: readonly OfferedModel[] = JSON.parse(String(row.models))
      return { seen_at: Number(row.seen_at), models, omitted: Number(row.omitted) }
    },
    putList(address, { models, omitted }) {
      transaction(() => {
        sql.run`
          INSERT INTO model_lists (address, seen_at, models, omitted) VALUES (${address}, ${clock.now()}, ${JSON.stringify(models)}, ${omitted})
          ON CONFLICT (address) DO UPDATE SET seen_at = excluded.seen_at, models = excluded.models, omitted = excluded.omitted`
        sql.run`
          DELETE FROM model_lists WHERE address NOT IN (SELECT address FROM model_lists ORDER BY seen_at DESC, address LIMIT ${mostLists})`
      })
    },
    price: (address, model) =>
      sql.get<ModelPrice>`SELECT input, cached_input, output FROM model_prices WHERE address = ${address} AND model = ${model}` ?? null,
    prices: (address) =>
      new Map(
        sql.all<PriceRow>`SELECT model, input, cached_input, output FROM model_prices WHERE address = ${address}`.map(
          ({ model, ...price }) => [model, price],
        ),
      ),
    putPrice(address, model, price) {
      if (price === null) {
        sql.run`DELETE FROM model_prices WHERE address = ${address} AND model = ${model}`
        return
      }
      sql.run`
        INSERT INTO model_prices (address, model, input, cached_input, output)
        VALUES (${address}, ${model}, ${price.input}, ${price.cached_input}, ${price.output})
        ON CONFLICT (address, model) DO UPDATE SET input = excluded.input, cached_input = excluded.cached_input, output = excluded.output`
    },
    putRunAddress(run_id, address) {
      sql.run`INSERT OR IGNORE INTO run_addresses (run_id, address) VALUES (${run_id}, ${address})`
    },
  }
}
