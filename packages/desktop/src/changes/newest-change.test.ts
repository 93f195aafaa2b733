import { expect, test } from 'vitest'
import type { WindowState } from '../store/window-state.ts'
import { newestChange } from './newest-change.ts'

type RecordedEvent = WindowState['events'][number]

const event = (no: number, name: string, conversation_id: string | null, run_id: string | null) =>
  ({ no, event: { event: name, conversation_id, run_id } }) as RecordedEvent
const runs = new Map([
  ['own', { conversation_id: 'c' }],
  ['member', { conversation_id: 'm', team: { root_run_id: 'own' } }],
  ['other', { conversation_id: 'x' }],
])
const newest = (...events: readonly RecordedEvent[]) => newestChange({ events, runs }, 'c')

test('the runs of the conversation and their members may change its files; other runs do not', () => {
  const own = event(1, 'tool_call_completed', 'c', 'own')
  expect(newest(own)).toBe(1)
  expect(newest(own, event(2, 'tool_call_completed', 'x', 'other'), event(3, 'run_completed', 'x', 'other'))).toBe(1)
  expect(newest(own, event(2, 'checkpoint_created', 'm', 'member'))).toBe(2)
  expect(newest(own, event(2, 'message_completed', 'c', 'own'))).toBe(1)
  expect(newest()).toBe(0)
})
