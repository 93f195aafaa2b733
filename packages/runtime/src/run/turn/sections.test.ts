import { expect, test } from 'vitest'
import type { PromptSection } from '../../feature/feature.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { renderSections } from './sections.ts'

const run = { run_id: 'r' } as RunRecord
const window = { tokens: 10_000, reserved: 0 }
const section = (fields: Partial<PromptSection>): PromptSection => ({
  order: 1,
  stable: true,
  max_tokens: 1_000,
  text: async () => 'x',
  ...fields,
})

test('each section gets its available tokens, and is truncated to its maximum', async () => {
  const rooms: number[] = []
  const text = async (_run: RunRecord, room: number) => {
    rooms.push(room)
    return 'word '.repeat(1_000)
  }
  const all = [
    section({ text, max_tokens: 100 }),
    section({ text, max_tokens: 1_000, has_own_budget: true }),
    section({ text, stable: false }),
  ]
  const told = await renderSections(all, run, window, () => undefined)
  expect(rooms).toEqual([100, 1_000, 500])
  const rest = '\n[The rest is left out.]'.length
  expect([...told.stable, ...told.changing].map((one) => one.length - rest)).toEqual([400, 4_000, 2_000])
})

test('a section that fails is left out and reported, and the others are included', async () => {
  const logged: string[] = []
  const failing = section({ text: () => Promise.reject(new Error('no')), record: () => ({ tool: 'never' }) })
  const told = await renderSections([failing, section({ record: () => ({ tool_count: 3 }) })], run, window, (line) => logged.push(line))
  expect(told).toEqual({ stable: ['', 'x'], changing: [], here: { tool_count: 3 } })
  expect(logged).toEqual(['a part of the prompt of run r is missing: Error: no'])
})
