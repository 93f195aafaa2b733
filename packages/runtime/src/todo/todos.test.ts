import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtinToolNames } from '@tandem/contract/tool'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import type { ToolContext } from '../call/context.ts'
import { isReadOnly, type Tool } from '../call/tool.ts'
import { validated } from '../pipeline/validate.ts'
import { openRecords } from '../store/records.ts'
import { openStore, type Store } from '../store/store.ts'
import { openTodos, type Todos } from './todos.ts'
import { todoTools } from './tools.ts'

const conversation_id = '01890a5d-ac96-774b-bcce-b302099a8057'
const run_id = '01890a5d-ac96-774b-bcce-b302099a8058'

let home: string
let store: Store
let todos: Todos
let tools: Tool[]
let told: [string, readonly string[]][]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-todos-'))
  store = openStore({ home, clock: testClock() })
  told = []
  todos = openTodos(store, openRecords(store), {
    onChanged: (run, items) => told.push([run, items.map(({ title, state }) => `${title} ${state}`)]),
  })
  tools = todoTools(todos)
})

afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

/** Validates first, as the pipeline does. */
async function call(name: string, input: unknown): Promise<string> {
  const tool = tools.find((one) => one.name === name)
  if (!tool?.present) throw new Error(`no tool ${name}`)
  const checked = await validated(tool, JSON.stringify(input))
  if (!checked.ok) throw new Error(checked.failure.details.message)
  const context = { ids: { agent_id: 'a', conversation_id, run_id, call_id: 'c' } } as ToolContext
  return tool.present(await tool.run(checked.input as never, context))
}

test('an agent edits the list with its tools, and each change is reported once', async () => {
  await call('todo.create', { todos: [{ title: 'read' }, { title: 'write', note: 'in the folder' }] })
  const [first, second] = todos.list(conversation_id)
  await call('todo.update', { id: first?.id, state: 'in_progress' })
  expect(await call('todo.complete', { ids: [first?.id] })).toBe(`[x] ${first?.id} read\n[ ] ${second?.id} write (in the folder)`)
  expect(await call('todo.list', {})).toBe(`[x] ${first?.id} read\n[ ] ${second?.id} write (in the folder)`)
  expect(told).toEqual([
    [run_id, ['read pending', 'write pending']],
    [run_id, ['read in_progress', 'write pending']],
    [run_id, ['read completed', 'write pending']],
  ])
  expect(first?.id).toMatch(/^[0-9a-f]{12}$/)
})

test('a user changes the list without a run, and the agent sees the change', async () => {
  expect(todos.edit(conversation_id, null, [{ title: 'by hand' }])).toMatchObject({ ok: true, value: [{ title: 'by hand', position: 1 }] })
  expect(told).toEqual([])
  expect(await call('todo.list', {})).toContain('by hand')
  expect(store.sql.all`SELECT entity_type, entity_id, version FROM outbox`).toMatchObject([
    { entity_type: 'todos', entity_id: conversation_id },
  ])
})

test('a change is rolled back if its listener fails', () => {
  const failing = openTodos(store, openRecords(store), {
    onChanged() {
      throw new Error('the journal is full')
    },
  })
  expect(() => failing.edit(conversation_id, run_id, [{ title: 'x' }])).toThrow('the journal is full')
  expect(failing.list(conversation_id)).toEqual([])
})

test('refusals are failures with a code and a remedy', async () => {
  await expect(call('todo.complete', { ids: ['nobody'] })).rejects.toMatchObject({
    reason_code: 'not_found',
    facts: { remedy: 'Call todo.list to see the todos with their ids.' },
  })
  await expect(call('todo.create', { todos: [] })).rejects.toThrow('`todos` must not be empty')
  await expect(call('todo.update', { id: 'x', state: 'done' })).rejects.toThrow('`state` must be')
  await expect(call('todo.update', { id: 'x', state_ts: '2099-01-01T00:00:00.000Z' })).rejects.toThrow('`state_ts` is not a known field')
})

test('a list cannot become too large to be synchronized', () => {
  for (let round = 0; round < 5; round += 1)
    todos.edit(
      conversation_id,
      null,
      Array.from({ length: 100 }, (_, no) => ({ title: `t${no}` })),
    )
  expect(todos.edit(conversation_id, null, [{ title: 'one more' }])).toMatchObject({ ok: false, code: 'limit_reached' })
  const long = Array.from({ length: 70 }, () => ({ title: 'long', note: 'x'.repeat(4_000) }))
  expect(todos.edit('other', null, long)).toMatchObject({ ok: false, code: 'limit_reached' })
  expect(todos.list('other')).toEqual([])
})

test('the four tools are those of the contract and have no effects except on todos', async () => {
  expect(tools.map(({ name }) => name)).toEqual(builtinToolNames.filter((name) => name.startsWith('todo.')))
  const effects = await Promise.all(tools.map((tool) => tool.effects({} as never, { workspace: '/' })))
  expect(effects).toEqual([[{ does: 'note' }], [{ does: 'note' }], [], [{ does: 'note' }]])
  expect(effects.map(isReadOnly)).toEqual([false, false, true, false])
})
