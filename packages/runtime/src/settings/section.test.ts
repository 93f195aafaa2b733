import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SettingsSection } from './section.ts'
import { openSettings } from './settings.ts'

const section = {
  name: 'memory',
  schema: Type.Object({
    enabled: Type.Boolean({ description: 'Whether it is on' }),
    days: Type.Integer({ minimum: 1, maximum: 365, description: 'How long' }),
  }),
  initial: { enabled: true, days: 30 },
} satisfies SettingsSection

const memory = (setting: string, value: number | boolean) => ({ section: 'memory', setting, value })

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-sections-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a section is read and written with its own types, and survives a restart', () => {
  const settings = openSettings(home)
  expect(settings.read().sections).toEqual([])
  settings.add(section)
  expect([settings.section(section), settings.read().sections]).toEqual([section.initial, [memory('enabled', true), memory('days', 30)]])
  settings.write({ sections: [memory('days', 7)] })
  settings.write({ default_model: 'm' })
  const next = openSettings(home)
  expect(next.section(section)).toEqual({ enabled: true, days: 7 })
})

test('an invalid change is reported, and nothing is written', () => {
  const settings = openSettings(home)
  settings.add(section)
  expect(settings.problem({ sections: [memory('enabled', true), memory('days', 0)] })).toEqual({
    field: 'sections[1].value',
    message: 'of memory.days must be at least 1',
  })
  expect(settings.problem({ sections: [memory('weeks', 1)] })).toEqual({
    field: 'sections[0].setting',
    message: 'is weeks, which is not a setting of the section memory: use one of enabled, days',
  })
  expect(settings.problem({ sections: [{ section: 'kb', setting: 'x', value: 1 }] })).toEqual({
    field: 'sections[0].section',
    message: 'is kb, which is not a known section',
  })
  expect(settings.problem({ sections: [memory('days', 365), memory('enabled', false)] })).toBe(null)
  expect(settings.problem({})).toBe(null)
})

test('an invalid field in the file gets its initial value, and nothing of other features is lost', () => {
  const kept = { sections: { memory: { days: 'many', enabled: false, constructor: 1 }, other: { x: 1 } } }
  writeFileSync(join(home, 'settings.json'), JSON.stringify(kept))
  const settings = openSettings(home)
  settings.add(section)
  expect(settings.section(section)).toEqual({ enabled: false, days: 30 })
  settings.write({ sections: [memory('days', 9)] })
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).sections).toEqual({
    memory: { days: 9, enabled: false, constructor: 1 },
    other: { x: 1 },
  })
})
