// The models of this device, opened where they are, each with the key of its own address.
import type { Clock } from '../clock/clock.ts'
import type { KnownAddress } from './address.ts'
import { type Model, openModel } from './model.ts'

export interface OfferedModels {
  readonly base_url: string
  readonly default_model: string
  /** Asked for at each call: tokens are renewed. */
  key(): Promise<string | null>
}

export interface Models {
  /** Null when there is no address. */
  current(): Model | null
  /** To be used while the person has set none of their own. */
  offer(models: OfferedModels): void
  offered(): OfferedModels | null
  close(): void
}

export function openModels(address: () => KnownAddress | null, clock: Clock): Models {
  const open = new Map<string, Model>()
  let offered: OfferedModels | null = null

  function at(source: string, base_url: string, key: () => Promise<string | null>): Model {
    const name = `${source} ${base_url}`
    const model = open.get(name) ?? openModel({ base_url, key }, clock)
    open.set(name, model)
    return model
  }

  /** A call that is tried again may outlive the settings it began with: the key of the next address is not for this one. */
  function keyOf(opened: KnownAddress): () => Promise<string | null> {
    let { key } = opened
    return async () => {
      const now = address()
      if (now?.source === opened.source && now.base_url === opened.base_url) key = now.key
      return key
    }
  }

  function keyOfOffered(opened: OfferedModels): () => Promise<string | null> {
    return () => (offered?.base_url === opened.base_url ? offered : opened).key()
  }

  return {
    current() {
      const known = address()
      if (known) return at(known.source, known.base_url, keyOf(known))
      return offered && at('offered', offered.base_url, keyOfOffered(offered))
    },
    offer(models) {
      offered = models
    },
    offered: () => offered,
    close() {
      for (const model of open.values()) model.close()
    },
  }
}
