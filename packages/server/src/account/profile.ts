// Reading and replacing the user's own profile.
import type { UserProfile, UserProfileUpdate } from '@tandem/contract/user'
import type { TransactionSql } from 'postgres'
import { requireVersion } from '../http/if-match.ts'
import { refuse } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import type { Caller } from '../token/tokens.ts'
import { ensureProfile, fileExists, lockProfile, readProfile, updateProfile } from './profile-store.ts'

type ProfileServices = Pick<Services, 'database' | 'now'>

export async function getProfile({ database, now }: ProfileServices, caller: Caller): Promise<UserProfile> {
  return database.asUser(caller.user_id, async (sql) => (await readProfile(sql, caller.user_id)) ?? firstSight(sql, caller, now()))
}

/** Without `ifMatch`, the last write wins. */
export async function putProfile(
  { database, now }: ProfileServices,
  caller: Caller,
  update: UserProfileUpdate,
  ifMatch: string | undefined,
): Promise<UserProfile> {
  const { user_id } = caller
  return database.asUser(user_id, async (sql) => {
    const present = (await lockProfile(sql, user_id)) ?? (await firstSight(sql, caller, now()))
    requireVersion(ifMatch, present.version, 'the profile')
    await demandAvatar(sql, user_id, update)
    return updateProfile(sql, user_id, update, now())
  })
}

/** Users of a project who signed in elsewhere have no row before their first request. */
async function firstSight(sql: TransactionSql, { user_id, email }: Caller, now: number): Promise<UserProfile> {
  if (email === null) throw refuse('not_found', 'this account has no email address and therefore no profile')
  return ensureProfile(sql, { user_id, email }, now)
}

async function demandAvatar(sql: TransactionSql, userId: string, { avatar_file_id }: UserProfileUpdate): Promise<void> {
  if (avatar_file_id === undefined || (await fileExists(sql, userId, avatar_file_id))) return
  throw refuse('unknown_reference', `there is no file ${avatar_file_id}`, {
    errors: [{ pointer: '/avatar_file_id', message: 'is not a file of this account' }],
  })
}
