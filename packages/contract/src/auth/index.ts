export type {
  AccountDeletion,
  ApiKey,
  ApiKeyRequest,
  LoginRequest,
  LogoutRequest,
  NewApiKey,
  PasswordChange,
  RefreshRequest,
  RegisterRequest,
  Session,
} from './schema.ts'

/** This session only, or every session of the account. */
export const logoutScopes = ['session', 'everywhere'] as const
export type LogoutScope = (typeof logoutScopes)[number]

/** What an API key may be used for. It never manages the account, which needs a session. */
export const apiKeyScopes = ['gateway', 'sync'] as const
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Every API key starts with it, so that people and secret scanners recognize one. */
export const apiKeyPrefix = 'tandem_key_'
