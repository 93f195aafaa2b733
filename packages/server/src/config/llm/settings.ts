// Which providers, aliases and fallbacks exist, from the environment and the file. Pure: the caller reads the file.
import type { ModelCapability } from '@tandem/contract/llm'
import { dialectOf, type Operation, operations } from '../../operation.ts'
import { isLoopback } from '../platform.ts'
import type { VariableReader } from '../reader.ts'
import type { Environment } from '../variables.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import { type MeterLimits, readMeterLimits } from './limits.ts'
import { isPreset, keyedProviders, type Preset, presets } from './presets.ts'

export interface ProviderSettings extends Preset {
  readonly name: string
  readonly key?: string
}

/** Facts about a model besides its id; LLM_CONFIG overrides what the provider reports. */
export interface ModelFacts {
  readonly display_name?: string
  readonly context_window?: number
  readonly max_output_tokens?: number
  readonly capabilities: readonly ModelCapability[]
}

export interface LlmSettings {
  readonly providers: readonly ProviderSettings[]
  /** The address at which Ollama is looked for by default. */
  readonly ollama?: ProviderSettings
  readonly demo: boolean
  readonly aliases: Readonly<Record<string, string>>
  readonly fallbacks: Readonly<Record<string, readonly string[]>>
  readonly models: Readonly<Record<string, Partial<ModelFacts>>>
  readonly limits: MeterLimits
}

/** The text of the file in LLM_CONFIG, or why it could not be read. */
export type ConfigText = { readonly text: string } | { readonly cause: string } | undefined

export function readLlmSettings(reader: VariableReader, env: Environment, production: boolean, file: ConfigText): LlmSettings {
  const written = readFile(reader, file)
  const named = new Map<string, ProviderSettings>()
  for (const [name, keyVariable, urlVariable] of keyedProviders) {
    const key = readKey(reader, keyVariable)
    const base_url = readUrl(reader, urlVariable, reader.text(urlVariable), name === 'anthropic')
    // A substitute for a provider at another address may need no key.
    if (key !== undefined || base_url !== undefined)
      named.set(name, { ...presets[name], name, ...(key === undefined ? {} : { key }), ...(base_url === undefined ? {} : { base_url }) })
  }
  const host = reader.text('OLLAMA_HOST')
  const ollama = host === undefined || host === 'off' ? undefined : readOllama(reader, host)
  if (ollama !== undefined) named.set('ollama', { ...presets.ollama, name: 'ollama', base_url: ollama })
  written.providers?.forEach((provider, index) => {
    const settings = readProvider(reader, env, provider, named.get(provider.name), index)
    if (settings) named.set(settings.name, settings)
  })

  const providers = [...named.values()]
  const demo = reader.text('LLM_DEMO') === undefined ? undefined : reader.choice('LLM_DEMO', ['on', 'off'], 'on')
  const settings = {
    providers,
    ...(host === undefined && !named.has('ollama') ? { ollama: { ...presets.ollama, name: 'ollama' } } : {}),
    demo: demo === undefined ? !production || providers.length === 0 : demo === 'on',
    aliases: written.aliases ?? {},
    fallbacks: written.fallbacks ?? {},
    models: written.models ?? {},
    limits: readMeterLimits(reader),
  }
  checkNames(reader, settings)
  return settings
}

function readFile(reader: VariableReader, file: ConfigText): ConfigFile {
  const path = reader.text('LLM_CONFIG')
  if (path === undefined || file === undefined) return {}
  const remedy = 'see docs/operations.md for its format'
  if ('cause' in file) {
    reader.problem('LLM_CONFIG', 'unreachable', file.cause, 'use the path of a JSON file that can be read')
    return {}
  }
  const read = readConfigFile(file.text)
  if (read.ok) return read.file
  reader.problem('LLM_CONFIG', 'malformed', read.cause, remedy)
  return {}
}

/** A key is sent in a header: one line of plain characters. */
function readKey(reader: VariableReader, name: Parameters<VariableReader['text']>[0]): string | undefined {
  const key = reader.text(name)
  if (key === undefined || isKey(key)) return key
  return reader.problem(
    name,
    'malformed',
    'contains characters that are not allowed in a key',
    'copy the key exactly as the provider shows it',
  )
}

function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4000}$/.test(text)
}

