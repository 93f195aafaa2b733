import { expect, test } from 'vitest'
import type { Operation } from '../../operation.ts'
import type { Upstream, UpstreamModel } from '../upstream.ts'
import { openDirectory } from './directory.ts'

function upstream(
  name: string,
  operations: readonly Operation[],
  models: () => Promise<readonly UpstreamModel[]> = async () => [],
): Upstream {
  return { name, operations, models, send: () => Promise.reject(new Error('not asked')) }
}

const chatty = upstream('chatty', ['chat_completions'], async () => [{ id: 'a/b', capabilities: ['chat'] }])
const both = upstream('both', ['chat_completions', 'messages'], async () => [{ id: 'x', capabilities: ['chat'], context_window: 1 }])
const settings = {
  aliases: { fast: 'chatty/a/b' },
  fallbacks: { fast: ['both/x'], 'both/x': ['chatty/z'] },
  models: { 'both/x': { context_window: 9, max_output_tokens: 5 }, 'both/y': { display_name: 'Y' } },
}

const quiet = { now: () => 0, missing: () => undefined }

test('resolves names to models to try', () => {
  const directory = openDirectory([chatty, both], settings, quiet)
  const ids = (names: readonly string[], operation: Operation) => {
    const resolved = directory.resolve(names, operation)
    return resolved.ok ? resolved.candidates.map(({ id, model, upstream: { name } }) => `${id} = ${name}: ${model}`) : resolved
  }
  expect(ids(['chatty/a/b'], 'chat_completions')).toEqual(['chatty/a/b = chatty: a/b'])
  expect(ids(['fast'], 'chat_completions')).toEqual(['chatty/a/b = chatty: a/b', 'both/x = both: x'])
  expect(ids(['fast', 'chatty/a/b', 'both/x'], 'chat_completions')).toHaveLength(3)
  expect(ids(['fast'], 'messages')).toEqual(['both/x = both: x'])
  expect(ids(['chatty/a/b'], 'messages')).toEqual({
    ok: false,
    code: 'dialect_unsupported',
    detail: 'messages is not supported: chatty/a/b supports openai (chat_completions)',
  })
  for (const name of ['nobody/x', 'x', 'chatty/', '/x', 'chatty/a b', '__proto__', 'constructor', `chatty/${'x'.repeat(300)}`]) {
    expect(ids(['both/x', name], 'chat_completions')).toMatchObject({ ok: false, code: 'model_not_found' })
  }
})

test('the list is cached for a minute; a failed provider is omitted and queried again sooner', async () => {
  let now = 0
  let asked = 0
  let fails = true
  const missing: string[] = []
  const flaky = upstream('flaky', ['embeddings'], async () => {
    asked += 1
    if (fails) throw new Error('down')
    return [{ id: 'e', capabilities: ['embeddings'] }]
  })
  const directory = openDirectory([both, flaky], settings, { now: () => now, missing: (name) => void missing.push(name) })
  const ids = async () => (await directory.list()).map(({ id }) => id)
  expect(await Promise.all([ids(), ids()])).toEqual([
    ['both/x', 'both/y'],
    ['both/x', 'both/y'],
  ])
  expect([asked, missing]).toEqual([1, ['flaky']])
  fails = false
  now = 11_000
  expect(await ids()).toEqual(['both/x', 'both/y', 'flaky/e'])
  now = 60_000
  await ids()
  expect(asked).toBe(2)
  now = 72_000
  await ids()
  expect(asked).toBe(3)
})

test('a card contains the fields of provider and configuration', async () => {
  const directory = openDirectory([chatty, both], settings, quiet)
  expect(await directory.find('both/x')).toEqual({
    id: 'both/x',
    object: 'model',
    created: 0,
    owned_by: 'both',
    dialects: ['openai', 'anthropic'],
    capabilities: ['chat'],
    context_window: 9,
    max_output_tokens: 5,
  })
  expect(await directory.find('fast')).toEqual({ ...(await directory.find('chatty/a/b')), id: 'fast' })
  expect([await directory.find('both/z'), await directory.find('nobody/z')]).toEqual([undefined, undefined])
  expect([directory.outputMax('both/x'), directory.outputMax('__proto__')]).toEqual([5, undefined])
})

test('a provider that becomes available later is found', async () => {
  let found: Upstream | undefined
  const directory = openDirectory([], settings, { ...quiet, discover: async () => found })
  expect([await directory.list(), directory.resolve(['chatty/a/b'], 'chat_completions').ok]).toEqual([[], false])
  found = chatty
  expect([(await directory.list()).map(({ id }) => id), directory.resolve(['chatty/a/b'], 'chat_completions').ok]).toEqual([
    ['chatty/a/b', 'fast'],
    true,
  ])
})
