// Statements on accounts: the email directory, passwords, and the row of a new user.

import type { TransactionSql } from 'postgres'
import { setCurrentUser } from '../database/database.ts'
import { directoryEmail } from './email.ts'

export interface FoundAccount {
  readonly user_id: string
  readonly password_hash: string
  /** Whether the account has signed in from this device before. */
  readonly device_known: boolean
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** The same two round trips, whether or not the address is known. */
export async function findAccount(sql: TransactionSql, email: string, deviceId: string | undefined): Promise<FoundAccount | undefined> {
  const [known] = await sql<{ user_id: string }[]>`
    select user_id from tandem.email_directory where email = ${directoryEmail(email)}`
  const userId = known?.user_id ?? nobody
  const [, [account]] = await Promise.all([
    setCurrentUser(sql, userId),
    sql<FoundAccount[]>`
      select user_id, password_hash,
        exists (select from tandem.sessions where user_id = ${userId} and device_id = ${deviceId ?? null}) as device_known
      from tandem.credentials where user_id = ${userId}`,
  ])
  return account
}

/** The password of a signed-in account. */
export async function readPassword(sql: TransactionSql, userId: string): Promise<string | undefined> {
  const [row] = await sql<{ password_hash: string }[]>`select password_hash from tandem.credentials where user_id = ${userId}`
  return row?.password_hash
}

/** False if the address already has an account; of two concurrent calls, the second waits for the first. */
export async function reserveEmail(sql: TransactionSql, email: string, userId: string): Promise<boolean> {
  const claimed = await sql`
    insert into tandem.email_directory (email, user_id) values (${directoryEmail(email)}, ${userId})
    on conflict (email) do nothing returning user_id`
  return claimed.length > 0
}

export async function storePassword(sql: TransactionSql, userId: string, hash: string, now: number): Promise<void> {
  await sql`
    insert into tandem.credentials (user_id, password_hash, changed_at) values (${userId}, ${hash}, ${new Date(now)})`
}

/** False if the password was changed in the meantime. */
export async function changePassword(sql: TransactionSql, userId: string, before: string, hash: string, now: number): Promise<boolean> {
  const changed = await sql`
    update tandem.credentials set password_hash = ${hash}, changed_at = ${new Date(now)}
    where user_id = ${userId} and password_hash = ${before} returning user_id`
  return changed.length > 0
}

/** The same password with new parameters; has no effect if the password was changed in the meantime. */
export async function replaceHash(
  sql: TransactionSql,
  { user_id, password_hash }: Omit<FoundAccount, 'device_known'>,
  hash: string,
): Promise<void> {
  await sql`
    update tandem.credentials set password_hash = ${hash} where user_id = ${user_id} and password_hash = ${password_hash}`
}

/** Deletes the account, so that its address is free and no one can sign in. Its data is deleted afterwards. */
export async function deleteAccountRows(sql: TransactionSql, userId: string, now: number): Promise<void> {
  const [user] = await sql<{ email: string }[]>`select email from tandem.users where user_id = ${userId}`
  await Promise.all([
    sql`insert into tandem.deleted_accounts (user_id, deleted_at) values (${userId}, ${new Date(now)}) on conflict do nothing`,
    sql`delete from tandem.email_directory where email = ${directoryEmail(user?.email ?? '')} and user_id = ${userId}`,
    sql`delete from tandem.credentials where user_id = ${userId}`,
    sql`delete from tandem.users where user_id = ${userId}`,
  ])
}
