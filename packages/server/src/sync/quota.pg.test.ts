import { expect, test } from 'vitest'
import { testSync } from '../../test/support/test-sync.ts'
import { purgeTombstones } from './purge.ts'

const ts = '2026-01-01T00:00:00.000Z'
const change = (entity_id: string, text: string, more: object = {}) => ({
  ...{ entity_type: 'agents', entity_id, op: 'upsert', version: 1, updated_at: ts, source_ts: ts, payload: { text } },
  ...more,
})
const later = '2026-01-02T00:00:00.000Z'

test('a full account accepts no more data, but can still change, shrink and delete', async () => {
  await using sync = await testSync({ max_record_bytes: 2_000 })
  const user = sync.user()
  const codes = async (...changes: object[]) =>
    (await user.push('d', changes)).verdicts.map((verdict) => (verdict.verdict === 'rejected' ? verdict.code : verdict.verdict))
  const bytes = async () => {
    const [row] = await sync.database.owner`
      select bytes::int, (select sum(octet_length(record))::int from tandem.sync_entities where user_id = ${user.user_id}) as real
      from tandem.sync_heads where user_id = ${user.user_id}`
    return [row?.bytes, row?.real]
  }

  expect(await codes(change('a', 'x'.repeat(1_000)), change('b', 'x'.repeat(1_000)), change('c', 'x'))).toEqual([
    ...['applied', 'quota_exceeded', 'applied'],
  ])
  const [counted, real] = await bytes()
  expect(counted).toBe(real)
  const shrunk = change('a', 'x'.repeat(900), { updated_at: later })
  expect(await codes(shrunk, change('d', 'x'.repeat(600)), shrunk)).toEqual(['applied', 'quota_exceeded', 'duplicate'])
  expect(await codes(change('a', '', { op: 'delete', updated_at: later, version: 2, payload: {} }))).toEqual(['applied'])
  expect(await codes(change('b', 'x'.repeat(1_000)))).toEqual(['applied'])

  sync.pass(200 * 24 * 3_600_000)
  await purgeTombstones(sync.database, Date.now() + 200 * 24 * 3_600_000)
  const after = await bytes()
  expect(after[0]).toBe(after[1])
})
