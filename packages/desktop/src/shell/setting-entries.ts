// Every setting by its name and by other words for it. The palette finds it and opens its field.
import type { CommandParams } from '@tandem/contract/command'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'

interface SettingEntry {
  readonly name: string
  /** Other words that users may search for. */
  readonly synonyms: string
}

/** `sections` are the settings of features, below; `compaction_wait_seconds` has no field yet. */
type InWindow = Exclude<keyof CommandParams<'runtime_set_settings'>, 'sections' | 'compaction_wait_seconds'> | 'theme' | 'notifications'

const { settings, settingsCenter: center } = words
const { synonyms } = center

/** By the name of the field: the page gives its element `data-field`. */
export const settingEntries: Readonly<Record<InWindow, SettingEntry>> = {
  model_base_url: { name: settings.baseUrl, synonyms: synonyms.model_base_url },
  default_model: { name: settings.defaultModel, synonyms: synonyms.default_model },
  model_key: { name: `${settings.model}: ${settings.key}`, synonyms: synonyms.model_key },
  model_context_window: { name: settings.contextWindow, synonyms: synonyms.model_context_window },
  search_provider: { name: `${center.search}: ${center.provider}`, synonyms: synonyms.search_provider },
  search_url: { name: `${center.search}: ${center.searchUrl}`, synonyms: synonyms.search_url },
  search_key: { name: `${center.search}: ${center.searchKey}`, synonyms: synonyms.search_key },
  theme: { name: settings.theme, synonyms: synonyms.theme },
  notifications: { name: navigationWords.notices.setting, synonyms: synonyms.notifications },
  when_window_closes: { name: center.closing, synonyms: synonyms.when_window_closes },
  tour: { name: center.tourAgain, synonyms: synonyms.tour },
}

export function settingAddress(field: string): string {
  return `/settings#${encodeURIComponent(field)}`
}
