import type { RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { openSite } from '../../../test/support/sandbox/network/test-scope.ts'
import { call, reason, testContext } from '../../../test/support/tools/web/test-context.ts'
import { webSearch } from './search.ts'
import { type SearchSettings, searchAddress } from './search-provider.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const canary = 'tvly-canary-s3cret'

async function setUp(provider: SearchSettings['provider'], answer: RequestListener) {
  const there = await openSite(answer)
  const context = testContext([there.host])
  closing.push(there.close, context.dispose)
  const settings: SearchSettings = { provider, url: provider === 'searxng' ? there.origin : `${there.origin}/api`, key_name: 'search' }
  return { there, context, settings, tool: webSearch({ search: () => settings, secret: (name) => (name === 'search' ? canary : null) }) }
}

const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))

test('SearXNG', async () => {
  const { there, tool, context } = await setUp(
    'searxng',
    json({
      query: 'tandem',
      number_of_results: 0,
      results: [
        {
          url: 'https://one.example/',
          title: 'One',
          content: 'first text',
          publishedDate: '2026-01-02T00:00:00',
          engine: 'bing',
          parsed_url: ['https', 'one.example', '/', '', '', ''],
          template: 'default.html',
          engines: ['bing', 'brave'],
          positions: [1, 2],
          score: 3,
          category: 'general',
        },
        {
          url: 'https://two.example/',
          title: 'Two',
          content: null,
          engine: 'brave',
          engines: ['brave'],
          positions: [3],
          score: 0.3,
          category: 'general',
        },
      ],
      answers: [],
      corrections: [],
      infoboxes: [],
      suggestions: ['tandem bike'],
      unresponsive_engines: [['google', 'CAPTCHA']],
    }),
  )
  expect(await call(tool, { query: 'tandem bikes & more', page: 2 }, context)).toEqual({
    provider: 'searxng',
    query: 'tandem bikes & more',
    page: 2,
    results: [
      { title: 'One', url: 'https://one.example/', text: 'first text', published: '2026-01-02T00:00:00' },
      { title: 'Two', url: 'https://two.example/', text: '', published: null },
    ],
  })
  expect(there.seen).toEqual(['GET /search?q=tandem+bikes+%26+more&format=json&pageno=2'])
  expect(tool.effects({ query: 'x' }, { workspace: '/' })).toEqual([{ does: 'fetch', host: there.host }])
})

test('Brave', async () => {
  const { there, tool, context } = await setUp(
    'brave',
    json({
      type: 'search',
      query: { original: 'tandem', more_results_available: true },
      mixed: { type: 'mixed', main: [{ type: 'web', index: 0, all: false }] },
      web: {
        type: 'search',
        results: [
          {
            title: 'One',
            url: 'https://one.example/',
            is_source_local: false,
            description: 'first <strong>text</strong>',
            page_age: '2026-01-02T00:00:00',
            age: 'January 2, 2026',
            profile: { name: 'One', url: 'https://one.example/' },
            language: 'en',
            family_friendly: true,
            type: 'search_result',
            subtype: 'generic',
            meta_url: { scheme: 'https', netloc: 'one.example', hostname: 'one.example', path: '' },
          },
          { title: 'Two', url: 'https://two.example/', description: 'second' },
        ],
        family_friendly: true,
      },
    }),
  )
  const output = await call(tool, { query: 'tandem', count: 1 }, context)
  expect(output).toEqual({
    provider: 'brave',
    query: 'tandem',
    page: 1,
    results: [{ title: 'One', url: 'https://one.example/', text: 'first text', published: '2026-01-02T00:00:00' }],
  })
  expect([there.seen, there.requests[0]?.headers['x-subscription-token']]).toEqual([
    ['GET /api?q=tandem&count=1&offset=0&text_decorations=false'],
    canary,
  ])
  expect(JSON.stringify(output)).not.toContain(canary)
})

