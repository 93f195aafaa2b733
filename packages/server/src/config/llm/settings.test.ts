import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemLine } from '../problem.ts'
import { createReader } from '../reader.ts'
import type { Environment } from '../variables.ts'
import { presets } from './presets.ts'
import { type ConfigText, readLlmSettings } from './settings.ts'

function read(env: Environment, { production = false, file }: { production?: boolean; file?: object | string } = {}) {
  const reader = createReader(env)
  const text: ConfigText = file === undefined ? undefined : { text: typeof file === 'string' ? file : JSON.stringify(file) }
  const settings = readLlmSettings(reader, env, production, text)
  return { settings, problems: reader.problems.map(problemLine), notes: reader.notes }
}

const written = (file: object | string, env: Environment = {}) => read({ LLM_CONFIG: 'llm.json', ...env }, { file })

describe('the environment', () => {
  test('empty: the demo model, and Ollama if one is found', () => {
    expect(read({})).toEqual({
      problems: [],
      notes: [],
      settings: {
        providers: [],
        ollama: { ...presets.ollama, name: 'ollama' },
        demo: true,
        aliases: {},
        fallbacks: {},
        models: {},
        limits: { requests_per_minute: 120, tokens_per_minute: 200_000, tokens_per_month: 0, calls_in_flight: 16 },
      },
    })
  })

  test('keys and addresses', () => {
    const { settings, problems, notes } = read({
      OPENAI_API_KEY: 'sk-1',
      ANTHROPIC_API_KEY: 'sk-2',
      ANTHROPIC_BASE_URL: 'https://gate.example/anthropic/',
      GROQ_BASE_URL: 'http://groq.example/openai/v1',
      OLLAMA_HOST: '0.0.0.0',
    })
    expect(settings.providers).toEqual([
      { ...presets.openai, name: 'openai', key: 'sk-1' },
      { ...presets.anthropic, name: 'anthropic', key: 'sk-2', base_url: 'https://gate.example/anthropic/v1' },
      { ...presets.groq, name: 'groq', base_url: 'http://groq.example/openai/v1' },
      { ...presets.ollama, name: 'ollama' },
    ])
    expect([settings.ollama, problems, notes]).toEqual([
      undefined,
      [],
      ['GROQ_BASE_URL: requests to the provider are not encrypted; use https:// unless the network is private'],
    ])
  })

  test.each([
    ['box:9', 'http://box:9/v1'],
    ['box', 'http://box:11434/v1'],
    [':9', 'http://127.0.0.1:9/v1'],
    ['https://box', 'https://box/v1'],
    ['http://[::]:9/', 'http://127.0.0.1:9/v1'],
  ])('OLLAMA_HOST=%s', (host, base_url) => {
    expect(read({ OLLAMA_HOST: host }).settings.providers).toEqual([{ ...presets.ollama, name: 'ollama', base_url }])
  })

  test.each([
    '/etc/ollama',
    'ftp://host',
    'http://',
    'http:///host',
    'unix:///run/x',
    'two words',
    'host:0',
    'host:99999',
    'a@b',
    'host?x',
    '::1',
  ])('OLLAMA_HOST=%s is not an address', (host) => {
    expect(read({ OLLAMA_HOST: host }).problems).toEqual(['OLLAMA_HOST: is not an address; use host:11434 or http://host:11434'])
  })

  test('the demo model is for development, for a server without models, and on request', () => {
    const demo = (env: Environment, production: boolean) => read(env, { production }).settings.demo
    const key = { OPENAI_API_KEY: 'sk-1' }
    expect([
      demo(key, false),
      demo({ LLM_DEMO: 'off' }, false),
      demo({}, true),
      demo(key, true),
      demo({ ...key, LLM_DEMO: 'on' }, true),
    ]).toEqual([true, false, true, false, true])
  })
})

