import type { TodoEdit } from '@tandem/contract/command'
import { mergeTodoItems, type TodoItem } from '@tandem/contract/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyTodoEdits, type ItemStamper, visibleTodos } from './list.ts'

function stampsFrom(start: number, device = ''): ItemStamper {
  let now = start
  let made = 0
  return { id: () => `${device}${String(++made).padStart(4, '0')}`, state_ts: () => new Date(++now).toISOString() }
}

function after(items: readonly TodoItem[], edits: readonly TodoEdit[], stamps: ItemStamper): readonly TodoItem[] {
  const outcome = applyTodoEdits(items, edits, stamps, null)
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome.items
}

test('new todos are added at the end, changed ones keep their other fields, deleted ones are not shown', () => {
  const stamps = stampsFrom(0)
  const made = after([], [{ title: 'one' }, { title: 'two', note: 'soon' }, { title: 'three' }], stamps)
  const changed = after(
    made,
    [
      { id: '0002', state: 'in_progress', position: 0.5 },
      { id: '0003', state: 'deleted' },
      { id: '0001', note: 'x' },
    ],
    stamps,
  )
  expect(visibleTodos(changed)).toEqual([
    { id: '0002', title: 'two', note: 'soon', state: 'in_progress', state_ts: '1970-01-01T00:00:00.004Z', position: 0.5 },
    { id: '0001', title: 'one', note: 'x', state: 'pending', state_ts: '1970-01-01T00:00:00.006Z', position: 1 },
  ])
  expect(changed.map(({ id, state }) => [id, state])).toEqual([
    ['0001', 'pending'],
    ['0002', 'in_progress'],
    ['0003', 'deleted'],
  ])
  expect(visibleTodos(after(changed, [{ id: '0001', note: null }], stamps))[1]).not.toHaveProperty('note')
})

test('an edit of a todo that does not exist or is deleted changes nothing', () => {
  const stamps = stampsFrom(0)
  const made = after([], [{ title: 'one', state: 'deleted' }], stamps)
  for (const id of ['0001', 'nobody']) {
    expect(applyTodoEdits(made, [{ title: 'two' }, { id, state: 'completed' }], stamps, null)).toEqual({
      ok: false,
      code: 'not_found',
      message: `there is no todo ${id} in this conversation`,
    })
  }
})

test('an edit made after a state was read wins the merge with that state, on every device and in either order', () => {
  const state = fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const, 'canceled' as const)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), state), { maxLength: 12 }), (changes) => {
      const stamps = stampsFrom(0)
      const start = after([], [{ title: 'a' }, { title: 'b' }, { title: 'c' }, { title: 'd' }], stamps)
      const end = changes.reduce((items, [which, to]) => after(items, [{ id: items[which]?.id ?? '', state: to }], stamps), start)
      expect(mergeTodoItems(start, end)).toEqual(end)
      expect(mergeTodoItems(end, start)).toEqual(end)
    }),
  )
})
