// Models and what they cost: lists of addresses, connection tests, prices, and the usage of runs.
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { isLocal } from '../model/base-url.ts'
import { type AddressInUse, openCatalog } from './catalog.ts'
import { modelHandlers } from './commands.ts'
import { openModelRecords } from './model-records.ts'
import { openUsage } from './usage.ts'

export interface CatalogNeeds {
  /** The address of models in use; null if there is none. */
  addressInUse(): AddressInUse | null
  /** The address that the account offers; null while there is none. */
  offeredAddress(): AddressInUse | null
}

export function openCatalogFeature(
  { store, journal, clock, log }: FeatureContext,
  { addressInUse, offeredAddress }: CatalogNeeds,
): Feature {
  const records = openModelRecords(store)
  const catalog = openCatalog({ records, clock, inUse: addressInUse, offered: offeredAddress })
  const noted = new Set<string>()

  /** So that a cost is known without opening the list of models. The list is asked for again only when it is old. */
  async function learnPrices(): Promise<void> {
    try {
      await catalog.list({ from: 'use' }, false)
    } catch (error) {
      log(`the list of models was not stored: ${String(error)}`)
    }
  }

  function note(run_id: string): void {
    const address = noted.has(run_id) ? null : catalog.address()
    if (address === null) return
    noted.add(run_id)
    store.relaxed(() => records.putRunAddress(run_id, address))
    if (!isLocal(address)) void learnPrices()
  }

  return {
    name: 'models',
    commands: modelHandlers({ catalog, records, usage: openUsage(store, records), journal, store }),
    // The address may change between two runs.
    beforeModelCall: ({ run_id }) => note(run_id),
    endRun: (run_id) => void noted.delete(run_id),
    stop: catalog.stop,
  }
}
