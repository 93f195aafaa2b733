// `config.json` in Tandem's folder: defaults of the terminal. Settings of the device are in its database.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxModes } from '@tandem/contract/tool'
import type { NextOptions } from '../run/conversation.ts'

export const configFileName = 'config.json'

interface ConfigKey {
  readonly summary: string
  /** What is wrong with a value; null if nothing. */
  problem(value: string): string | null
}

const text = (value: string) => (value.trim() === '' ? 'must not be empty' : null)

export const configKeys = {
  agent: { summary: 'The agent of tandem run and tandem chat', problem: text },
  model: { summary: 'The model of tandem run and tandem chat; the default is that of the agent', problem: text },
  sandbox: {
    summary: `The sandbox of tandem run and tandem chat: ${sandboxModes.join(', ')}`,
    problem: (value) => (sandboxModes.some((mode) => mode === value) ? null : `must be one of ${sandboxModes.join(', ')}`),
  },
} as const satisfies Record<string, ConfigKey>

export type ConfigKeyName = keyof typeof configKeys
export type ConfigValues = Readonly<Partial<Record<ConfigKeyName, string>>>

export type ConfigFile = { readonly values: ConfigValues } | { readonly problem: string }

/** A file that is wrong is reported, never ignored: a default that silently does not apply could be a sandbox. */
export function readConfig(home: string): ConfigFile {
  const file = join(home, configFileName)
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { values: {} }
    return { problem: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
  return checkedConfig(content, file)
}

export function checkedConfig(content: string, file: string): ConfigFile {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { problem: `${file} is not valid JSON. Correct it, or delete it.` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: `${file} must contain a JSON object.` }
  const values: Partial<Record<ConfigKeyName, string>> = {}
  for (const [key, one] of Object.entries(value)) {
    if (!isConfigKey(key)) return { problem: `${file} has an unknown key "${key}". The keys are ${Object.keys(configKeys).join(', ')}.` }
    const wrong = typeof one === 'string' ? configKeys[key].problem(one) : 'must be a text'
    if (typeof one !== 'string' || wrong !== null) return { problem: `${key} in ${file} ${wrong}.` }
    values[key] = one
  }
  return { values }
}

/** What a new conversation is created with. One that continues has its own. */
export function runDefaults({ model, sandbox }: ConfigValues): NextOptions {
  return { model, sandbox_mode: sandboxModes.find((mode) => mode === sandbox) }
}

export function isConfigKey(name: string): name is ConfigKeyName {
  return Object.hasOwn(configKeys, name)
}

/** Null removes it. */
export function withValue(values: ConfigValues, key: ConfigKeyName, value: string | null): ConfigValues {
  const { [key]: _old, ...rest } = values
  return value === null ? rest : { ...rest, [key]: value }
}

export function writeConfig(home: string, values: ConfigValues): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const file = join(home, configFileName)
  const arriving = `${file}.${process.pid}.part`
  writeFileSync(arriving, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 })
  chmodSync(arriving, 0o600)
  renameSync(arriving, file)
}
