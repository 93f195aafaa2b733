import type { TodoItem } from '@tandem/contract/sync'
import { expect, test } from 'vitest'
import { todoText } from './prompt.ts'

const item = (index: number, state: TodoItem['state'] = 'pending') =>
  ({ id: `t${index}`, title: `todo ${index}`, state, state_ts: '2026-03-01T09:00:00.000Z', order: index }) as unknown as TodoItem

test('a prompt without todos does not mention them', () => {
  expect([todoText([], 100), todoText([item(1, 'deleted')], 100)]).toEqual(['', ''])
})

test('todos are listed with their states and ids', () => {
  expect(todoText([item(1, 'completed'), item(2, 'deleted'), item(3)], 100)).toBe(
    'Your todos:\n- [completed] todo 1 (t1)\n- [pending] todo 3 (t3)',
  )
})

test('if there are many todos, the newest are listed, with the number of omitted ones', () => {
  const lines = todoText(
    Array.from({ length: 500 }, (_, index) => item(index)),
    300,
  ).split('\n')
  expect([lines[0], lines.at(-1)]).toEqual(['Your todos:', '- [pending] todo 499 (t499)'])
  expect(lines[1]).toBe(`[${500 - (lines.length - 2)} older todos omitted]`)
  expect(lines.slice(2).join('\n').length).toBeLessThanOrEqual(1_200)
})
