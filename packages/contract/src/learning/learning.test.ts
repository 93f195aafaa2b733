import { expect, test } from 'vitest'
import { isTerminal, transition } from '../transition/index.ts'
import { memoryWritebackTransitions, reflectionRecommendations } from './index.ts'
import { Reflection } from './schema.ts'

test('a reflection has what went wrong, where, and the four possible recommendations', () => {
  const about = ['id', 'run_id', 'agent_id', 'conversation_id', 'evaluation_id', 'created_at']
  const fields = Object.keys(Reflection.properties).filter((field) => !about.includes(field))
  expect(fields).toEqual(['root_cause', 'affected_subsystem', ...reflectionRecommendations])
})

test('a writeback candidate is committed or dismissed once', () => {
  expect(transition(memoryWritebackTransitions, 'pending', 'commit')).toEqual({ ok: true, state: 'committed' })
  expect(transition(memoryWritebackTransitions, 'pending', 'dismiss')).toEqual({ ok: true, state: 'dismissed' })
  expect(isTerminal(memoryWritebackTransitions, 'committed')).toBe(true)
  expect(isTerminal(memoryWritebackTransitions, 'dismissed')).toBe(true)
})
