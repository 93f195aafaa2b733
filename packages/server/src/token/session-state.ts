// Whether a session has ended, from PostgreSQL.
import { type Database, isUuid } from '../database/database.ts'

/** A session without a row is open: a Supabase project has sessions that were not used here. All those of a deleted account have ended. */
export async function isSessionEnded(database: Pick<Database, 'asAccounts'>, userId: string, sessionId: string): Promise<boolean> {
  if (!isUuid(sessionId)) return false
  return database.asAccounts(async (sql) => {
    const [row] = await sql<{ ended: boolean }[]>`
      select exists (select from tandem.sessions where user_id = ${userId} and session_id = ${sessionId} and ended_at is not null)
        or exists (select from tandem.deleted_accounts where user_id = ${userId}) as ended`
    return row?.ended ?? true
  }, userId)
}

/** Creates the row of a session that ended before it was used here. */
export async function recordEndedSession(
  database: Pick<Database, 'asAccounts'>,
  userId: string,
  sessionIds: readonly string[],
  now: number,
): Promise<void> {
  const known = sessionIds.filter((id) => isUuid(id))
  if (known.length === 0) return
  const at = new Date(now)
  await database.asAccounts(async (sql) => {
    await sql`
      insert into tandem.sessions (user_id, session_id, created_at, last_used, ended_at)
      select ${userId}, id, ${at}, ${at}, ${at} from unnest(${known}::uuid[]) id on conflict do nothing`
  }, userId)
}
