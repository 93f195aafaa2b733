import { expect, test } from 'vitest'
import { isLeftOut, type ServerPlace, useRefusal } from './server-use.ts'

test.each<[string[] | undefined, string[] | undefined, boolean]>([
  [undefined, undefined, false],
  [['a'], undefined, false],
  [['b'], undefined, true],
  [[], undefined, true],
  [undefined, ['a'], true],
  [undefined, ['b'], false],
  [['a'], ['a'], true],
])('included %j, excluded %j: left out %s', (include_tools, exclude_tools, expected) => {
  const server = { ...(include_tools ? { include_tools } : {}), ...(exclude_tools ? { exclude_tools } : {}) }
  expect(isLeftOut(server, 'a')).toBe(expected)
})

const anywhere: ServerPlace = { folder: null, is_current: true, copy_is_current: null }
const there: ServerPlace = { folder: '/work', is_current: true, copy_is_current: null }

test.each<[string, string[] | undefined, ServerPlace, string | null]>([
  ['all agents', undefined, anywhere, null],
  ['this agent', ['me'], anywhere, null],
  ['another agent', ['other'], anywhere, 'not_assigned'],
  ['no agent', [], anywhere, 'not_assigned'],
  ['its folder', undefined, there, null],
  ['another folder', undefined, { ...there, folder: '/work2' }, 'other_folder'],
  ['a folder below it', undefined, { ...there, folder: '/' }, 'other_folder'],
  ['a changed file', undefined, { ...there, is_current: false }, 'definition_changed'],
  ['a changed file elsewhere', undefined, { ...there, folder: '/x', is_current: false }, 'other_folder'],
  ['a copy of its folder', undefined, { ...there, folder: '/x', copy_is_current: true }, null],
  ['a copy with a changed file', undefined, { ...there, folder: '/x', copy_is_current: false }, 'definition_changed'],
  [
    'a copy of a folder whose file has changed',
    undefined,
    { folder: '/x', is_current: false, copy_is_current: true },
    'definition_changed',
  ],
  ['a copy, and another agent', ['other'], { ...there, folder: '/x', copy_is_current: true }, 'not_assigned'],
])('%s', (_what, agent_ids, place, expected) => {
  const server = { server_id: 's', ...(agent_ids ? { agent_ids } : {}) }
  const refusal = useRefusal(server, place, { agent_id: 'me', workspace: '/work' })
  expect(refusal?.reason_code ?? null).toBe(expected)
  if (refusal) expect(`${refusal.message} ${refusal.remedy}`).toContain(refusal.reason_code === 'not_assigned' ? '--agent' : place.folder)
})