function readUrl(
  reader: VariableReader,
  name: Parameters<VariableReader['text']>[0],
  text: string | undefined,
  anthropic = false,
): string | undefined {
  if (text === undefined) return undefined
  const remedy = 'use the form https://host/path'
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return reader.problem(name, 'malformed', 'is not an https:// URL', remedy)
  if (url.username !== '' || url.password !== '') return reader.problem(name, 'refused', 'contains a user name or password', remedy)
  if (url.search !== '' || url.hash !== '') return reader.problem(name, 'malformed', 'has a query or fragment', remedy)
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    reader.note(`${name}: requests to the provider are not encrypted; use https:// unless the network is private`)
  }
  const base = url.origin + url.pathname.replace(/\/+$/, '')
  // Anthropic's own clients expect the address without the version.
  return anthropic && !/\/v\d+$/.test(base) ? `${base}/v1` : base
}

/** Parsed like Ollama does: a host, a port, both, or a URL. A wildcard address is reached on loopback. */
function readOllama(reader: VariableReader, host: string): string | undefined {
  const hasScheme = /^https?:\/\/[^/]/.test(host)
  // Text that the parser would accept as a host, such as a path or another scheme, is not an address.
  const plain = /^(?:[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])?(?::\d{1,5})?(?:\/.*)?$/.test(host) && !host.startsWith('/')
  const url = hasScheme || plain ? URL.parse(hasScheme ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`) : null
  if (!url || url.port === '0' || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    return reader.problem('OLLAMA_HOST', 'malformed', 'is not an address', 'use host:11434 or http://host:11434')
  }
  if (!hasScheme && url.port === '') url.port = '11434'
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  const base = url.origin + url.pathname.replace(/\/+$/, '')
  return base.endsWith('/v1') ? base : `${base}/v1`
}

type WrittenProvider = NonNullable<ConfigFile['providers']>[number]

/** Secrets of the backend itself must not be used as keys of providers. */
const ownSecrets = /^(?:BAAS|CACHE|DATABASE|STORAGE)_|^METRICS_TOKEN$/

function readProvider(
  reader: VariableReader,
  env: Environment,
  written: WrittenProvider,
  known: ProviderSettings | undefined,
  index: number,
): ProviderSettings | undefined {
  const { name, key_env } = written
  const remedy = 'correct the file'
  const wrong = (cause: string) => reader.problem('LLM_CONFIG', 'malformed', `\`providers[${index}]\` ${cause}`, remedy)
  if (name === 'demo') return wrong('has the name demo, which is reserved')
  const base = known ?? (isPreset(name) ? { ...presets[name], name } : undefined)
  if (written.base_url === undefined && !base) return wrong('has no base_url')
  const served = written.operations ?? operationsIn(written.dialects) ?? base?.operations ?? ['chat_completions', 'responses', 'embeddings']
  const anthropicOnly = served.every((operation) => dialectOf[operation] === 'anthropic')
  const base_url = written.base_url === undefined ? base?.base_url : readUrl(reader, 'LLM_CONFIG', written.base_url, anthropicOnly)
  if (base_url === undefined) return undefined
  if (key_env !== undefined && ownSecrets.test(key_env)) return wrong('uses a secret of the backend as its key')
  const key = key_env === undefined ? known?.key : env[key_env]
  if (key_env !== undefined && !key) return wrong('has a key_env that names a variable that is not set')
  if (key !== undefined && !isKey(key)) return wrong('has a key with characters that are not allowed')
  return {
    name,
    base_url,
    operations: operations.filter((operation) => served.includes(operation)),
    auth: written.auth ?? base?.auth ?? (anthropicOnly ? 'x-api-key' : 'bearer'),
    stream_usage: written.stream_usage ?? base?.stream_usage ?? 'asked',
    ...(key === undefined ? {} : { key }),
  }
}

function operationsIn(dialects: WrittenProvider['dialects']): Operation[] | undefined {
  return dialects && operations.filter((operation) => dialects.includes(dialectOf[operation]))
}

/** Otherwise an invalid alias or fallback would fail only when it is needed. */
function checkNames(reader: VariableReader, { providers, ollama, demo, aliases, fallbacks }: LlmSettings): void {
  const known = new Set([...providers.map(({ name }) => name), ...(ollama ? ['ollama'] : []), ...(demo ? ['demo'] : [])])
  const leadsNowhere = (model: string) => !known.has(model.split('/')[0] ?? '')
  const remedy = 'use models of configured providers'
  if (Object.values(aliases).some(leadsNowhere)) {
    reader.problem('LLM_CONFIG', 'malformed', 'an alias refers to a provider that is not configured', remedy)
  }
  if (Object.values(fallbacks).flat().some(leadsNowhere)) {
    reader.problem('LLM_CONFIG', 'malformed', 'a fallback refers to a provider that is not configured', remedy)
  }
}
