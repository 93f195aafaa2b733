import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectionResults, connectionText, isConnected } from './connection.ts'
import { costOf, costText, dollarText, priceText, totalCost } from './cost.ts'
import { presetNames, presetOf, presets } from './preset.ts'
import type { ListedModel, UsageReport, UsageRow } from './schema.ts'
import { modelFacts, searchModels, tokensText } from './search.ts'
import { usageCsv, usageMarkdown } from './usage-table.ts'

const usage = (input_tokens: number, cached_tokens: number, output_tokens: number, estimated = false) => ({
  input_tokens,
  cached_tokens,
  output_tokens,
  estimated,
})

test.each([
  [null, 'gateway'],
  ['', 'gateway'],
  ['  ', 'gateway'],
  ['https://api.openai.com/v1', 'openai'],
  ['https://API.openai.com/v1/chat/completions', 'openai'],
  ['api.openai.com', 'openai'],
  ['http://127.0.0.1:11434/v1', 'ollama'],
  ['localhost:11434', 'ollama'],
  ['http://[::1]:11434/v1', 'ollama'],
  ['http://localhost:1234', 'lm_studio'],
  ['https://openrouter.ai/api/v1', 'openrouter'],
  ['https://openrouter.ai.evil.test/api/v1', 'compatible'],
  ['http://openrouter.ai/api/v1', 'compatible'],
  ['https://models.example/v1', 'compatible'],
  ['/', 'compatible'],
])('the preset of %j is %s', (address, name) => {
  expect(presetOf(address)).toBe(name)
})

test('every preset with an address is found by it', () => {
  for (const name of presetNames) if (presets[name].base_url !== null) expect(presetOf(presets[name].base_url)).toBe(name)
})

test.each([
  ['reached', 'compatible', 'a.test:1 responds and offers 3 models.', 'Choose a model.'],
  ['no_models', 'compatible', 'a.test:1 responds, but offers no models.', 'Add a model at the provider, or type its name.'],
  ['no_models', 'ollama', 'a.test:1 responds, but offers no models.', 'Download one, for example with “ollama pull qwen3”.'],
  ['no_models', 'lm_studio', 'a.test:1 responds, but offers no models.', 'Download a model in LM Studio.'],
  ['list_too_long', 'compatible', 'a.test:1 responds, but its list of models is too long to be shown.', 'Type the name of the model.'],
  ['wrong_key', 'compatible', 'a.test:1 does not accept the key.', 'Check the key, or create a new one.'],
  [
    'wrong_key',
    'openai',
    'a.test:1 does not accept the key.',
    'Check the key, or create a new one at https://platform.openai.com/api-keys.',
  ],
  ['no_key', 'openrouter', 'a.test:1 needs a key.', 'Enter your key at https://openrouter.ai/settings/keys.'],
  ['refused', 'compatible', 'Nothing responds at a.test:1.', 'Check the port, and that the server is running.'],
  ['refused', 'ollama', 'Nothing responds at a.test:1.', 'Start Ollama, for example with “ollama serve”, and try again.'],
  [
    'refused',
    'lm_studio',
    'Nothing responds at a.test:1.',
    'Start the server of LM Studio, for example with “lms server start”, and try again.',
  ],
  ['no_such_host', 'compatible', 'There is no host named a.test:1.', 'Check the spelling of the address and your network connection.'],
  ['unreachable', 'compatible', 'a.test:1 cannot be reached from this network.', 'Check your network connection, VPN and firewall.'],
  [
    'not_a_model_server',
    'compatible',
    'a.test:1 responds, but has no list of models there.',
    'Check the path of the address; it often ends in /v1. If this server has no list, type the name of the model.',
  ],
  [
    'tls',
    'compatible',
    'The secure connection to a.test:1 failed.',
    'Check its certificate, or use http:// if it is a server in your own network.',
  ],
  ['timeout', 'compatible', 'a.test:1 did not respond in time.', 'Try again; check the address if it happens again.'],
  ['rate_limited', 'compatible', 'a.test:1 accepts no more requests at the moment.', 'Wait a minute and try again.'],
  ['server_error', 'compatible', 'a.test:1 responds with an error of its own.', 'Try again later.'],
  ['no_address', 'gateway', 'No provider is configured.', 'Enter an address, or sign in to an account that offers models.'],
] as const)('the result %s of %s', (result, preset, message, remedy) => {
  expect(connectionText(result, { host: 'a.test:1', models: 3, preset })).toEqual({ message, remedy })
})

