import { LoginRequest, LogoutRequest, PasswordChange, RefreshRequest, RegisterRequest, Session } from '../../auth/schema.ts'
import { limits } from '../../limits/index.ts'
import { route } from '../route.ts'
import { ids, profile } from './sample.ts'

const session = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMTk5NmYyZSJ9.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: limits.access_token_seconds,
  refresh_token: `${ids.user}.q8vJr0mXy3WcP5sT1uZa`,
  session_id: ids.session,
  user: profile,
}

export const authRoutes = {
  auth_register: route({
    id: 'auth_register',
    method: 'POST',
    path: '/api/v1/auth/register',
    tag: 'auth',
    summary: 'Register a user',
    description: 'Creates the account and signs in. If addresses must be confirmed first, the response is email_unconfirmed.',
    auth: 'none',
    body: RegisterRequest,
    replies: { 201: Session },
    problems: ['email_taken', 'weak_password', 'email_unconfirmed', 'database_unavailable', 'cache_unavailable', 'accounts_unavailable'],
    rate: 'auth',
    examples: {
      body: { email: 'mara@example.org', password: 'four green lanterns', display_name: 'Mara Lind', device_id: 'mara-laptop' },
      reply: session,
    },
  }),
  auth_login: route({
    id: 'auth_login',
    method: 'POST',
    path: '/api/v1/auth/login',
    tag: 'auth',
    summary: 'Sign in',
    auth: 'none',
    body: LoginRequest,
    replies: { 200: Session },
    problems: ['invalid_credentials', 'email_unconfirmed', 'database_unavailable', 'cache_unavailable', 'accounts_unavailable'],
    rate: 'login',
    examples: { body: { email: 'mara@example.org', password: 'four green lanterns', device_id: 'mara-laptop' }, reply: session },
  }),
  auth_refresh: route({
    id: 'auth_refresh',
    method: 'POST',
    path: '/api/v1/auth/refresh',
    tag: 'auth',
    summary: 'Exchange a refresh token for new tokens',
    description:
      'The refresh token changes with each use. The previous one is still accepted for a few seconds, or until its successor is used; ' +
      'any other reuse ends the session.',
    auth: 'none',
    body: RefreshRequest,
    replies: { 200: Session },
    problems: [
      'invalid_token',
      'token_expired',
      'session_ended',
      'refresh_token_reused',
      'database_unavailable',
      'cache_unavailable',
      'accounts_unavailable',
    ],
    rate: 'refresh',
    examples: { body: { refresh_token: `${ids.user}.n2LdK7bGe9HfR4oV6iQx` }, reply: session },
  }),
  auth_logout: route({
    id: 'auth_logout',
    method: 'POST',
    path: '/api/v1/auth/logout',
    tag: 'auth',
    summary: 'End this session, or all sessions of the account',
    auth: 'user',
    body: LogoutRequest,
    body_optional: true,
    replies: { 204: { content: 'none' } },
    problems: ['accounts_unavailable'],
    rate: 'write',
    examples: { body: { scope: 'session' } },
  }),
  auth_password: route({
    id: 'auth_password',
    method: 'POST',
    path: '/api/v1/auth/password',
    tag: 'auth',
    summary: 'Change your password',
    description: 'Ends all other sessions of the account and revokes its API keys. This session continues.',
    auth: 'user',
    body: PasswordChange,
    replies: { 204: { content: 'none' } },
    problems: ['wrong_password', 'weak_password', 'cache_unavailable', 'accounts_unavailable'],
    rate: 'write',
    examples: { body: { current_password: 'four green lanterns', new_password: 'seven slow rivers at dusk' } },
  }),
}
