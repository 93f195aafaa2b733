// The settings of the device that `tandem config` shows and changes, as texts.
import { type Settings, searchProviderNames, windowCloseBehaviors } from '@tandem/contract/command'

/** Accepted and never shown. */
export const secretKeys = ['model_key', 'search_key'] as const
export type SecretKey = (typeof secretKeys)[number]

const numbers = ['model_context_window', 'compaction_wait_seconds'] as const
const texts = ['default_model', 'model_base_url', 'search_provider', 'search_url', 'when_window_closes'] as const

export const deviceKeys = [...texts, ...numbers] as const
export type DeviceKey = (typeof deviceKeys)[number]

/** For `--help`. */
export const deviceKeySummaries = {
  default_model: 'The model of runs whose agent has none of its own',
  model_base_url: 'The address of an OpenAI-compatible API',
  model_key: 'Its key',
  model_context_window: 'The context window in tokens; the default is what the address reports',
  compaction_wait_seconds: 'How long a run waits for memories to be saved before it shortens its conversation',
  search_provider: `What web.search uses: ${searchProviderNames.join(', ')}`,
  search_url: 'The address of a search provider of your own',
  search_key: 'The key of the search provider',
  when_window_closes: `What happens with runs when the last window is closed: ${windowCloseBehaviors.join(', ')}`,
} as const satisfies Record<DeviceKey | SecretKey, string>

function isDeviceKey(name: string): name is DeviceKey {
  return (deviceKeys as readonly string[]).includes(name)
}

export function isSecretKey(name: string): name is SecretKey {
  return (secretKeys as readonly string[]).includes(name)
}

type SectionValue = Settings['sections'][number]['value']

/** Every setting by its name; settings of features are `section.setting`. A secret is only "set". */
export function settingTexts(settings: Settings): ReadonlyMap<string, string | null> {
  const own = deviceKeys.map((key) => [key, settings[key] === null ? null : String(settings[key])] as const)
  const secrets = secretKeys.map((key) => [key, settings[`${key}_set`] ? '(set)' : null] as const)
  const features = settings.sections.map(({ section, setting, value }) => [`${section}.${setting}`, valueText(value)] as const)
  return new Map([...own, ...secrets, ...features])
}

function valueText(value: SectionValue): string | null {
  if (value === null || value === '') return null
  return Array.isArray(value) ? JSON.stringify(value) : String(value)
}

/** The parameters of `runtime_set_settings`; null if there is no such setting. Null as the text removes it. */
export function settingChange(settings: Settings, key: string, text: string | null): Readonly<Record<string, unknown>> | null {
  if (isSecretKey(key)) return { [key]: text }
  if (isDeviceKey(key)) return { [key]: text === null || !(numbers as readonly string[]).includes(key) ? text : numberIn(text) }
  const [section = '', setting = ''] = key.split('.')
  const known = settings.sections.find((one) => one.section === section && one.setting === setting)
  return known ? { sections: [{ section, setting, value: sectionValue(known.value, text) }] } : null
}

/** A text that is no number is passed on, so that the refusal names what is expected. */
function numberIn(text: string): number | string {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

/** As the current value is: a number stays a number. */
function sectionValue(current: SectionValue, text: string | null): unknown {
  if (text === null) return null
  if (typeof current === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (typeof current === 'number') return numberIn(text)
  if (Array.isArray(current))
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  return text
}
