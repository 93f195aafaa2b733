// What Citus needs of our statements and policies, and what an outage of one of its workers means, on plain PostgreSQL.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/test-database.ts'
import { type Database, openDatabase } from './database.ts'

const anna = '01890000-0000-7000-8000-00000000000a'

let ground: TestDatabase
beforeAll(async () => {
  ground = await testDatabase()
})
afterAll(() => ground.close())

test('no policy contains a subquery', async () => {
  const policies = await ground.database.owner<{ tablename: string; policyname: string; rule: string }[]>`
    select tablename, policyname, coalesce(qual, '') || ' ' || coalesce(with_check, '') as rule from pg_policies where schemaname = 'tandem'`
  expect(policies.length).toBeGreaterThan(20)
  expect(policies.filter(({ rule }) => /\bselect\b/i.test(rule))).toEqual([])
})

test('every table of users has user_id first in its primary key, so that it can be distributed', async () => {
  const keys = await ground.database.owner<{ name: string; first: string; table: string }[]>`
    select relation.relname as table, index.relname as name, pg_get_indexdef(indexrelid, 1, true) as first
    from pg_index join pg_class relation on relation.oid = indrelid join pg_class index on index.oid = indexrelid
    join pg_namespace on pg_namespace.oid = relation.relnamespace
    where nspname = 'tandem' and indisunique and exists (
      select from pg_attribute where attrelid = relation.oid and attname = 'user_id' and not attisdropped)
    and relation.relname <> 'email_directory'`
  expect(keys.length).toBeGreaterThan(12)
  expect(keys.filter(({ first }) => first !== 'user_id')).toEqual([])
})

test('the script for Citus distributes every table of users', async () => {
  const script = await readFile(join(import.meta.dirname, '../../../../docs/operations/citus.sql'), 'utf8')
  const listed = [...(/array\[([^\]]*)\]/.exec(script)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)
  const tables = await ground.database.owner<{ name: string }[]>`
    select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'tandem' and relkind = 'r' and relname <> 'email_directory'
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'user_id')`
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('every session asks Citus to forward `set local` to its workers, directly and behind a pooler', async () => {
  const seen: unknown[] = []
  for (const pooled of [false, true]) {
    const database = await openDatabase({ ...ground.target, address: { ...ground.target.address, pooled } }, () => undefined)
    const [row] = await database.asUser(anna, (sql) => sql`select current_setting('citus.propagate_set_commands') as value`)
    seen.push(row?.value)
    await database.close()
  }
  expect(seen).toEqual(['local', 'local'])
})

describe('a worker is down', () => {
  /** Reads of the users in `down` fail as Citus reports the outage of a worker: an error on a connection that stays open. */
  async function withOutage(down: string, work: (database: Database, lost: () => number) => Promise<void>): Promise<void> {
    await using own = await testDatabase()
    await own.database.owner.unsafe(`
      create or replace function tandem.current_user_id() returns uuid language plpgsql stable as $$
      declare id text := nullif(current_setting('app.user_id', true), '');
      begin
        if id ~ '${down}' then raise exception 'connection to the remote node worker-2:5432 failed' using errcode = '08006'; end if;
        return id::uuid;
      end $$`)
    // A table without rows evaluates no policy.
    await own.database.owner`insert into tandem.users (user_id, email, display_name, locale, time_zone, created_at, updated_at)
      values (${anna}, 'a@example.org', 'Anna', 'en', 'UTC', now(), now())`
    const losses = { count: 0 }
    own.database.onLost(() => {
      losses.count += 1
    })
    await work(own.database, () => losses.count)
  }
  const read = (database: Database, userId: string) =>
    database.asUser(userId, (sql) => sql<{ pid: number }[]>`select pg_backend_pid() as pid, tandem.current_user_id() as id`)

  test('its users get an outage; the pool and its connections are kept for the others', async () => {
    await withOutage('^0189', async (database, lost) => {
      const other = '7fffffff-0000-7000-8000-00000000000b'
      const [before] = await read(database, other)
      for (let time = 0; time < 3; time += 1) {
        await expect(read(database, anna)).rejects.toMatchObject({
          name: 'DatabaseUnavailable',
          reason: 'shard',
          code: 'database_unavailable',
        })
      }
      const [after] = await read(database, other)
      expect([lost(), after?.pid]).toEqual([0, before?.pid])
    })
  })

  test('the database counts as available while any shard answers, and not when none does', async () => {
    // Half of the users.
    await withOutage('^[0-7]', async (database, lost) => {
      const pings = await Promise.allSettled(Array.from({ length: 6 }, () => database.ping()))
      expect([pings.some(({ status }) => status === 'fulfilled'), lost()]).toEqual([true, 0])
    })
    await withOutage('.', async (database, lost) => {
      await expect(database.ping()).rejects.toMatchObject({ reason: 'shard' })
      expect(lost()).toBe(0)
    })
  })
})
