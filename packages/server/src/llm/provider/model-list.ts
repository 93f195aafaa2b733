// A provider's list of models. All follow OpenAI's format; the additional fields differ. Pure.
import type { ModelCapability } from '@tandem/contract/llm'
import { isRecord } from '../relay/usage.ts'
import type { UpstreamModel } from '../upstream.ts'

const modelsMax = 5_000
/** What may follow the slash of a model's id. */
const ownName = /^[A-Za-z0-9._:@/+-]{1,250}$/

export function readModelList(text: string): UpstreamModel[] {
  const list: unknown = JSON.parse(text)
  const data = isRecord(list) && Array.isArray(list.data) ? list.data : []
  return data.slice(0, modelsMax).flatMap((entry) => {
    const model = readModel(entry)
    return model ? [model] : []
  })
}

function readModel(entry: unknown): UpstreamModel | undefined {
  if (!isRecord(entry) || typeof entry.id !== 'string') return undefined
  // Anthropic lists models that can no longer be called.
  if (entry.lifecycle === 'retired') return undefined
  // Gemini lists `models/x` and calls it `x`.
  const id = entry.id.replace(/^models\//, '')
  if (!ownName.test(id)) return undefined
  const top = isRecord(entry.top_provider) ? entry.top_provider : {}
  const display_name = [entry.display_name, entry.name].find((name) => typeof name === 'string' && name !== '' && name !== entry.id)
  const context_window = count(
    entry.context_window,
    entry.context_length,
    entry.max_context_length,
    entry.max_input_tokens,
    entry.max_model_len,
  )
  const max_output_tokens = count(entry.max_output_tokens, entry.max_completion_tokens, top.max_completion_tokens, entry.max_tokens)
  return {
    id,
    capabilities: capabilitiesOf(id, entry),
    ...(typeof display_name === 'string' ? { display_name: display_name.slice(0, 200) } : {}),
    ...(context_window === undefined ? {} : { context_window }),
    ...(max_output_tokens === undefined ? {} : { max_output_tokens }),
  }
}

/** Most providers do not report it; then the name shows at least which models only embed. */
function capabilitiesOf(
  id: string,
  { capabilities, supported_parameters, architecture }: Readonly<Record<string, unknown>>,
): ModelCapability[] {
  if (/embed/i.test(id)) return ['embeddings']
  if (isRecord(capabilities) && 'completion_chat' in capabilities) {
    return [
      ...(capabilities.completion_chat === true ? (['chat'] as const) : []),
      ...(capabilities.function_calling === true ? (['tools'] as const) : []),
      ...(capabilities.vision === true ? (['vision'] as const) : []),
    ]
  }
  if (isRecord(capabilities) && isRecord(capabilities.image_input)) {
    const thinks = isRecord(capabilities.thinking) && capabilities.thinking.supported === true
    return [
      ...(['chat', 'tools'] as const),
      ...(capabilities.image_input.supported === true ? (['vision'] as const) : []),
      ...(thinks ? (['reasoning'] as const) : []),
    ]
  }
  if (Array.isArray(supported_parameters)) {
    const inputs = isRecord(architecture) && Array.isArray(architecture.input_modalities) ? architecture.input_modalities : []
    return [
      'chat',
      ...(supported_parameters.includes('tools') ? (['tools'] as const) : []),
      ...(inputs.includes('image') ? (['vision'] as const) : []),
      ...(supported_parameters.includes('reasoning') ? (['reasoning'] as const) : []),
    ]
  }
  return ['chat', 'tools']
}

function count(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0)
}
