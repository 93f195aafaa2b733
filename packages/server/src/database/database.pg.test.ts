import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { type Database, DatabaseUnavailable, openDatabase } from './database.ts'

const anna = '01890000-0000-7000-8000-00000000000a'
const bert = '01890000-0000-7000-8000-00000000000b'

let test_: TestDatabase
let database: Database

beforeAll(async () => {
  test_ = await testDatabase()
  database = test_.database
  await database.owner`create table tandem.note (user_id uuid not null, id integer not null, primary key (user_id, id))`
  await database.owner`select tandem.isolate('tandem.note')`
  await database.owner`create table tandem.ledger (id integer)`
  for (const user of [anna, bert]) await database.asUser(user, (sql) => sql`insert into tandem.note values (${user}, 1)`)
})
afterAll(() => test_.close())

describe('isolation', () => {
  test('each user sees and changes only their own rows, even with a query without a filter', async () => {
    const seen = await database.asUser(anna, (sql) => sql`select user_id, id from tandem.note`)
    expect([...seen]).toEqual([{ user_id: anna, id: 1 }])
    const changed = await database.asUser(anna, (sql) => sql`update tandem.note set id = id returning user_id`)
    expect([...changed]).toEqual([{ user_id: anna }])
    await expect(database.asUser(anna, (sql) => sql`insert into tandem.note values (${bert}, 2)`)).rejects.toMatchObject({ code: '42501' })
    await expect(database.asUser(anna, (sql) => sql`update tandem.note set user_id = ${bert}`)).rejects.toMatchObject({ code: '42501' })
  })

  test('without a user no rows are visible', async () => {
    const seen = await database.owner.begin(async (sql) => {
      await sql`select set_config('role', 'tandem_app', true)`
      return sql`select * from tandem.note`
    })
    expect([...seen]).toEqual([])
  })

  test('the user of one transaction does not leak into the next on the same connection', async () => {
    await using single = await testDatabase()
    const one = await openDatabase({ ...single.target, max_connections: 1 }, () => undefined)
    const identity = () => one.asUser(bert, (sql) => sql`select current_user::text as role, tandem.current_user_id() as id`)
    await one.asUser(anna, (sql) => sql`select 1`)
    expect([...(await identity())]).toEqual([{ role: 'tandem_app', id: bert }])
    await expect(one.asUser(anna, (sql) => sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
    expect([...(await identity())]).toEqual([{ role: 'tandem_app', id: bert }])
    await one.close()
  })

  test('the accounts role cannot access user tables, and users only what was granted', async () => {
    await expect(database.asAccounts((sql) => sql`select * from tandem.note`)).rejects.toMatchObject({ code: '42501' })
    await expect(database.asUser(anna, (sql) => sql`select * from tandem.ledger`)).rejects.toMatchObject({ code: '42501' })
    await expect(database.asUser(anna, (sql) => sql`select tandem.isolate('tandem.ledger')`)).rejects.toMatchObject({ code: '42501' })
    expect([...(await database.asAccounts((sql) => sql`select current_user::text as role, tandem.current_user_id() as id`))]).toEqual([
      { role: 'tandem_accounts', id: null },
    ])
  })

  test('an invalid user id is a bug, not an empty result', async () => {
    await expect(database.asUser("' or true --", (sql) => sql`select 1`)).rejects.toThrow('asUser needs a UUID')
  })

  test('names need a schema', async () => {
    await expect(database.asUser(anna, (sql) => sql`select * from note`)).rejects.toMatchObject({ code: '42P01' })
  })

  test('a table owner without BYPASSRLS still sees all rows', async () => {
    const rows = await database.owner<{ forced: boolean; policies: string[] }[]>`
      select relforcerowsecurity as forced, (select array_agg(polname::text order by polname) from pg_policy where polrelid = c.oid) as policies
      from pg_class c where oid = 'tandem.note'::regclass`
    expect([...rows]).toEqual([{ forced: true, policies: ['own_rows', 'owner_rows'] }])
  })
})

describe('transactions', () => {
  test('an error rolls everything back', async () => {
    const failure = database.asUser(anna, async (sql) => {
      await sql`insert into tandem.note values (${anna}, 77)`
      throw new Error('changed my mind')
    })
    await expect(failure).rejects.toThrow('changed my mind')
    expect([...(await database.asUser(anna, (sql) => sql`select id from tandem.note where id = 77`))]).toEqual([])
  })

  test('a savepoint rolls back a part', async () => {
    const ids = await database.asUser(anna, async (sql) => {
      await sql`insert into tandem.note values (${anna}, 100)`
      await sql.savepoint((inner) => inner`insert into tandem.note values (${anna}, 100)`).catch(() => undefined)
      const rows = await sql<{ id: number }[]>`select id from tandem.note where id = 100`
      await sql`delete from tandem.note where id = 100`
      return rows.map(({ id }) => id)
    })
    expect(ids).toEqual([100])
  })

  test('a statement after the end is refused', async () => {
    let late: (() => unknown) | undefined
    await database.asUser(anna, async (sql) => {
      late = () => sql`select 1`
    })
    expect(() => late?.()).toThrow('a statement came after the end of its transaction')
  })

  test('work that continues after its transaction failed cannot reach the database', async () => {
    const { promise: failed, resolve } = Promise.withResolvers<void>()
    let straggler: Promise<unknown> = Promise.resolve()
    const run = database.asUser(anna, (sql) => {
      straggler = failed.then(() => sql`insert into tandem.note values (${anna}, 55)`)
      return Promise.all([sql`select 1 / 0`, straggler])
    })
    await expect(run).rejects.toMatchObject({ code: '22012' })
    resolve()
    await expect(straggler).rejects.toThrow('after the end of its transaction')
  })
})

describe('limits', () => {
  test('a lock timeout, and an administrator who ends the session, are outages and not bugs', async () => {
    await database.owner.begin(async (holder) => {
      await holder`lock table tandem.note in exclusive mode`
      const blocked = database.asUser(anna, async (sql) => {
        await sql`select set_config('lock_timeout', '50ms', true)`
        return sql`update tandem.note set id = id`
      })
      await expect(blocked).rejects.toMatchObject({ name: 'DatabaseUnavailable', reason: 'busy', code: 'database_unavailable' })
    })
    const ended = database.asUser(anna, async (sql) => {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      await Promise.all([sql`select pg_sleep(60)`, database.owner`select pg_terminate_backend(${row?.pid ?? 0})`])
    })
    await expect(ended).rejects.toMatchObject({ reason: 'connection' })
    expect([...(await database.asUser(anna, (sql) => sql`select 1 as one`))]).toEqual([{ one: 1 }])
  })

  test('a session that idles in its transaction is ended, and its later statements run nowhere', async () => {
    const run = database.asUser(anna, async (sql) => {
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      await sql`select set_config('idle_in_transaction_session_timeout', '50ms', true)`
      await expect.poll(async () => (await database.owner`select 1 from pg_stat_activity where pid = ${row?.pid ?? 0}`).length).toBe(0)
      await database.asUser(bert, (other) => other`select 1`)
      await sql`insert into tandem.note values (${anna}, 66)`
    })
    await expect(run).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect([...(await database.owner`select id from tandem.note where id = 66`)]).toEqual([])
  })

  test('without a free connection the call is refused, and its work never starts', async () => {
    const one = await openDatabase({ ...test_.target, max_connections: 1 }, () => undefined)
    let began = false
    const { promise: released, resolve } = Promise.withResolvers<void>()
    const holder = one.asUser(anna, async (sql) => {
      await sql`select 1`
      await released
    })
    const waiting = one.asUser(bert, async () => {
      began = true
    })
    await expect(waiting).rejects.toMatchObject({ reason: 'busy', message: 'no database connection became free in time' })
    resolve()
    await holder
    await one.asUser(bert, (sql) => sql`select 1`)
    expect(began).toBe(false)
    await one.close()
  })

  test('behind a transaction pooler the limits are set inside the transaction', async () => {
    const pooled = await openDatabase({ ...test_.target, address: { ...test_.target.address, pooled: true } }, () => undefined)
    const rows = await pooled.asUser(
      anna,
      (
        sql,
      ) => sql`select current_user::text as role, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
        current_setting('search_path') as path, (select count(*)::int from pg_prepared_statements) as prepared`,
    )
    expect([...rows]).toEqual([{ role: 'tandem_app', statement: '10s', lock: '5s', path: 'pg_catalog', prepared: 0 }])
    await pooled.close()
  })
})

test('a statement that fails after its first rows does not shift the rows of the next one', async () => {
  for (const divided of [2, 4]) {
    await expect(database.owner`select 1 / (${divided}::integer - n) from generate_series(1, 5) as n`).rejects.toMatchObject({
      code: '22012',
    })
    const first = database.owner<{ n: number }[]>`select n from generate_series(1, 2) as n`
    expect([...(await first)]).toEqual([{ n: 1 }, { n: 2 }])
  }
  await expect(database.owner.unsafe('select 1 / (3 - n) from generate_series(1, 5) as n')).rejects.toMatchObject({ code: '22012' })
  const [row] = await database.owner.unsafe('select 7 as n')
  expect(row).toEqual({ n: 7 })
})

test('ping answers, and after close everything is refused', async () => {
  const other = await openDatabase(test_.target, () => undefined)
  await other.ping()
  await other.close()
  await expect(other.asUser(anna, (sql) => sql`select 1`)).rejects.toMatchObject({ code: 'database_unavailable' })
})
