// Statements on API keys. The transaction is restricted to the user, and every statement also names the user.
import type { ApiKey, ApiKeyRequest, ApiKeyScope } from '@tandem/contract/auth'
import type { TransactionSql } from 'postgres'

interface KeyRow {
  readonly key_id: string
  readonly name: string
  readonly scopes: ApiKeyScope[]
  readonly ends_with: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

export interface StoredKey extends ApiKeyRequest {
  readonly user_id: string
  readonly key_id: string
  readonly hash: Buffer
  readonly ends_with: string
}

/** Undefined if the account already has `most` keys; of two concurrent creations, the second counts the first. */
export async function createKey(sql: TransactionSql, key: StoredKey, most: number, now: number): Promise<ApiKey | undefined> {
  const { user_id, key_id, name, scopes, hash, ends_with } = key
  await sql`select pg_advisory_xact_lock(hashtextextended('tandem.api_keys ' || ${user_id}, 0))`
  const [row] = await sql<KeyRow[]>`
    insert into tandem.api_keys (user_id, key_id, name, scopes, hash, ends_with, created_at)
    select ${user_id}, ${key_id}, ${name}, ${scopes}, ${hash}, ${ends_with}, ${new Date(now)}
    where (select count(*) from tandem.api_keys where user_id = ${user_id}) < ${most}
    returning ${columns(sql)}`
  return row && keyOf(row)
}

/** Newest first; up to one more than `size`. */
export async function listKeys(sql: TransactionSql, userId: string, after: string | undefined, size: number): Promise<ApiKey[]> {
  const rows = await sql<KeyRow[]>`
    select ${columns(sql)} from tandem.api_keys
    where user_id = ${userId} ${after === undefined ? sql`` : sql`and key_id < ${after}::uuid`}
    order by key_id desc limit ${size + 1}`
  return rows.map(keyOf)
}

export async function deleteKey(sql: TransactionSql, userId: string, keyId: string): Promise<boolean> {
  const deleted = await sql`delete from tandem.api_keys where user_id = ${userId} and key_id = ${keyId} returning key_id`
  return deleted.length > 0
}

/** Returns how many there were. */
export async function deleteKeys(sql: TransactionSql, userId: string): Promise<number> {
  const deleted = await sql`delete from tandem.api_keys where user_id = ${userId} returning key_id`
  return deleted.length
}

function columns(sql: TransactionSql) {
  return sql`key_id, name, scopes, ends_with, created_at, last_used_at`
}

function keyOf({ key_id, created_at, last_used_at, ...row }: KeyRow): ApiKey {
  return { id: key_id, ...row, created_at: created_at.toISOString(), last_used_at: last_used_at?.toISOString() ?? null }
}
