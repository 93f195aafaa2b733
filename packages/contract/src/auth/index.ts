export type { LoginRequest, LogoutRequest, RefreshRequest, RegisterRequest, Session } from './schema.ts'

/** This session only, or every session of the account. */
export const logoutScopes = ['session', 'everywhere'] as const
export type LogoutScope = (typeof logoutScopes)[number]
