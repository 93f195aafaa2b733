// Statements on sessions. The transaction is restricted to the user, and every statement also names the user.
import { limits } from '@tandem/contract/limits'
import type { TransactionSql } from 'postgres'
import type { SessionState } from './rotation.ts'

export interface NewSession {
  readonly user_id: string
  readonly session_id: string
  readonly device_id: string | undefined
  readonly seed: Buffer | null
}

export type StoredSession = SessionState & { readonly seed: Buffer | null }

/** Also deletes sessions whose tokens expired long ago, so that the list of a user does not grow forever. */
export async function openSession(sql: TransactionSql, session: NewSession, now: number): Promise<void> {
  const { user_id, session_id, device_id = null, seed } = session
  const at = new Date(now)
  await Promise.all([
    sql`delete from tandem.sessions where user_id = ${user_id} and last_used < ${new Date(now - 2 * limits.refresh_token_seconds * 1000)}`,
    sql`
      insert into tandem.sessions (user_id, session_id, device_id, seed, created_at, last_used)
      values (${user_id}, ${session_id}, ${device_id}, ${seed}, ${at}, ${at})`,
  ])
}

/** Locks the row: of two concurrent uses of one token, the second sees the result of the first. */
export async function lockSession(sql: TransactionSql, userId: string, sessionId: string): Promise<StoredSession | undefined> {
  const [row] = await sql<{ seed: Buffer | null; counter: number; replaced: Date[]; last_used: Date; ended_at: Date | null }[]>`
    select seed, counter, replaced, last_used, ended_at from tandem.sessions
    where user_id = ${userId} and session_id = ${sessionId} for update`
  if (!row) return undefined
  const { seed, counter, replaced, last_used, ended_at } = row
  return { seed, counter, replaced: replaced.map(Number), last_used: Number(last_used), ended_at: ended_at && Number(ended_at) }
}

export async function saveRotation(
  sql: TransactionSql,
  session: { user_id: string; session_id: string; counter: number; replaced: readonly number[] },
  now: number,
): Promise<void> {
  const replaced = session.replaced.map((at) => new Date(at).toISOString())
  await sql`
    update tandem.sessions set counter = ${session.counter}, replaced = ${replaced}::timestamptz[], last_used = ${new Date(now)}
    where user_id = ${session.user_id} and session_id = ${session.session_id}`
}

/** A session that the platform manages, recorded here so that its device can end it. False if it was ended here before. */
export async function recordSession(sql: TransactionSql, session: NewSession, now: number): Promise<boolean> {
  const { user_id, session_id, device_id = null } = session
  const at = new Date(now)
  const [row] = await sql<{ ended_at: Date | null }[]>`
    insert into tandem.sessions (user_id, session_id, device_id, created_at, last_used)
    values (${user_id}, ${session_id}, ${device_id}, ${at}, ${at})
    on conflict (user_id, session_id) do update
      set last_used = excluded.last_used, device_id = coalesce(excluded.device_id, sessions.device_id)
    returning ended_at`
  return row?.ended_at === null
}

export type SessionFilter = 'all' | { readonly session_id: string } | { readonly device_id: string } | { readonly other_than: string }

/** Returns the ids of those that were still open. */
export async function endSessions(sql: TransactionSql, userId: string, which: SessionFilter, now: number): Promise<string[]> {
  const rows = await sql<{ session_id: string }[]>`
    update tandem.sessions set ended_at = ${new Date(now)}
    where user_id = ${userId} and ended_at is null ${condition(sql, which)}
    returning session_id`
  return rows.map(({ session_id }) => session_id)
}

function condition(sql: TransactionSql, which: SessionFilter) {
  if (which === 'all') return sql``
  if ('other_than' in which) return sql`and session_id <> ${which.other_than}`
  return 'session_id' in which ? sql`and session_id = ${which.session_id}` : sql`and device_id = ${which.device_id}`
}
