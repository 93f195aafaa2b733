// Row-level security of documents, without where clauses.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { newId } from '../http/id.ts'

let opened: TestDatabase
beforeAll(async () => {
  opened = await testDatabase()
})
afterAll(() => opened.close())

const at = new Date('2026-09-21T07:40:12.345Z')
const rows = {
  idempotency_keys: { key: 'order-0001', request_hash: 'x' },
  workflows: { id: newId(0), name: 'w', definition: '{}', node_count: 0, created_at: at, updated_at: at },
  tasks: { id: newId(0), title: 't', status: 'pending', status_ts: at, created_at: at, updated_at: at },
  files: { id: newId(0), name: 'f', size: 0, media_type: 'text/plain', sha256: 'x', created_at: at },
  log_records: { id: newId(0), ts: at, received_at: at, level: 'info', message: 'm', fields: '[]' },
}

test.each(Object.entries(rows))('%s of another user cannot be read, changed, deleted or created', async (table, row) => {
  const { database } = opened
  const [mara, noor] = [newId(1), newId(2)]
  const name = `tandem.${table}`
  await database.asUser(mara, (sql) => sql`insert into ${sql(name)} ${sql({ user_id: mara, ...row })}`)

  const counts = await database.asUser(noor, async (sql) => [
    (await sql`select * from ${sql(name)}`).count,
    (await sql`update ${sql(name)} set user_id = ${noor}`).count,
    (await sql`delete from ${sql(name)}`).count,
  ])
  expect(counts).toEqual([0, 0, 0])
  await expect(database.asUser(noor, (sql) => sql`insert into ${sql(name)} ${sql({ user_id: mara, ...row })}`)).rejects.toMatchObject({
    code: '42501',
  })
  await expect(database.asUser(mara, (sql) => sql`update ${sql(name)} set user_id = ${noor}`)).rejects.toMatchObject({ code: '42501' })
  await expect(database.asAccounts((sql) => sql`select * from ${sql(name)}`)).rejects.toMatchObject({ code: '42501' })
  expect((await database.asUser(mara, (sql) => sql`select * from ${sql(name)}`)).count).toBe(1)
})
