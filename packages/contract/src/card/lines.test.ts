import { expect, test } from 'vitest'
import type { RunStep } from '../run/index.ts'
import { projectCards, projectLines } from './index.ts'

const id = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`
const place = (seq: number) => ({
  step_id: id(seq),
  run_id: id(90),
  conversation_id: id(91),
  agent_id: 'a',
  device_id: 'd',
  seq,
  ts: '2026-03-01T09:00:00.000Z',
})
const started: RunStep = { ...place(0), kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null }
const unknown = (seq: number, unknown_kind: string): RunStep => ({ ...place(seq), kind: 'unknown', unknown_kind, fields: '{}' })
const restored = (seq: number, cursor_seq: number): RunStep => ({
  ...place(seq),
  kind: 'checkpoint.restored',
  checkpoint_id: id(92),
  cursor_seq,
  set_aside_message_ids: [],
  failure_contract: null,
})

const brief = (steps: readonly RunStep[]) => projectLines(steps).map(({ seq, set_aside }) => [seq, set_aside])

test('lines are in the order of their steps, whatever order the steps arrived in', () => {
  const steps = [unknown(2, 'b'), started, unknown(1, 'a'), unknown(2, 'b')]
  expect(projectLines(steps)).toEqual([
    {
      step_id: id(1),
      seq: 1,
      ts: '2026-03-01T09:00:00.000Z',
      text: 'A newer version of Tandem recorded a step here (a). Update Tandem to read it.',
      set_aside: false,
    },
    {
      step_id: id(2),
      seq: 2,
      ts: '2026-03-01T09:00:00.000Z',
      text: 'A newer version of Tandem recorded a step here (b). Update Tandem to read it.',
      set_aside: false,
    },
  ])
})

test('a run without such steps has no lines', () => {
  expect(projectLines([started])).toEqual([])
})

test('what a restore reverted is set aside, and returns when the restore is undone', () => {
  const steps = [started, unknown(1, 'a'), unknown(2, 'b'), restored(3, 1), unknown(4, 'c')]
  expect(brief(steps)).toEqual([
    [1, false],
    [2, true],
    [4, false],
  ])
  expect(brief([...steps, restored(5, 2)])).toEqual([
    [1, false],
    [2, false],
    [4, true],
  ])
})

test.each([
  ['run.paused', 'paused'],
  ['run.canceled', 'canceled'],
  ['run.failed', 'failed'],
  ['team.vote', 'running'],
])('a step %s that cannot be read leaves the run %s', (kind, state) => {
  const [card] = projectCards([started, unknown(1, kind)])
  expect(card).toMatchObject({ kind: 'RunStatus', state, pause_reason: null })
})

test('a pause reason of a newer version is shown as no reason', () => {
  const step = JSON.parse(JSON.stringify({ ...place(1), kind: 'run.paused', reason: 'weekend' })) as RunStep
  expect(projectCards([started, step])[0]).toMatchObject({ state: 'paused', pause_reason: null })
})
