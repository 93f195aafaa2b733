// Finding a model in a long list. Pure.
import type { ListedModel } from './schema.ts'

/** Every word must occur in the id or the name. A match at the beginning comes first; the order is otherwise that of the list. */
export function searchModels(models: readonly ListedModel[], query: string, most: number): readonly ListedModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return models.slice(0, most)
  const found = models.flatMap((model) => {
    const rank = rankOf(model, words)
    return rank === null ? [] : [{ model, rank }]
  })
  return found
    .sort((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ model }) => model)
}

function rankOf({ id, name }: ListedModel, words: readonly string[]): number | null {
  const low = id.toLowerCase()
  const text = `${low} ${(name ?? '').toLowerCase()}`
  if (!words.every((word) => text.includes(word))) return null
  const [first = ''] = words
  if (low === words.join(' ')) return 0
  if (low.startsWith(first)) return 1
  return low.split('/').at(-1)?.startsWith(first) ? 2 : 3
}

/** What the list says about a model, in one line. */
export function modelFacts({ context_tokens, images, tools }: ListedModel): readonly string[] {
  return [
    ...(context_tokens === null ? [] : [`${tokensText(context_tokens)} context`]),
    ...(images === null ? [] : [images ? 'images' : 'no images']),
    ...(tools === null ? [] : [tools ? 'tools' : 'no tools']),
  ]
}

/** 128,000 is 128K, 1,048,576 is 1M. */
export function tokensText(tokens: number): string {
  if (tokens >= 1_000_000) return `${Number((tokens / 1_000_000).toFixed(1))}M`
  const thousand = tokens % 1_024 === 0 && tokens % 1_000 !== 0 ? 1_024 : 1_000
  return `${Math.round(tokens / thousand)}K`
}
