import Type, { type Static } from 'typebox'
import { limits } from '../limits/index.ts'
import { Count, Id, Key, listOf, nullable, object, oneOf, Timestamp } from '../shape.ts'
import { DisplayName, Email, Locale, TimeZone, UserProfile } from '../user/schema.ts'
import { apiKeyPrefix, apiKeyScopes, logoutScopes } from './index.ts'

export const NewPassword = Type.String({ minLength: limits.password_characters_min, maxLength: limits.password_characters })

/** Any password that the account has, including one chosen under earlier rules. */
const Password = Type.String({ minLength: 1, maxLength: limits.password_characters })

export const RefreshToken = Type.String({ minLength: 1, maxLength: 1_000, description: 'Opaque; valid for one use' })
export const AccessToken = Type.String({ minLength: 1, maxLength: 8_000, description: 'JWT' })

/** The device the session belongs to: removing that device ends the session. */
const device = { device_id: Type.Optional(Key) }

export const RegisterRequest = object({
  email: Email,
  password: NewPassword,
  display_name: Type.Optional(DisplayName),
  locale: Type.Optional(Locale),
  time_zone: Type.Optional(TimeZone),
  ...device,
})
export type RegisterRequest = Static<typeof RegisterRequest>

export const LoginRequest = object({ email: Email, password: Password, ...device })
export type LoginRequest = Static<typeof LoginRequest>

export const RefreshRequest = object({ refresh_token: RefreshToken })
export type RefreshRequest = Static<typeof RefreshRequest>

export const LogoutRequest = object({ scope: Type.Optional(oneOf(logoutScopes, { default: 'session' })) })
export type LogoutRequest = Static<typeof LogoutRequest>

/** The response to register, login and refresh. */
export const Session = object({
  access_token: AccessToken,
  token_type: Type.Literal('bearer'),
  expires_in: Count,
  refresh_token: RefreshToken,
  session_id: Id,
  user: UserProfile,
})
export type Session = Static<typeof Session>

/** Ends all other sessions of the account and revokes its API keys. */
export const PasswordChange = object({ current_password: Password, new_password: NewPassword })
export type PasswordChange = Static<typeof PasswordChange>

export const AccountDeletion = object({ password: Password })
export type AccountDeletion = Static<typeof AccountDeletion>

const KeyName = Type.String({ minLength: 1, maxLength: 100, description: 'What the key is for' })
const KeyScopes = Type.Array(oneOf(apiKeyScopes), { minItems: 1, maxItems: apiKeyScopes.length })

export const ApiKeyRequest = object({ name: KeyName, scopes: KeyScopes })
export type ApiKeyRequest = Static<typeof ApiKeyRequest>

/** A key in a list: never the key itself. */
export const ApiKey = object({
  id: Id,
  name: KeyName,
  scopes: listOf(oneOf(apiKeyScopes)),
  ends_with: Type.String({ pattern: '^[A-Za-z0-9_-]{4}$', description: 'The last characters of the key, to tell keys apart' }),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
})
export type ApiKey = Static<typeof ApiKey>

/** The response to its creation, the only time the key is shown. */
export const NewApiKey = object({
  key: Type.String({ pattern: `^${apiKeyPrefix}[A-Za-z0-9_-]{86}$`, description: 'Shown once; the service stores only a hash' }),
  api_key: ApiKey,
})
export type NewApiKey = Static<typeof NewApiKey>
