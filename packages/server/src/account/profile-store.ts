// Statements on the profile of a user.
import type { UserProfile, UserProfileUpdate } from '@tandem/contract/user'
import type { TransactionSql } from 'postgres'
import { nameFromEmail } from './email.ts'

/** The defaults before the user has a row. */
export interface NewProfile {
  readonly user_id: string
  readonly email: string
  readonly display_name?: string | undefined
  readonly locale?: string | undefined
  readonly time_zone?: string | undefined
}

interface ProfileRow {
  readonly user_id: string
  readonly email: string
  readonly display_name: string
  readonly locale: string
  readonly time_zone: string
  readonly avatar_file_id: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

export async function readProfile(sql: TransactionSql, userId: string): Promise<UserProfile | undefined> {
  const [row] = await sql<ProfileRow[]>`select ${columns(sql)} from tandem.users where user_id = ${userId}`
  return row && profileOf(row)
}

/** For a change: locks the row. */
export async function lockProfile(sql: TransactionSql, userId: string): Promise<UserProfile | undefined> {
  const [row] = await sql<ProfileRow[]>`select ${columns(sql)} from tandem.users where user_id = ${userId} for update`
  return row && profileOf(row)
}

/** Creates the row on first use; the address follows the account service, everything else is kept. */
export async function ensureProfile(sql: TransactionSql, user: NewProfile, now: number): Promise<UserProfile> {
  const { user_id, email, display_name = nameFromEmail(email), locale = 'en', time_zone = 'UTC' } = user
  const at = new Date(now)
  const [, [row]] = await Promise.all([
    sql`
      insert into tandem.users (user_id, email, display_name, locale, time_zone, created_at, updated_at)
      values (${user_id}, ${email}, ${display_name}, ${locale}, ${time_zone}, ${at}, ${at})
      on conflict (user_id) do update set email = excluded.email, version = users.version + 1, updated_at = excluded.updated_at
      where users.email <> excluded.email`,
    sql<ProfileRow[]>`select ${columns(sql)} from tandem.users where user_id = ${user_id}`,
  ])
  if (!row) throw new Error('the profile that was just created is missing')
  return profileOf(row)
}

/** The profile exists and is locked. */
export async function updateProfile(sql: TransactionSql, userId: string, update: UserProfileUpdate, now: number): Promise<UserProfile> {
  const { display_name, locale, time_zone, avatar_file_id = null } = update
  const [row] = await sql<ProfileRow[]>`
    update tandem.users set display_name = ${display_name}, locale = ${locale}, time_zone = ${time_zone},
      avatar_file_id = ${avatar_file_id}, version = version + 1, updated_at = ${new Date(now)}
    where user_id = ${userId} returning ${columns(sql)}`
  if (!row) throw new Error('the profile that was just locked is missing')
  return profileOf(row)
}

export async function fileExists(sql: TransactionSql, userId: string, fileId: string): Promise<boolean> {
  const found = await sql`select 1 from tandem.files where user_id = ${userId} and id = ${fileId}`
  return found.length > 0
}

function columns(sql: TransactionSql) {
  return sql`user_id, email, display_name, locale, time_zone, avatar_file_id, version, created_at, updated_at`
}

function profileOf({ user_id, avatar_file_id, created_at, updated_at, ...row }: ProfileRow): UserProfile {
  return {
    id: user_id,
    ...row,
    ...(avatar_file_id === null ? {} : { avatar_file_id }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