test('only a server that responded as expected works', () => {
  expect(connectionResults.filter(isConnected)).toEqual(['reached', 'no_models', 'list_too_long'])
})

const price = { input: 2, cached_input: 0.5, output: 8 }

test.each([
  ['input and output', usage(1_000_000, 0, 500_000), price, { dollars: 6, approximate: false }],
  ['cached input is a part of the input', usage(1_000_000, 400_000, 0), price, { dollars: 1.4, approximate: false }],
  ['without a price of cached input', usage(1_000_000, 400_000, 0), { ...price, cached_input: null }, { dollars: 2, approximate: true }],
  ['more cached than input', usage(10, 1_000_000, 0), price, { dollars: 0.000005, approximate: false }],
  ['estimated tokens', usage(0, 0, 1_000_000, true), price, { dollars: 8, approximate: true }],
  ['nothing', usage(0, 0, 0), price, { dollars: 0, approximate: false }],
  ['free', usage(5, 5, 5), { input: 0, cached_input: null, output: 0 }, { dollars: 0, approximate: false }],
])('%s', (_what, used, at, cost) => {
  expect(costOf(used, at)).toEqual(cost)
})

const tokens = fc.nat({ max: 1_000_000_000 })
const someUsage = fc.tuple(tokens, tokens, tokens).map(([fresh, cached, out]) => usage(fresh + cached, cached, out))
const dollars = fc.double({ min: 0, max: 10_000, noNaN: true })
const somePrice = fc.record({ input: dollars, cached_input: fc.option(dollars), output: dollars })

test('the cost of two runs is the sum of their costs, and more tokens never cost less', () => {
  fc.assert(
    fc.property(someUsage, someUsage, somePrice, (first, second, at) => {
      const both = usage(
        first.input_tokens + second.input_tokens,
        first.cached_tokens + second.cached_tokens,
        first.output_tokens + second.output_tokens,
      )
      const sum = costOf(first, at).dollars + costOf(second, at).dollars
      expect(Math.abs(costOf(both, at).dollars - sum)).toBeLessThanOrEqual(1e-9 * Math.max(1, sum))
      expect(costOf(both, at).dollars).toBeGreaterThanOrEqual(costOf(first, at).dollars * (1 - 1e-12))
      expect(costOf(first, at).dollars).toBeGreaterThanOrEqual(0)
    }),
  )
})

const billed = (dollars: number, approximate = false) => ({ billing: 'priced' as const, cost: { dollars, approximate } })
const local = { billing: 'local' as const, cost: null }
const unknown = { billing: 'unknown' as const, cost: null }

test.each([
  ['nothing', [], ''],
  ['local', [local, local], 'local'],
  ['priced', [billed(1.5)], '$1.50'],
  ['several', [billed(1.5), billed(0.25)], '$1.75'],
  ['priced and local', [billed(1.5), local], '$1.50'],
  ['approximate', [billed(1.5), billed(1, true)], '~$2.50'],
  ['a part is not known', [billed(1.5), unknown], 'at least $1.50'],
  ['nothing is known', [unknown], ''],
  ['local and not known', [local, unknown], ''],
])('the cost of %s', (_what, rows, text) => {
  expect(costText(totalCost(rows))).toBe(text)
})

test.each([
  [0, '$0'],
  [0.00005, '<$0.0001'],
  [0.0123, '$0.0123'],
  [0.1, '$0.10'],
  [12.345, '$12.35'],
  [1_234.5, '$1,234.50'],
])('%d dollars are %s', (amount, text) => {
  expect(dollarText(amount)).toBe(text)
})

