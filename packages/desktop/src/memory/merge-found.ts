// The results of a search in the memories of several agents as one. Pure.
import type { CommandResult } from '@tandem/contract/command'

export type MemoryFound = CommandResult<'memory_search'>

/** Shared memories are found with each agent, and appear once. */
export function mergeFound(all: readonly MemoryFound[]): MemoryFound {
  const memories = new Map<string, MemoryFound['semantic_recall'][number]>()
  const quotes = new Map<string, MemoryFound['exact_evidence'][number]>()
  for (const { semantic_recall, exact_evidence } of all) {
    for (const hit of semantic_recall) {
      const known = memories.get(hit.memory.id)
      if (!known || known.score < hit.score) memories.set(hit.memory.id, hit)
    }
    for (const hit of exact_evidence) {
      const key = `${hit.evidence.source} ${hit.evidence.id}`
      if (!quotes.has(key)) quotes.set(key, hit)
    }
  }
  return {
    semantic_recall: [...memories.values()].sort((left, right) => right.score - left.score),
    exact_evidence: [...quotes.values()].sort((left, right) => right.matched.length - left.matched.length || (left.ts < right.ts ? 1 : -1)),
    // If meanings were not compared for one agent, the user should know.
    semantic: all.find(({ semantic }) => semantic !== 'used')?.semantic ?? all[0]?.semantic ?? 'not_asked',
    late: all.some(({ late }) => late),
  }
}
