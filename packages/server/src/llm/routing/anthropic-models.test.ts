import type { AnthropicModelQuery, ModelCard } from '@tandem/contract/llm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anthropicModel, anthropicPage } from './anthropic-models.ts'

const card = (id: string, dialects: ModelCard['dialects'], display_name?: string): ModelCard => ({
  ...{ id, object: 'model', created: 0, owned_by: 'test', dialects, capabilities: ['chat'] },
  ...(display_name === undefined ? {} : { display_name }),
})

test("a model has Anthropic's format if it supports that API", () => {
  expect([
    anthropicModel(card('demo/scripted', ['openai', 'anthropic'], 'Scripted demo')),
    anthropicModel(card('anthropic/claude-test', ['anthropic'])),
    anthropicModel(card('openai/gpt-test', ['openai'])),
  ]).toEqual([
    { type: 'model', id: 'demo/scripted', display_name: 'Scripted demo', created_at: '1970-01-01T00:00:00Z' },
    { type: 'model', id: 'anthropic/claude-test', display_name: 'anthropic/claude-test', created_at: '1970-01-01T00:00:00Z' },
    undefined,
  ])
})

test('an empty list, and a cursor of a model that is gone', () => {
  const nothing = { data: [], has_more: false, first_id: null, last_id: null }
  const one = [card('a/b', ['anthropic'])]
  expect([anthropicPage([], {}), anthropicPage(one, { after_id: 'a/gone' }), anthropicPage(one, { before_id: 'a/gone' })]).toEqual([
    nothing,
    nothing,
    nothing,
  ])
})

test('paging forwards and backwards returns every model once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), fc.boolean(), (count, limit, forwards) => {
      const cards = Array.from({ length: count }, (_, n) => card(`a/${n}`, n % 3 === 0 ? ['openai'] : ['openai', 'anthropic']))
      const ids = cards.filter(({ dialects }) => dialects.includes('anthropic')).map(({ id }) => id)
      const seen: string[] = []
      let query: AnthropicModelQuery = forwards ? { limit } : { limit, before_id: 'a/none' }
      // Backwards from the last one, which was returned before.
      const last = ids.at(-1)
      if (!forwards && last !== undefined) {
        seen.push(last)
        query = { limit, before_id: last }
      }
      for (let pages = 0; pages <= count; pages += 1) {
        const { data, has_more, first_id, last_id } = anthropicPage(cards, query)
        const page = data.map(({ id }) => id)
        if (forwards) seen.push(...page)
        else seen.unshift(...page)
        expect([first_id, last_id]).toEqual([page[0] ?? null, page.at(-1) ?? null])
        if (!has_more) break
        query = forwards ? { limit, after_id: last_id ?? '' } : { limit, before_id: first_id ?? '' }
      }
      expect(seen).toEqual(ids)
    }),
  )
})
