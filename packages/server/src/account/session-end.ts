// Ends sessions: stores the end and notifies every node.
import { setCurrentUser } from '../database/database.ts'
import type { Services } from '../services.ts'
import { endSessions, type SessionFilter } from './session-store.ts'

export type SessionServices = Pick<Services, 'config' | 'database' | 'endedSessions' | 'hub' | 'log' | 'now'>

export async function endStoredSessions(services: SessionServices, userId: string, which: SessionFilter): Promise<string[]> {
  return services.database.asAccounts(async (sql) => {
    const [, ended] = await Promise.all([setCurrentUser(sql, userId), endSessions(sql, userId, which, services.now())])
    return ended
  })
}

/** Closes sockets and refuses access tokens that have not expired. With the cache down it takes some seconds (token/ended-sessions.ts). */
export async function publishEndedSessions(services: SessionServices, userId: string, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return
  services.hub.endSessions(userId, sessionIds)
  try {
    await services.endedSessions.add(userId, sessionIds)
  } catch (error) {
    services.log.warn(
      { err: error, user_id: userId },
      'sessions ended; access tokens that were already issued may work for a few more seconds',
    )
  }
}
