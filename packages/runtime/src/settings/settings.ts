// The settings of this device, in a file in Tandem's folder that only its owner can read. They are never synchronized.
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CommandParams,
  type SearchProviderName,
  type Settings,
  searchProviderNames,
  tourStates,
  windowCloseBehaviors,
} from '@tandem/contract/command'
import type { Static, TObject } from 'typebox'
import { isTokens } from '../model/context-window.ts'
import { type SettingsSection, sectionProblem, sectionValues } from './section.ts'

export interface SettingsStore {
  read(): Settings
  /** Why a change is invalid; null if it is valid. */
  problem(change: CommandParams<'runtime_set_settings'>): { readonly field: string; readonly message: string } | null
  /** A key is deleted when its address changes, unless the change includes a new key. */
  write(change: CommandParams<'runtime_set_settings'>): void
}

export interface DeviceSettings extends SettingsStore {
  /** Registers a section, so that it is read and written with the others. */
  add(section: SettingsSection): void
  /** The current settings of one feature. */
  section<Schema extends TObject>(section: SettingsSection<Schema>): Static<Schema>
  /** Only for requests to the model. */
  modelKey(): string | null
  /** Only for requests to the search provider. */
  searchKey(): string | null
}

type FeatureSetting = Settings['sections'][number]

interface StoredSettings {
  readonly default_model: string | null
  readonly model_base_url: string | null
  readonly model_key: string | null
  readonly model_context_window: number | null
  readonly search_provider: SearchProviderName | null
  readonly search_url: string | null
  readonly search_key: string | null
  readonly when_window_closes: Settings['when_window_closes']
  readonly tour: Settings['tour']
  readonly compaction_wait_seconds: number
  /** By name, including those of features that are not loaded. */
  readonly sections: Readonly<Record<string, unknown>>
}

const nothing: StoredSettings = {
  default_model: null,
  model_base_url: null,
  model_key: null,
  model_context_window: null,
  search_provider: null,
  search_url: null,
  search_key: null,
  when_window_closes: 'keep_going',
  tour: 'ahead',
  compaction_wait_seconds: 5,
  sections: {},
}

export function openSettings(home: string): DeviceSettings {
  const file = join(home, 'settings.json')
  let kept = readKept(file)
  const known = new Map<string, SettingsSection>()
  // Each turn of a model reads several sections; they are validated once.
  let valid = new WeakMap<SettingsSection, unknown>()
  const values = <Schema extends TObject>(section: SettingsSection<Schema>) => {
    const found = valid.get(section) ?? Object.freeze(sectionValues(section, kept.sections[section.name]))
    valid.set(section, found)
    return found as Static<Schema>
  }
  return {
    add(section) {
      if (known.has(section.name)) throw new Error(`two settings sections have the name ${section.name}`)
      known.set(section.name, section)
    },
    section: values,
    read() {
      const { model_key, search_key, ...shown } = kept
      const sections = [...known.values()].flatMap((section) =>
        Object.entries(values(section)).map(([setting, value]) => ({
          section: section.name,
          setting,
          value: value as FeatureSetting['value'],
        })),
      )
      return { ...shown, sections, model_key_set: model_key !== null, search_key_set: search_key !== null }
    },
    problem({ sections = [] }) {
      for (const [at, { section: name, setting, value }] of sections.entries()) {
        const section = known.get(name)
        if (!section) return { field: `sections[${at}].section`, message: `is ${name}, which is not a known section` }
        const problem = sectionProblem(section, setting, value)
        if (problem) return { field: `sections[${at}].${problem.part}`, message: problem.message }
      }
      return null
    },
    write(change) {
      const next = changed(kept, change)
      writeKept(file, next)
      kept = next
      valid = new WeakMap()
    },
    modelKey: () => kept.model_key,
    searchKey: () => kept.search_key,
  }
}

/** A key belongs to the address it was entered for. It must not be sent to another one. */
function changed(kept: StoredSettings, change: CommandParams<'runtime_set_settings'>): StoredSettings {
  const next = { ...kept, ...change, sections: withSections(kept.sections, change.sections) }
  // A key that was entered before any address is kept for the first one.
  const sameModel = kept.model_base_url === null || originOf(kept.model_base_url) === originOf(next.model_base_url)
  const sameSearch =
    kept.search_provider === null ||
    (kept.search_provider === next.search_provider && originOf(kept.search_url) === originOf(next.search_url))
  return {
    ...next,
    model_key: change.model_key !== undefined || sameModel ? next.model_key : null,
    search_key: change.search_key !== undefined || sameSearch ? next.search_key : null,
  }
}

function withSections(kept: StoredSettings['sections'], change: readonly FeatureSetting[] = []): StoredSettings['sections'] {
  const next = { ...kept }
  for (const { section, setting, value } of change) next[section] = { ...plainObject(next[section]), [setting]: value }
  return next
}

function plainObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function originOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? url)
}

function readKept(file: string): StoredSettings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return nothing
    throw error
  }
  try {
    const read = JSON.parse(text) as Partial<Record<keyof StoredSettings, unknown>>
    return {
      default_model: word(read.default_model),
      model_base_url: word(read.model_base_url),
      model_key: word(read.model_key),
      model_context_window: isTokens(read.model_context_window) ? read.model_context_window : null,
      search_provider: searchProviderNames.find((name) => name === read.search_provider) ?? null,
      search_url: word(read.search_url),
      search_key: word(read.search_key),
      when_window_closes: windowCloseBehaviors.find((name) => name === read.when_window_closes) ?? nothing.when_window_closes,
      tour: tourStates.find((name) => name === read.tour) ?? nothing.tour,
      compaction_wait_seconds: seconds(read.compaction_wait_seconds) ?? nothing.compaction_wait_seconds,
      sections: plainObject(read.sections),
    }
  } catch {
    // The text is not shown: it may contain a key.
    throw new Error(`${file} is not valid JSON: correct it, or delete it and enter the settings again`)
  }
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function seconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 600 ? value : null
}

/** On disk before it is used, and never partially written. */
function writeKept(file: string, kept: StoredSettings): void {
  const arriving = `${file}.part`
  const handle = openSync(arriving, 'w', 0o600)
  try {
    chmodSync(arriving, 0o600)
    writeSync(handle, `${JSON.stringify(kept, null, 2)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(arriving, file)
}
