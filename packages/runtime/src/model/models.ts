// The models of this device, opened at their address, each with the key of that address.
import type { Clock } from '../clock/clock.ts'
import type { KnownAddress } from './address.ts'
import { type Model, openModel } from './model.ts'

export interface ProvidedModels {
  readonly base_url: string
  readonly default_model: string | null
  /** Requested for each call: tokens are renewed. */
  key(): Promise<string | null>
}

export interface Models {
  /** Null if there is no address. */
  current(): Model | null
  /** Used while no model is configured. */
  offer(models: ProvidedModels): void
  /** Those of the cloud that the user is signed in to, otherwise the offered ones. */
  offered(): ProvidedModels | null
  close(): void
}

export function openModels(address: () => KnownAddress | null, clock: Clock, signedIn: () => ProvidedModels | null = () => null): Models {
  const open = new Map<string, Model>()
  let lent: ProvidedModels | null = null
  const offered = () => signedIn() ?? lent

  function at(source: string, base_url: string, key: () => Promise<string | null>): Model {
    const name = `${source} ${base_url}`
    const model = open.get(name) ?? openModel({ base_url, key }, clock)
    open.set(name, model)
    return model
  }

  /** A call that is retried may outlive its settings: the key of the new address must not be sent to the old one. */
  function keyOf(opened: KnownAddress): () => Promise<string | null> {
    let { key } = opened
    return async () => {
      const now = address()
      if (now?.source === opened.source && now.base_url === opened.base_url) key = now.key
      return key
    }
  }

  function keyOfOffered(opened: ProvidedModels): () => Promise<string | null> {
    // One address may be offered by two sources: the current sign-in is used.
    return () => {
      const now = offered()
      return (now?.base_url === opened.base_url ? now : opened).key()
    }
  }

  return {
    current() {
      const known = address()
      if (known) return at(known.source, known.base_url, keyOf(known))
      const now = offered()
      return now && at('offered', now.base_url, keyOfOffered(now))
    },
    offer(models) {
      lent = models
    },
    offered,
    close() {
      for (const model of open.values()) model.close()
    },
  }
}
