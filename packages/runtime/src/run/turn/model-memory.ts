// What one runtime has learned from the responses of its models. Hints only: nothing is stored, and nothing depends on it.
import type { Model } from '../../model/model.ts'
import type { Sight } from './transcript.ts'

export interface ModelMemory {
  /** The correction factor for token estimates in a run; 1 until its model has reported a count. */
  factorOf(run_id: string): number
  learnFactor(run_id: string, factor: number): void
  /** Whether the user of a run knows that its model does not support tools. */
  knowsWithoutTools(run_id: string): boolean
  learnWithoutTools(run_id: string): void
  /** The context window that a server reported when it refused a request: the most reliable source. */
  contextTokensOf(model: Model, name: string): number | null
  learnContextTokens(model: Model, name: string, tokens: number): void
  /** A model is blind if it refused an image since the runtime started. */
  sightOf(name: string): Sight
  learnBlind(name: string): void
  /** What was learned about a run is useless after it. What was learned about models stays. */
  forgetRun(run_id: string): void
}

export function openModelMemory(): ModelMemory {
  const factors = new Map<string, number>()
  const withoutTools = new Set<string>()
  const contextTokens = new WeakMap<Model, Map<string, number>>()
  const blind = new Set<string>()
  return {
    factorOf: (run_id) => factors.get(run_id) ?? 1,
    learnFactor: (run_id, factor) => void factors.set(run_id, factor),
    knowsWithoutTools: (run_id) => withoutTools.has(run_id),
    learnWithoutTools: (run_id) => void withoutTools.add(run_id),
    contextTokensOf: (model, name) => contextTokens.get(model)?.get(name) ?? null,
    learnContextTokens(model, name, tokens) {
      const known = contextTokens.get(model) ?? new Map<string, number>()
      contextTokens.set(model, known.set(name, tokens))
    },
    sightOf: (name) => (blind.has(name) ? 'blind' : 'seeing'),
    learnBlind: (name) => void blind.add(name),
    forgetRun(run_id) {
      factors.delete(run_id)
      withoutTools.delete(run_id)
    },
  }
}
