import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { letterModel } from '../../test/support/recall/test-recall.ts'
import { systemClock } from '../clock/clock.ts'
import type { SettingsSection } from '../settings/section.ts'
import { type DeviceSettings, openSettings } from '../settings/settings.ts'
import { openStore, type Store } from '../store/store.ts'
import { openRecall, type Recall } from './recall.ts'
import type { RecallSource } from './text.ts'

let home: string
let store: Store
let settings: DeviceSettings
let recall: Recall
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recall-'))
  store = openStore({ home, clock: systemClock })
  settings = openSettings(home)
  const model = letterModel()
  const ports = { home, store, settings, clock: systemClock, life: 'errand' as const, log: () => undefined }
  recall = openRecall({ ...ports, model: () => model, address: () => 'http://127.0.0.1:1' })
})
afterEach(async () => {
  await recall.stop()
  store.close()
  rmSync(home, { recursive: true })
})

/** A feature with one text, and a setting of its own: whether the bundled model is used for it. */
function feature(space: string, use_bundled_model: boolean): RecallSource {
  const section: SettingsSection = {
    name: space,
    schema: Type.Object({ use_bundled_model: Type.Boolean({ description: 'Compare by meaning with the bundled model.' }) }),
    initial: { use_bundled_model },
  }
  settings.add(section)
  const text = { id: '1', scope: `${space}/a`, text: 'The physician moved my checkup', at: null, speaker: null, group: null }
  return {
    space,
    read: (ids) => (ids.includes('1') ? [text] : []),
    ids: (after) => (after === null ? ['1'] : []),
    isEmbedded: (by) => by === 'model' || settings.section(section).use_bundled_model === true,
  }
}

const set = (section: string, setting: string, value: string | boolean) => settings.write({ sections: [{ section, setting, value }] })
const semantic = async (space: string) => (await recall.search({ scope: [`${space}/a`], query: 'doctor', patience_ms: 60_000 })).semantic

test('each source has its own setting for the bundled model, and a chosen model is for all of them', async () => {
  for (const [space, isOn] of [
    ['memories', true],
    ['knowledge', false],
  ] as const) {
    recall.add(feature(space, isOn))
  }
  const state = async () => [(await recall.state()).vectors, await semantic('memories'), await semantic('knowledge')]
  await recall.settled()
  expect(await state()).toEqual([1, 'used', 'off'])
  set('knowledge', 'use_bundled_model', true)
  await recall.settled()
  expect(await state()).toEqual([2, 'used', 'used'])
  set('memories', 'use_bundled_model', false)
  expect(await state()).toEqual([2, 'off', 'used'])
  settings.write({
    sections: [
      { section: 'recall', setting: 'embeddings', value: 'model' },
      { section: 'recall', setting: 'embeddings_model', value: 'letters' },
    ],
  })
  await recall.settled()
  expect(await state()).toEqual([2, 'used', 'used'])
  set('recall', 'embeddings', 'off')
  expect(await state()).toEqual([2, 'off', 'off'])
})

test('whoever asks while a round fails is answered by the next round', async () => {
  let asked: Promise<void> | null = null
  const failing: RecallSource = {
    ...feature('notes', false),
    ids(after) {
      if (asked) return after === null ? ['1'] : []
      asked = recall.indexed()
      throw new Error('the disk is full')
    },
  }
  recall.add(failing)
  await recall.indexed()
  await asked
  expect((await recall.state()).texts).toBe(1)
})

test('the settings of recall appear with the first source', () => {
  const shown = () => settings.read().sections.filter(({ section }) => section === 'recall')
  expect(shown()).toEqual([])
  recall.add(feature('memories', false))
  expect(shown().map(({ setting }) => setting)).toEqual(['embeddings', 'embeddings_model'])
  recall.add(feature('knowledge', false))
  expect(shown()).toHaveLength(2)
})