test.each([
  [price, '$2.00 in, $0.50 cached, $8.00 out'],
  [{ input: 0.15, cached_input: null, output: 15 }, '$0.15 in, $15 out'],
  [{ input: 0, cached_input: 0, output: 0 }, 'free'],
])('the price %j is %s', (at, text) => {
  expect(priceText(at)).toBe(text)
})

const model = (id: string, name: string | null = null): ListedModel => ({
  ...{ id, name, context_tokens: null, images: null, tools: null },
  ...{ billing: 'unknown', price: null, price_source: null },
})
const offered = [model('z/gpt-5-mini'), model('openai/gpt-5', 'GPT-5'), model('gpt-5'), model('anthropic/claude', 'Claude Sonnet')]

test.each([
  ['', ['z/gpt-5-mini', 'openai/gpt-5', 'gpt-5', 'anthropic/claude']],
  ['gpt-5', ['gpt-5', 'z/gpt-5-mini', 'openai/gpt-5']],
  ['GPT  mini', ['z/gpt-5-mini']],
  ['sonnet', ['anthropic/claude']],
  ['gpt claude', []],
])('the search for %j', (query, ids) => {
  expect(searchModels(offered, query, 10).map(({ id }) => id)).toEqual(ids)
})

test('a search returns at most as many as asked for, and only models of the list that contain every word', () => {
  fc.assert(
    fc.property(fc.array(fc.string().map((id) => model(id))), fc.string(), fc.nat({ max: 20 }), (list, query, most) => {
      const found = searchModels(list, query, most)
      expect(found.length).toBeLessThanOrEqual(most)
      for (const one of found) {
        expect(list).toContain(one)
        for (const word of query.toLowerCase().split(/\s+/)) expect(`${one.id} `.toLowerCase()).toContain(word)
      }
    }),
  )
})

test.each([
  [8_192, '8K'],
  [128_000, '128K'],
  [131_072, '128K'],
  [1_000_000, '1M'],
  [1_048_576, '1M'],
  [1_500_000, '1.5M'],
])('%d tokens are %s', (count, text) => {
  expect(tokensText(count)).toBe(text)
})

test('the facts of a model: only what is known', () => {
  expect([
    modelFacts(model('a')),
    modelFacts({ ...model('a'), context_tokens: 128_000, images: true, tools: false }),
    modelFacts({ ...model('a'), images: false, tools: true }),
  ]).toEqual([[], ['128K context', 'images', 'no tools'], ['no images', 'tools']])
})

const row = (id: string, billing: Pick<UsageRow, 'billing' | 'price' | 'price_source' | 'cost'>): UsageRow => ({
  ...{ model: id, address: 'https://a.test/v1', runs: 2, usage: usage(100, 40, 10) },
  ...billing,
})
const report: UsageReport = {
  month: '2026-11',
  rows: [
    row('=cmd|"x"', { billing: 'priced', price, price_source: 'entered', cost: { dollars: 0.5, approximate: false } }),
    row('b', { billing: 'unknown', price: null, price_source: null, cost: null }),
  ],
  total: { runs: 4, usage: usage(200, 80, 20, true) },
}

test('a month as CSV: quoted, and no cell is a formula', () => {
  expect(usageCsv(report).split('\n')).toEqual([
    '"Model","Address","Runs","Input tokens","Cached","Output tokens","Price per million","Cost"',
    `"'=cmd|""x""","https://a.test/v1","2","100","40","10","$2.00 in, $0.50 cached, $8.00 out","$0.50"`,
    '"b","https://a.test/v1","2","100","40","10","","price not known"',
    '"Total","","4","~200","80","20","","at least $0.50"',
    '',
  ])
})

test('a month as Markdown: a bar in a name does not end its cell', () => {
  expect(usageMarkdown(report).split('\n').slice(0, 3)).toEqual([
    '| Model | Address | Runs | Input tokens | Cached | Output tokens | Price per million | Cost |',
    '| --- | --- | ---: | ---: | ---: | ---: | --- | --- |',
    '| =cmd\\|"x" | https://a.test/v1 | 2 | 100 | 40 | 10 | $2.00 in, $0.50 cached, $8.00 out | $0.50 |',
  ])
})
