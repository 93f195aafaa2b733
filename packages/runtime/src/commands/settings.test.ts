import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandCaller, type TestFeatures, testFeatures } from '../../test/support/commands/test-features.ts'
import { openSettings } from '../settings/settings.ts'
import { type CommandLayer, openCommands } from './layer.ts'

let here: TestFeatures
let layer: CommandLayer

beforeEach(() => {
  here = testFeatures()
  layer = openCommands(here.features, { log: () => undefined })
})

afterEach(() => here.close())

const { done, code } = commandCaller(() => layer)

test('a key in the settings can be set but not read, and only the owner can read the file', async () => {
  const set = { default_model: 'openai/gpt', model_base_url: 'http://127.0.0.1:4000/v1', model_key: 'sk-canary' }
  const search = { search_provider: null, search_url: null, search_key_set: false, when_window_closes: 'keep_going', tour: 'ahead' }
  const shown = {
    default_model: set.default_model,
    model_base_url: set.model_base_url,
    model_context_window: null,
    model_key_set: true,
    compaction_wait_seconds: 5,
    sections: [],
    ...search,
  }
  expect(await done('runtime_set_settings', set)).toEqual({ settings: shown })
  expect(await done('runtime_set_settings', { default_model: null })).toEqual({ settings: { ...shown, default_model: null } })
  expect(openSettings(here.home).read()).toEqual({ ...shown, default_model: null })
  expect(openSettings(here.home).modelKey()).toBe('sk-canary')
  expect(statSync(join(here.home, 'settings.json')).mode & 0o777).toBe(0o600)
  expect(await done('runtime_set_settings', { compaction_wait_seconds: 0 })).toMatchObject({ settings: { compaction_wait_seconds: 0 } })
  expect(openSettings(here.home).read().compaction_wait_seconds).toBe(0)
  expect(await code(layer.call('runtime_set_settings', { compaction_wait_seconds: 601 }))).toBe('invalid_params')
  expect(await done('runtime_set_settings', { model_key: null })).toMatchObject({ settings: { model_key_set: false } })
  expect(await code(layer.call('runtime_set_settings', { model_base_url: 'http://user:secret@host/v1' }))).toBe('invalid_params')
  writeFileSync(join(here.home, 'settings.json'), '{"model_key":"sk-canary"')
  expect(() => openSettings(here.home)).toThrow(/settings\.json is not valid JSON/)
  expect(() => openSettings(here.home)).not.toThrow(/canary/)
})

test.each([
  ['another path of the same host', { model_base_url: 'https://a.test/v2' }, true],
  ['another host', { model_base_url: 'https://b.test/v1' }, false],
  ['another port', { model_base_url: 'https://a.test:8443/v1' }, false],
  ['the same host without TLS', { model_base_url: 'http://a.test/v1' }, false],
  ['no address, and later another', { model_base_url: null }, false],
  ['another host with a key of its own', { model_base_url: 'https://b.test/v1', model_key: 'sk-b' }, true],
  ['another model', { default_model: 'x/y' }, true],
])('a key is kept only for the same host: %s', async (_what, change, model_key_set) => {
  await done('runtime_set_settings', { model_base_url: 'https://a.test/v1', model_key: 'sk-a' })
  expect((await done('runtime_set_settings', change)).settings.model_key_set).toBe(model_key_set)
  const kept = 'model_key' in change ? 'sk-b' : 'sk-a'
  expect(openSettings(here.home).modelKey()).toBe(model_key_set ? kept : null)
})

test.each([
  [{ search_provider: 'tavily' as const }, false],
  [{ search_url: 'https://relay.test/' }, false],
  [{ search_provider: null }, false],
  [{ search_provider: 'tavily' as const, search_key: 'k' }, true],
  [{ search_provider: 'brave' as const }, true],
])('a key is kept only for the same search provider: %j', async (change, search_key_set) => {
  await done('runtime_set_settings', { search_key: 'sk-canary' })
  const { settings } = await done('runtime_set_settings', { search_provider: 'brave' })
  expect(settings).toMatchObject({ search_provider: 'brave', search_url: null, search_key_set: true })
  expect((await done('runtime_set_settings', change)).settings.search_key_set).toBe(search_key_set)
})
