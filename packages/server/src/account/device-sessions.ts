// Removing a device ends its sessions.
import { endStoredSessions, publishEndedSessions, type SessionServices } from './session-end.ts'

export async function endSessionsOfDevice(services: SessionServices, userId: string, deviceId: string): Promise<void> {
  const ended = await endStoredSessions(services, userId, { device_id: deviceId })
  if (services.config.platform.kind === 'supabase') await removeFromSupabase(services, userId, ended)
  if (ended.length > 0) services.log.info({ user_id: userId, sessions: ended.length }, 'sessions ended with their device')
  await publishEndedSessions(services, userId, ended)
}

/**
 * Supabase Auth has no call that ends a session without one of its tokens; deleting its row prevents refreshing. A token refreshed through
 * us is refused anyway (see supabase.ts), so in a project that forbids this statement, a thief could only refresh elsewhere.
 */
async function removeFromSupabase(services: SessionServices, userId: string, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return
  try {
    await services.database.owner`delete from auth.sessions where user_id = ${userId} and id = any(${[...sessionIds]}::uuid[])`
  } catch (error) {
    services.log.warn({ err: error, user_id: userId }, "the sessions of a removed device could not be deleted from the project's Auth")
  }
}
