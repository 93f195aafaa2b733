// How many tokens a model accepts in one request: from the settings, its server, or its name. Pure.

const contextWindowSources = ['setting', 'model_list', 'known_model', 'default'] as const
export type ContextWindowSource = (typeof contextWindowSources)[number]

export interface ContextWindow {
  /** Prompt and response together. */
  readonly tokens: number
  /** Reserved for the response. */
  readonly reserved: number
  readonly source: ContextWindowSource
  /** Whether the model accepts images, as its server reports; absent if it does not say. */
  readonly images?: boolean
}

export interface ContextWindowFacts {
  /** From the settings or `TANDEM_MODEL_WINDOW`. */
  readonly setting: number | null
  /** From the server of the model. */
  readonly listed: number | null
}

/** For an unknown model. If it is too much, the server reports it and the conversation is compacted. */
const usualTokens = 128_000
/** Less is not enough for a system prompt and a tool. A smaller number is a mistake. */
const leastTokens = 1_024

export function contextWindowOf(model: string, { setting, listed }: ContextWindowFacts): ContextWindow {
  const rows: readonly (readonly [ContextWindowSource, number | null])[] = [
    ['setting', setting],
    ['model_list', listed],
    ['known_model', knownTokens(model)],
  ]
  const [source, tokens] = rows.find(([, value]) => isTokens(value)) ?? (['default', usualTokens] as const)
  return contextWindowOfTokens(tokens ?? usualTokens, source)
}

export function contextWindowOfTokens(tokens: number, source: ContextWindowSource): ContextWindow {
  return { tokens, reserved: Math.min(16_000, Math.floor(tokens / 8)), source }
}

/** A setting in the environment; null if it is not a usable number. */
export function parseTokenSetting(text: string | undefined): number | null {
  const tokens = Number(text)
  return isTokens(tokens) ? tokens : null
}

export function isTokens(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= leastTokens
}

/** The first matching row is used. If versions of a model differ, the row has the smaller context window. */
const knownModels: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5.*-chat/, 128_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^(?:chat)?gpt-4o|^gpt-4-turbo|^gpt-4-(?:1106|0125)/, 128_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4/, 8_192],
  [/^gpt-3\.5/, 16_385],
  [/^gpt-oss/, 131_072],
  [/^o1-(?:mini|preview)/, 128_000],
  [/^(?:o[134]|codex)(?:-|$)/, 200_000],
  [/^claude-(?:instant|2\.0|2$)/, 100_000],
  [/^claude/, 200_000],
  [/^gemini/, 1_048_576],
  [/^gemma-?3-1b|^gemma3:1b/, 32_768],
  [/^gemma-?(?:3n|[4-9])/, 32_768],
  [/^gemma-?3/, 131_072],
  [/^gemma/, 8_192],
  [/^deepseek-(?:coder-)?(?:v2|6\.7b|33b|1\.3b)/, 16_384],
  [/^deepseek/, 128_000],
  [/^qwen3-(?:coder|max|next)|^qwen3.*-2507/, 262_144],
  [/^(?:qwen-?[123]|qwq|qvq|codeqwen)/, 32_768],
  [/^qwen/, 131_072],
  [/^llama-?2|^llama2/, 4_096],
  [/^(?:meta-)?llama-?3-|^llama3(?::|$)/, 8_192],
  [/^(?:meta-)?llama-?(?:3\.[1-9]|4)/, 131_072],
  [/^codellama/, 16_384],
  [/^mixtral-8x22b/, 65_536],
  [/^(?:mistral-(?:7b|small|nemo|tiny)|mistral(?::|$)|mixtral|codestral)/, 32_768],
  [/^(?:mistral|ministral|devstral|pixtral)/, 131_072],
  [/^magistral/, 40_960],
  [/^phi-?3-mini-4k/, 4_096],
  [/^phi-?4-(?:mini|multimodal)|^phi-?3/, 128_000],
  [/^phi-?4/, 16_384],
  [/^grok-(?:4|code)/, 256_000],
  [/^grok/, 131_072],
  [/^(?:kimi|moonshot-v1-128k|glm-4\.5|hermes-[34]|granite-?[34])/, 131_072],
  [/^(?:glm-(?:4\.[6-9]|[5-9])|minimax-m)/, 200_000],
  [/^command-(?:r|a)/, 128_000],
]

function knownTokens(model: string): number | null {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return knownModels.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
