// An Ollama on this machine is used when it answers, whether it was started before us or after.

import type { ProviderSettings } from '../../config/llm/settings.ts'
import type { Upstream } from '../upstream.ts'

const againMilliseconds = 10_000

export function ollamaFinder(
  settings: ProviderSettings,
  connect: (settings: ProviderSettings) => Upstream,
  now: () => number,
  /** How long it may take to answer: on this machine, so not long. */
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
      // Nobody said that there is one.
      return undefined
    }
  }

  return () => {
    if (!looked || now() - looked.at > againMilliseconds) looked = { at: now(), found: look() }
    return looked.found
  }
}
