// Every setting and every section of the settings by its name and by other words for it. The palette finds it and opens it.
import type { CommandParams } from '@tandem/contract/command'
import { executorWords } from '../strings/executors.ts'
import { importWords } from '../strings/imports.ts'
import { memoryWords } from '../strings/memory.ts'
import { modelWords } from '../strings/models.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'

interface SettingEntry {
  readonly name: string
  /** Other words that users may search for. */
  readonly synonyms: string
}

/** `sections` are the settings of features, below; `compaction_wait_seconds` has no field yet. */
type InWindow =
  | Exclude<keyof CommandParams<'runtime_set_settings'>, 'sections' | 'compaction_wait_seconds'>
  | 'theme'
  | 'notifications'
  | 'background_model'
  | typeof dailyTokens

/** As its form names it. */
const dailyTokens = 'sections[1].value'

/** The sections of the page, by their anchor. */
type SettingSection = `section-${keyof typeof synonyms.sections}`

const { settings, settingsCenter: center } = words
const { synonyms } = center

/** By the name of the field, or the anchor of the section: the page gives its element `data-field`. */
export const settingEntries: Readonly<Record<InWindow | SettingSection, SettingEntry>> = {
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
  background_model: { name: memoryWords.options.useModel, synonyms: synonyms.background_model },
  [dailyTokens]: { name: memoryWords.options.dailyTokens, synonyms: synonyms.daily_tokens },
  'section-model': { name: settings.model, synonyms: synonyms.sections.model },
  'section-usage': { name: modelWords.usage, synonyms: synonyms.sections.usage },
  'section-search': { name: center.search, synonyms: synonyms.sections.search },
  'section-memory_cost': { name: memoryWords.options.cost, synonyms: synonyms.sections.memory_cost },
  'section-memory': { name: center.memory.title, synonyms: synonyms.sections.memory },
  'section-executors': { name: executorWords.title, synonyms: synonyms.sections.executors },
  'section-import': { name: importWords.title, synonyms: synonyms.sections.import },
  'section-window': { name: center.window, synonyms: synonyms.sections.window },
  'section-account': { name: center.account, synonyms: synonyms.sections.account },
  'section-keys': { name: center.keys, synonyms: synonyms.sections.keys },
}

export function settingAddress(field: string): string {
  return `/settings#${encodeURIComponent(field)}`
}
