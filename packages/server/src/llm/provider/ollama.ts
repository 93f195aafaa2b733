// An Ollama on this machine is used if it answers, even if it was started after the server.

import type { ProviderSettings } from '../../config/llm/settings.ts'
import type { Upstream } from '../upstream.ts'

const againMilliseconds = 10_000

export function ollamaFinder(
  settings: ProviderSettings,
  connect: (settings: ProviderSettings) => Upstream,
  now: () => number,
  /** How long it may take to answer: it is on this machine, so not long. */
  { probe_ms = 300 } = {},
): () => Promise<Upstream | undefined> {
  let upstream: Upstream | undefined
  let looked: { at: number; found: Promise<Upstream | undefined> } | undefined

  async function look(): Promise<Upstream | undefined> {
    upstream ??= connect(settings)
    try {
      await upstream.models(AbortSignal.timeout(probe_ms))
      return upstream
    } catch {
      // It may not exist.
      return undefined
    }
  }

  return () => {
    if (!looked || now() - looked.at > againMilliseconds) looked = { at: now(), found: look() }
    return looked.found
  }
}
