// The models in the responses of a server. Every server describes them differently, and nothing in them is trusted. Pure.
import type { ListedModel, ModelPrice } from '@tandem/contract/model'
import { reportedContextWindow, reportedImages, type ServerResponses } from './reported-context-window.ts'

/** What a server says about a model; the price of the user and where it runs are added later. */
export type OfferedModel = Pick<ListedModel, 'id' | 'name' | 'context_tokens' | 'images' | 'tools' | 'price'>

export interface OfferedModels {
  readonly models: readonly OfferedModel[]
  /** How many more there are. */
  readonly omitted: number
}

export const mostModels = 2_000
const longestId = 300
const longestName = 120
/** Dollars per million tokens. A higher price is a mistake. */
const highestPrice = 10_000

/** Null if it is not a list of models. `details`: the response about one model, by its id. */
export function offeredModels(answers: ServerResponses, details: ReadonlyMap<string, unknown> = new Map()): OfferedModels | null {
  const entries = entriesOf(answers.models)
  if (entries === null) return null
  const lmStudio = byId(entriesOf(answers.lmStudio) ?? [])
  const found = new Map<string, Record<string, unknown>>()
  for (const entry of entries) {
    const id = idOf(entry)
    if (id !== null && !found.has(id) && isForChat({ ...lmStudio.get(id), ...entry })) found.set(id, entry)
  }
  const models = [...found].slice(0, mostModels).map(([id, entry]): OfferedModel => {
    const own = lmStudio.get(id)
    const ofModel = { models: [entry], ...(own ? { lmStudio: [own] } : {}), ollamaShow: details.get(id) }
    return {
      id,
      name: nameOf(entry, id),
      context_tokens: reportedContextWindow(id, ofModel)?.tokens ?? null,
      images: reportedImages(id, ofModel),
      tools: reportedTools({ ...own, ...entry }, details.get(id)),
      price: reportedPrice(entry.pricing),
    }
  })
  return { models, omitted: found.size - models.length }
}

/** `{data: […]}`, `{models: […]}`, or a bare list. */
function entriesOf(list: unknown): readonly Record<string, unknown>[] | null {
  const { data, models } = fields(list)
  const entries = [list, data, models].find(Array.isArray)
  return entries ? entries.map(fields) : null
}

function byId(entries: readonly Record<string, unknown>[]): ReadonlyMap<string, Record<string, unknown>> {
  return new Map(entries.flatMap((entry) => (idOf(entry) === null ? [] : [[String(idOf(entry)), entry]])))
}

/** A name with a space or an invisible character cannot be typed. */
function idOf({ id, model, name, key }: Record<string, unknown>): string | null {
  const found = [id, model, name, key].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' && found.length <= longestId && /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(found) ? found : null
}

function nameOf({ name, display_name }: Record<string, unknown>, id: string): string | null {
  const found = [display_name, name].find((one) => typeof one === 'string' && one.trim() !== '')
  if (typeof found !== 'string' || found === id) return null
  const clean = found
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, longestName)
  return clean === '' || clean === id ? null : clean
}

/** Models for embeddings, speech and pictures are left out where the server says what they are for. */
function isForChat({ type, capabilities, dialects, architecture, output_modalities }: Record<string, unknown>): boolean {
  if (typeof type === 'string' && /embedding|rerank|image|audio|speech|moderation/i.test(type)) return false
  if (Array.isArray(capabilities) && capabilities.includes('embeddings') && !capabilities.includes('chat')) return false
  // A model of the gateway that speaks only the other API.
  if (Array.isArray(dialects) && !dialects.includes('openai')) return false
  const output = fields(architecture).output_modalities ?? output_modalities
  return !Array.isArray(output) || output.length === 0 || output.includes('text')
}

/** Whether the model can call tools; null if the server does not say. */
function reportedTools(entry: Record<string, unknown>, details: unknown): boolean | null {
  const { supported_parameters, capabilities } = entry
  const own = fields(capabilities)
  const shown = fields(details).capabilities
  const found = [
    nameIn(supported_parameters, ['tools']),
    namedCapability(capabilities),
    flag(own.function_calling),
    flag(own.tools),
    flag(own.trained_for_tool_use),
    nameIn(shown, ['tools']),
  ]
  return found.find((one) => one !== null) ?? null
}

/** OpenRouter's form: texts, in dollars per token. Other forms have no unit, so that they are not read. */
function reportedPrice(value: unknown): ModelPrice | null {
  const { prompt, completion, input_cache_read, request } = fields(value)
  const input = perMillion(prompt)
  const output = perMillion(completion)
  // A price per request cannot be computed from tokens.
  if (input === null || output === null || (perMillion(request) ?? 0) > 0) return null
  return { input, cached_input: perMillion(input_cache_read), output }
}

function perMillion(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{1,12}(?:\.\d{1,30})?(?:e-\d{1,2})?$/i.test(value)) return null
  // Twelve digits: 0.00000015 × 1,000,000 is 0.15, not 0.15000000000000002.
  const dollars = Number((Number(value) * 1_000_000).toPrecision(12))
  return dollars <= highestPrice ? dollars : null
}

/** Only the gateway names every capability; elsewhere, one that is missing says nothing. */
function namedCapability(value: unknown): boolean | null {
  const found = nameIn(value, ['tools', 'tool_use', 'function_calling'])
  return found === false && Array.isArray(value) && !value.includes('chat') ? null : found
}

function nameIn(value: unknown, names: readonly string[]): boolean | null {
  return Array.isArray(value) && value.length > 0 ? names.some((name) => value.includes(name)) : null
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
