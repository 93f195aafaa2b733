// Which upstream serves a model id: aliases, fallbacks, and the list of all models.
import type { Dialect } from '@tandem/contract/http'
import type { ModelCard } from '@tandem/contract/llm'
import type { LlmSettings } from '../../config/llm/settings.ts'
import { dialectOf, type Operation } from '../../operation.ts'
import type { Upstream, UpstreamModel } from '../upstream.ts'

/** One model that can be called. */
export interface Candidate {
  /** `provider/model`. */
  readonly id: string
  /** The provider's own name for it. */
  readonly model: string
  readonly upstream: Upstream
}

type Resolved =
  | { readonly ok: true; readonly candidates: readonly [Candidate, ...Candidate[]] }
  | { readonly ok: false; readonly code: 'model_not_found' | 'dialect_unsupported'; readonly detail: string }

export interface Directory {
  /** The models to try, in order; fallbacks that cannot serve the operation are omitted. */
  resolve(names: readonly string[], operation: Operation): Resolved
  list(): Promise<ModelCard[]>
  find(name: string): Promise<ModelCard | undefined>
  /** What is known of it without a request. */
  outputMax(id: string): number | undefined
}

export interface DirectoryOptions {
  readonly now: () => number
  /** Called if an upstream cannot be listed; it is omitted. */
  readonly missing: (upstream: string, error: unknown) => void
  /** Queried before each listing, for a provider that may become available later. */
  readonly discover?: () => Promise<Upstream | undefined>
}

type Settings = Pick<LlmSettings, 'aliases' | 'fallbacks' | 'models'>

const idPattern = /^[a-z0-9][a-z0-9_-]*\/[A-Za-z0-9._:@/+-]+$/
const freshMilliseconds = 60_000
const missingMilliseconds = 10_000
const listMilliseconds = 5_000
const resolvedMax = 1_000

export function openDirectory(upstreams: readonly Upstream[], settings: Settings, options: DirectoryOptions): Directory {
  const byName = new Map(upstreams.map((upstream) => [upstream.name, upstream]))
  const lists = new Map<string, { until: number; cards: Promise<readonly ModelCard[]> }>()

  function candidate(name: string): Candidate | undefined {
    const id = Object.hasOwn(settings.aliases, name) ? (settings.aliases[name] ?? name) : name
    if (id.length > 300 || !idPattern.test(id)) return undefined
    const slash = id.indexOf('/')
    const upstream = byName.get(id.slice(0, slash))
    return upstream && { id, model: id.slice(slash + 1), upstream }
  }

  function cardsOf(upstream: Upstream): Promise<readonly ModelCard[]> {
    const known = lists.get(upstream.name)
    if (known && known.until > options.now()) return known.cards
    const entry = { until: options.now() + freshMilliseconds, cards: load(upstream) }
    entry.cards.then((cards) => {
      if (cards.length === 0) entry.until = options.now() + missingMilliseconds
    })
    lists.set(upstream.name, entry)
    return entry.cards
  }

  async function load(upstream: Upstream): Promise<readonly ModelCard[]> {
    const written = modelsOf(upstream.name, settings)
    try {
      const told = await upstream.models(AbortSignal.timeout(listMilliseconds))
      const names = new Set(told.map(({ id }) => id))
      return [...told, ...written.filter(({ id }) => !names.has(id))].map((model) => cardOf(upstream, model, settings))
    } catch (error) {
      options.missing(upstream.name, error)
      return written.map((model) => cardOf(upstream, model, settings))
    }
  }

  async function all(): Promise<ModelCard[]> {
    const found = await options.discover?.()
    if (found && !byName.has(found.name)) byName.set(found.name, found)
    const cards = (await Promise.all([...byName.values()].map(cardsOf))).flat()
    const byId = new Map(cards.map((card) => [card.id, card]))
    const aliases = Object.entries(settings.aliases).flatMap(([id, name]) => {
      const card = byId.get(name)
      return card && !byId.has(id) ? [{ ...card, id }] : []
    })
    return [...cards, ...aliases]
  }

  /** Nearly every call names one model, and few models are used. */
  const resolved = new Map<string, Resolved>()

  function resolveAnew(names: readonly string[], operation: Operation): Resolved {
    const asked = names.flatMap((name) => [name, ...fallbacksOf(settings, name)])
    const candidates: Candidate[] = []
    for (const name of new Set(asked)) {
      const one = candidate(name)
      if (!one) return { ok: false, code: 'model_not_found', detail: `there is no model ${name.slice(0, 200)}` }
      if (!candidates.some(({ id }) => id === one.id)) candidates.push(one)
    }
    const [first, ...others] = candidates.filter(({ upstream }) => upstream.operations.includes(operation))
    if (first) return { ok: true, candidates: [first, ...others] }
    const told = candidates.map(
      ({ id, upstream }) => `${id} supports ${dialectsOf(upstream).join(' and ')} (${upstream.operations.join(', ')})`,
    )
    return { ok: false, code: 'dialect_unsupported', detail: `${operation} is not supported: ${told.join('; ')}` }
  }

  return {
    resolve(names, operation) {
      const key = names.length === 1 ? `${operation} ${names[0]}` : undefined
      const known = key === undefined ? undefined : resolved.get(key)
      if (known) return known
      const answer = resolveAnew(names, operation)
      // An unknown model may be found later; and invented names must not accumulate.
      if (key !== undefined && answer.ok && resolved.size < resolvedMax) resolved.set(key, answer)
      return answer
    },
    list: all,
    async find(name) {
      const one = candidate(name)
      if (!one) {
        const cards = await all()
        return cards.find(({ id }) => id === name)
      }
      const card = (await cardsOf(one.upstream)).find(({ id }) => id === one.id)
      return card && { ...card, id: name }
    },
    outputMax: (id) => (Object.hasOwn(settings.models, id) ? settings.models[id]?.max_output_tokens : undefined),
  }
}

function fallbacksOf({ fallbacks }: Settings, name: string): readonly string[] {
  return Object.hasOwn(fallbacks, name) ? (fallbacks[name] ?? []) : []
}

/** Those in the configuration, whether the provider lists them or not. */
function modelsOf(provider: string, { models }: Settings): UpstreamModel[] {
  return Object.entries(models).flatMap(([id, told]) =>
    id.startsWith(`${provider}/`) && idPattern.test(id)
      ? [{ capabilities: ['chat', 'tools'], ...told, id: id.slice(provider.length + 1) }]
      : [],
  )
}

function cardOf(upstream: Upstream, model: UpstreamModel, { models }: Settings): ModelCard {
  const id = `${upstream.name}/${model.id}`
  const { display_name, context_window, max_output_tokens, capabilities } = { ...model, ...(Object.hasOwn(models, id) ? models[id] : {}) }
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: upstream.name,
    dialects: dialectsOf(upstream),
    capabilities: [...capabilities],
    ...(display_name === undefined ? {} : { display_name }),
    ...(context_window === undefined ? {} : { context_window }),
    ...(max_output_tokens === undefined ? {} : { max_output_tokens }),
  }
}

function dialectsOf({ operations }: Upstream): Dialect[] {
  return [...new Set(operations.map((operation) => dialectOf[operation]))]
}
