// The context window that the server of a model reports. Every server has it in a different place; all of them are read here. Pure.
import { isTokens } from './context-window.ts'

/** The responses by endpoint; undefined if there was none. */
export interface ServerResponses {
  /** `GET …/v1/models` of every server. */
  readonly models?: unknown
  /** `GET /api/ps` of Ollama: the loaded models, with their context windows. */
  readonly ollamaLoaded?: unknown
  /** `POST /api/show` of Ollama. */
  readonly ollamaShow?: unknown
  /** `GET /api/v0/models` of LM Studio. */
  readonly lmStudio?: unknown
  /** `GET /props` of llama.cpp. */
  readonly llamaCpp?: unknown
}

export interface ReportedContextWindow {
  readonly tokens: number
  /** The context window that the model is loaded with. Otherwise it is the maximum of the model, and a server may load it with less. */
  readonly loaded: boolean
}

/** A loaded model is the most reliable source, then its own server's list, then what it was trained for. */
export function reportedContextWindow(model: string, answers: ServerResponses): ReportedContextWindow | null {
  const loaded = first([
    entryNamed(answers.ollamaLoaded, model).context_length,
    entryNamed(answers.lmStudio, model).loaded_context_length,
    fields(fields(answers.llamaCpp).default_generation_settings).n_ctx,
  ])
  if (loaded !== null) return { tokens: loaded, loaded: true }
  const listed = entryNamed(answers.models, model)
  const show = fields(answers.ollamaShow)
  const possible = first([
    contextField(listed),
    parameter(show.parameters, 'num_ctx'),
    contextField(entryNamed(answers.lmStudio, model)),
    trainedLength(show.model_info),
    fields(listed.meta).n_ctx_train,
  ])
  return possible === null ? null : { tokens: possible, loaded: false }
}

/** Whether the server reports that the model accepts images; null if it does not say. */
export function reportedImages(model: string, answers: ServerResponses): boolean | null {
  const listed = entryNamed(answers.models, model)
  const lmStudio = entryNamed(answers.lmStudio, model)
  const found = [
    hasImage(fields(listed.architecture).input_modalities),
    hasImage(listed.input_modalities),
    hasImage(fields(listed.modalities).input),
    gatewayVision(listed.capabilities),
    flag(fields(listed.capabilities).vision),
    hasVision(fields(answers.ollamaShow).capabilities),
    typeof lmStudio.type === 'string' ? lmStudio.type === 'vlm' : null,
    flag(fields(fields(answers.llamaCpp).modalities).vision),
  ]
  return found.find((one) => one !== null) ?? null
}

function hasImage(value: unknown): boolean | null {
  return Array.isArray(value) && value.length > 0 ? value.includes('image') : null
}

/** The gateway names every capability. The lists of other servers are not complete. */
function gatewayVision(value: unknown): boolean | null {
  return Array.isArray(value) && value.includes('chat') ? value.includes('vision') : null
}

function hasVision(value: unknown): boolean | null {
  return Array.isArray(value) && value.length > 0 ? value.includes('vision') : null
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** The fields of a model's entry that may contain it; the smallest is used, because a provider may serve less than the model supports. */
const contextFields = [
  'context_window',
  'context_length',
  'max_context_length',
  'max_model_len',
  'context_size',
  'max_input_tokens',
  'inputTokenLimit',
  'n_ctx',
] as const

function contextField(entry: Record<string, unknown>): number | null {
  const places = [entry, fields(entry.top_provider), fields(entry.meta), fields(entry.limits)]
  const found = places.flatMap((place) => contextFields.map((name) => place[name]).filter(isTokens))
  return found.length === 0 ? null : Math.min(...found)
}

/** Lists are `{data: […]}` or `{models: […]}` or bare; entries have an `id`, `model`, `name` or `key`, in Ollama also with `:latest`. */
function entryNamed(list: unknown, model: string): Record<string, unknown> {
  const { data, models } = fields(list)
  const entries = [list, data, models].find(Array.isArray) ?? []
  const names = [model, `${model}:latest`, `models/${model}`]
  for (const name of names) {
    const entry = entries.map(fields).find((one) => [one.id, one.model, one.name, one.key].includes(name))
    if (entry) return entry
  }
  return {}
}

/** Ollama returns its parameters as lines: `num_ctx    8192`. */
function parameter(text: unknown, name: string): number | null {
  const value = typeof text === 'string' ? new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(text)?.[1] : undefined
  return value === undefined ? null : Number(value)
}

/** `llama.context_length`, `qwen3.context_length`: the key starts with the architecture. */
function trainedLength(info: unknown): unknown {
  return Object.entries(fields(info)).find(([key]) => key.endsWith('.context_length'))?.[1]
}

function first(values: readonly unknown[]): number | null {
  return values.find(isTokens) ?? null
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
