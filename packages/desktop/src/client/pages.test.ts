import { expect, test } from 'vitest'
import type { Channel } from '../connection/channel.ts'
import { readFirst } from './pages.ts'

/** Answers with these pages; the cursor of each is its number. */
function channelOf(pages: readonly (readonly string[])[]) {
  const asked: unknown[] = []
  const call = async (_: string, params: { readonly cursor?: string }) => {
    asked.push(params)
    const at = Number(params.cursor ?? 0)
    return { ok: true, value: { items: pages[at], next_cursor: at + 1 < pages.length ? String(at + 1) : null } }
  }
  return { channel: { call: call as Channel['call'] }, asked }
}

test('pages of which little or nothing is left are followed by others, until there are enough items', async () => {
  const { channel, asked } = channelOf([[], ['a'], ['b', 'c'], ['d']])
  const read = await readFirst(channel, 'cloud_file_list', { kind: 'own' }, { size: 2, count: 2 })
  expect(read).toEqual({ ok: true, value: { items: ['a', 'b', 'c'], hasMore: true } })
  expect(asked).toEqual([
    { kind: 'own', limit: 2 },
    { kind: 'own', limit: 2, cursor: '1' },
    { kind: 'own', limit: 2, cursor: '2' },
  ])
})

test('nothing more is read after the last page', async () => {
  const { channel } = channelOf([['a', 'b'], ['c']])
  const read = await readFirst(channel, 'cloud_file_list', {}, { size: 2, count: 4 })
  expect(read).toEqual({ ok: true, value: { items: ['a', 'b', 'c'], hasMore: false } })
})
