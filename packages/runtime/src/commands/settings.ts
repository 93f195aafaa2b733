// The settings of this device, in a file of Tandem's folder that its owner alone can read. They never synchronize.
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsStore } from './features.ts'

export interface DeviceSettings extends SettingsStore {
  /** For who speaks to the model, and for nobody else. */
  modelKey(): string | null
}

interface Kept {
  readonly default_model: string | null
  readonly model_base_url: string | null
  readonly model_key: string | null
}

const nothing: Kept = { default_model: null, model_base_url: null, model_key: null }

export function openSettings(home: string): DeviceSettings {
  const file = join(home, 'settings.json')
  let kept = readKept(file)
  return {
    read() {
      const { default_model, model_base_url, model_key } = kept
      return { default_model, model_base_url, model_key_set: model_key !== null }
    },
    write({ default_model = kept.default_model, model_base_url = kept.model_base_url, model_key = kept.model_key }) {
      const next = { default_model, model_base_url, model_key }
      writeKept(file, next)
      kept = next
    },
    modelKey: () => kept.model_key,
  }
}

function readKept(file: string): Kept {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return nothing
    throw error
  }
  try {
    const { default_model, model_base_url, model_key } = JSON.parse(text) as Partial<Record<keyof Kept, unknown>>
    return { default_model: word(default_model), model_base_url: word(model_base_url), model_key: word(model_key) }
  } catch {
    // The text is not shown: it may hold a key.
    throw new Error(`${file} is not JSON: correct it, or remove it and set the settings anew`)
  }
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** On disk before it counts, and never half. */
function writeKept(file: string, kept: Kept): void {
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