describe('the file', () => {
  test('adds providers, changes known ones, names aliases and fallbacks', () => {
    const { settings, problems } = written(
      {
        providers: [
          { name: 'house', base_url: 'http://127.0.0.1:8000/v1', key_env: 'HOUSE_KEY', operations: ['embeddings', 'chat_completions'] },
          { name: 'openai', operations: ['chat_completions'] },
          { name: 'claude', base_url: 'https://c.example', dialects: ['anthropic'] },
        ],
        aliases: { fast: 'house/small' },
        fallbacks: { 'house/small': ['openai/x', 'demo/scripted'] },
        models: { 'house/small': { context_window: 8_192 } },
      },
      { OPENAI_API_KEY: 'sk-1', HOUSE_KEY: 'house-key', OLLAMA_HOST: 'off' },
    )
    expect(problems).toEqual([])
    expect(settings.providers).toEqual([
      { ...presets.openai, name: 'openai', key: 'sk-1', operations: ['chat_completions'] },
      {
        name: 'house',
        base_url: 'http://127.0.0.1:8000/v1',
        key: 'house-key',
        operations: ['chat_completions', 'embeddings'],
        auth: 'bearer',
        stream_usage: 'asked',
      },
      {
        name: 'claude',
        base_url: 'https://c.example/v1',
        operations: ['messages', 'count_tokens'],
        auth: 'x-api-key',
        stream_usage: 'asked',
      },
    ])
    expect([settings.ollama, settings.aliases, settings.models]).toEqual([
      undefined,
      { fast: 'house/small' },
      { 'house/small': { context_window: 8_192 } },
    ])
  })

  const house = { name: 'house', base_url: 'http://127.0.0.1:1/v1' }
  test.each<[string, object | string, string]>([
    ['not JSON', '{', 'the file is not valid JSON; see docs/operations.md for its format'],
    ['a key in it', { providers: [{ ...house, key: 'sk-1' }] }, '`providers[0]` is not valid; see docs/operations.md for its format'],
    [
      'a field of another kind',
      { models: { 'house/sk-1': { context_window: '8k' } } },
      '`models` is not valid; see docs/operations.md for its format',
    ],
    [
      'a provider without operations',
      { providers: [{ ...house, operations: [] }] },
      '`providers[0].operations` must not be empty; see docs/operations.md for its format',
    ],
    ['no address', { providers: [{ name: 'house' }] }, '`providers[0]` has no base_url; correct the file'],
    [
      'an address with a password',
      { providers: [{ ...house, base_url: 'https://a:b@c' }] },
      'contains a user name or password; use the form https://host/path',
    ],
    [
      'a key that is not set',
      { providers: [{ ...house, key_env: 'NOT_SET' }] },
      '`providers[0]` has a key_env that names a variable that is not set; correct the file',
    ],
    [
      'a secret of ours',
      { providers: [{ ...house, key_env: 'BAAS_KEY' }] },
      '`providers[0]` uses a secret of the backend as its key; correct the file',
    ],
    [
      'the name of the demonstration',
      { providers: [{ ...house, name: 'demo' }] },
      '`providers[0]` has the name demo, which is reserved; correct the file',
    ],
    [
      'an alias to an unknown provider',
      { aliases: { a: 'b/c' } },
      'an alias refers to a provider that is not configured; use models of configured providers',
    ],
    [
      'a fallback to an unknown provider',
      { fallbacks: { a: ['b/c'] } },
      'a fallback refers to a provider that is not configured; use models of configured providers',
    ],
  ])('%s', (_name, file, line) => {
    expect(written(file, { BAAS_KEY: 'x' }).problems).toEqual([`LLM_CONFIG: ${line}`])
  })

  test('an unreadable file is a problem', () => {
    const env = { LLM_CONFIG: 'gone.json' }
    const reader = createReader(env)
    readLlmSettings(reader, env, false, { cause: 'points to a file that cannot be read (ENOENT)' })
    expect(reader.problems.map(problemLine)).toEqual([
      'LLM_CONFIG: points to a file that cannot be read (ENOENT); use the path of a JSON file that can be read',
    ])
  })
})

test('problems name the variable, never its value', () => {
  const { problems } = read({ OPENAI_API_KEY: 'schlüssel', XAI_BASE_URL: 'ftp://x', OLLAMA_HOST: 'http://a:b@c', LLM_DEMO: 'maybe' })
  expect(problems).toEqual([
    'OPENAI_API_KEY: contains characters that are not allowed in a key; copy the key exactly as the provider shows it',
    'XAI_BASE_URL: is not an https:// URL; use the form https://host/path',
    'OLLAMA_HOST: is not an address; use host:11434 or http://host:11434',
    'LLM_DEMO: is not one of on, off; choose one of these',
  ])
})

test('problems contain nothing from the file', () => {
  const marker = fc.stringMatching(/^[A-Za-z0-9]{12,24}$/)
  const places: ((value: string) => object)[] = [
    (value) => ({ [value]: 1 }),
    (value) => ({ providers: [{ name: value }] }),
    (value) => ({ providers: [{ name: 'house', base_url: `https://u:${value}@h` }] }),
    (value) => ({ providers: [{ name: 'house', base_url: `http://h/?${value}` }] }),
    (value) => ({ providers: [{ name: 'house', base_url: 'https://h', key_env: value.toUpperCase() }] }),
    (value) => ({ aliases: { [value]: `${value.toLowerCase()}/x` } }),
    (value) => ({ models: { [value]: { [value]: 1 } } }),
  ]
  fc.assert(
    fc.property(marker, fc.nat(places.length - 1), (value, place) => {
      const { problems, notes } = written(places[place]?.(value) ?? {})
      expect(problems.length).toBeGreaterThan(0)
      expect([...problems, ...notes].join('\n').toLowerCase()).not.toContain(value.toLowerCase())
    }),
    { verbose: 1 },
  )
})
