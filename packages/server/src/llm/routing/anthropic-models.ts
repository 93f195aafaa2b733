// The list of models in the format of Anthropic's clients. Pure.
import type { AnthropicModel, AnthropicModelList, AnthropicModelQuery, ModelCard } from '@tandem/contract/llm'

const usualLimit = 20

/** Undefined for a model that such a client could not call. */
export function anthropicModel({ id, display_name, dialects }: ModelCard): AnthropicModel | undefined {
  if (!dialects.includes('anthropic')) return undefined
  return { type: 'model', id, display_name: display_name ?? id, created_at: '1970-01-01T00:00:00Z' }
}

/** A model that no longer exists is not a valid cursor: the page is then empty, so that no client loops. */
export function anthropicPage(
  cards: readonly ModelCard[],
  { limit = usualLimit, after_id, before_id }: AnthropicModelQuery,
): AnthropicModelList {
  const all = cards.map(anthropicModel).filter((model) => model !== undefined)
  const place = (id: string) => all.findIndex((model) => model.id === id)
  const from = after_id === undefined ? 0 : place(after_id) + 1 || all.length
  const to = before_id === undefined ? all.length : Math.max(0, place(before_id))
  const rest = all.slice(from, to)
  const backwards = before_id !== undefined && after_id === undefined
  const data = backwards ? rest.slice(-limit) : rest.slice(0, limit)
  return { data, has_more: rest.length > data.length, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}
