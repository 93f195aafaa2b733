// The providers that the settings offer. Any other address with an API like OpenAI's works as well.

/** The model of a backend that has no other: it follows a few rules, so that a new user has one without setup. */
export const demoModel = 'demo/scripted'

interface Preset {
  readonly title: string
  /** Null: the user enters it, or the account has it. */
  readonly base_url: string | null
  readonly key: 'needed' | 'not_needed' | 'optional'
  /** Where the user gets a key. */
  readonly key_page: string | null
  /** What the user does first. */
  readonly hint: string
  /** What helps if nothing responds at its address. */
  readonly start: string | null
  /** Below the address: refuses a wrong key, where the list of models is public. */
  readonly key_check: string | null
}

export const presets = {
  openai: {
    title: 'OpenAI',
    base_url: 'https://api.openai.com/v1',
    key: 'needed',
    key_page: 'https://platform.openai.com/api-keys',
    hint: 'Enter your API key.',
    start: null,
    key_check: null,
  },
  gateway: {
    title: 'Anthropic through the gateway',
    base_url: null,
    key: 'not_needed',
    key_page: null,
    hint: 'Leave the address empty. The models of your account are used; the server has the keys.',
    start: null,
    key_check: null,
  },
  ollama: {
    title: 'Ollama',
    base_url: 'http://127.0.0.1:11434/v1',
    key: 'not_needed',
    key_page: null,
    hint: 'Runs models on this device, without a key.',
    start: 'Start Ollama, for example with “ollama serve”, and try again.',
    key_check: null,
  },
  lm_studio: {
    title: 'LM Studio',
    base_url: 'http://127.0.0.1:1234/v1',
    key: 'not_needed',
    key_page: null,
    hint: 'Runs models on this device, without a key.',
    start: 'Start the server of LM Studio, for example with “lms server start”, and try again.',
    key_check: null,
  },
  openrouter: {
    title: 'OpenRouter',
    base_url: 'https://openrouter.ai/api/v1',
    key: 'needed',
    key_page: 'https://openrouter.ai/settings/keys',
    hint: 'Enter your API key. Prices are shown for every model.',
    start: null,
    key_check: 'key',
  },
  compatible: {
    title: 'Another compatible address',
    base_url: null,
    key: 'optional',
    key_page: null,
    hint: 'Enter the address of any server with an API like OpenAI’s, and its key if it needs one.',
    start: null,
    key_check: null,
  },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as readonly PresetName[]

/** The preset that an address belongs to, by its host and port. No address: the models of the account. */
export function presetOf(base_url: string | null): PresetName {
  if (base_url === null || base_url.trim() === '') return 'gateway'
  const origin = originOf(base_url)
  return presetNames.find((name) => presets[name].base_url !== null && originOf(presets[name].base_url) === origin) ?? 'compatible'
}

/** Scheme, host and port. The scheme may be missing. */
function originOf(base_url: string): string | null {
  const [, scheme, host] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#\s]+)/i.exec(base_url.trim()) ?? []
  if (host === undefined) return null
  const known = host.toLowerCase().replace(/^(?:localhost|\[::1\])(?=:|$)/, '127.0.0.1')
  return `${scheme?.toLowerCase() ?? (known.startsWith('127.') ? 'http' : 'https')}://${known}`
}