test('Tavily', async () => {
  const bodies: string[] = []
  const { there, tool, context } = await setUp('tavily', async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk))
    json({
      query: 'tandem',
      follow_up_questions: null,
      answer: null,
      images: [],
      results: [{ title: 'One', url: 'https://one.example/', content: 'first text', score: 0.81, raw_content: null }],
      response_time: 1.09,
      request_id: '123e4567-e89b-12d3-a456-426614174111',
    })(request, response)
  })
  expect(await call(tool, { query: 'tandem', count: 3 }, context)).toEqual({
    provider: 'tavily',
    query: 'tandem',
    page: 1,
    results: [{ title: 'One', url: 'https://one.example/', text: 'first text', published: null }],
  })
  expect([there.seen, there.requests[0]?.headers.authorization, bodies.map((body) => JSON.parse(body))]).toEqual([
    ['POST /api'],
    `Bearer ${canary}`,
    [{ query: 'tandem', max_results: 3, search_depth: 'basic', include_answer: false }],
  ])
})

test.each([
  [401, 'search_key_refused'],
  [403, 'search_key_refused'],
  [429, 'search_limit_reached'],
  [500, 'search_failed'],
  [302, 'search_failed'],
])('status %i is %s, and the failure does not contain the key', async (status, code) => {
  const { tool, context } = await setUp('brave', (request, response) => {
    response.writeHead(status, { location: '/elsewhere' }).end(`bad key ${request.headers['x-subscription-token']}`)
  })
  const error: unknown = await call(tool, { query: 'x' }, context).catch((thrown: unknown) => thrown)
  expect([JSON.stringify(error), String(error), (error as Error).stack].join().includes(canary)).toBe(false)
  expect(error).toMatchObject({ reason_code: code })
})

test('a response that is not JSON, or JSON of another shape', async () => {
  const html = await setUp('searxng', (_, response) => response.end('<html>'))
  expect(await reason(call(html.tool, { query: 'x' }, html.context))).toBe('search_failed')
  const strange = await setUp(
    'brave',
    json({ web: { results: [7, null, { title: { a: 1 }, url: 'https://one.example/' }] }, __proto__: 1 }),
  )
  expect(await call(strange.tool, { query: 'x' }, strange.context)).toMatchObject({
    results: [
      { title: '', url: '', text: '', published: null },
      { title: '', url: '', text: '', published: null },
      { title: '', url: 'https://one.example/', text: '', published: null },
    ],
  })
})

test('a search requires a provider, a key, and the host in scope', async () => {
  const context = testContext(['*'])
  closing.push(context.dispose)
  const none = webSearch({ search: () => null, secret: () => null })
  expect([await reason(call(none, { query: 'x' }, context)), none.effects({ query: 'x' }, { workspace: '/' })]).toEqual([
    'search_not_configured',
    [],
  ])
  const keyless = webSearch({ search: () => ({ provider: 'brave', key_name: 'lost' }), secret: () => null })
  expect(await reason(call(keyless, { query: 'x' }, context))).toBe('search_not_configured')
  const { tool } = await setUp('tavily', json({}))
  const elsewhere = testContext(['example.org'])
  closing.push(elsewhere.dispose)
  expect(await reason(call(tool, { query: 'x' }, elsewhere))).toBe('host_out_of_scope')
})

test.each([
  [{ provider: 'searxng', url: 'https://search.example' }, 'https://search.example/search'],
  [{ provider: 'searxng', url: 'https://search.example/sx' }, 'https://search.example/sx/search'],
  [{ provider: 'searxng', url: 'https://search.example/search' }, 'https://search.example/search'],
  [{ provider: 'brave' }, 'https://api.search.brave.com/res/v1/web/search'],
  [{ provider: 'tavily' }, 'https://api.tavily.com/search'],
] satisfies [SearchSettings, string][])('%j is asked at %s', (settings, address) => {
  expect(searchAddress(settings)).toBe(address)
})
