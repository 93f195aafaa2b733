// The API keys of an account: create, list, revoke. Requires a session.

import type { ApiKey, ApiKeyRequest, NewApiKey } from '@tandem/contract/auth'
import { limits } from '@tandem/contract/limits'
import { setCurrentUser } from '../database/database.ts'
import { newId } from '../http/id.ts'
import { idCursor, type Page, pageOf, pageSize } from '../http/page.ts'
import { refuse } from '../http/refusal.ts'
import { newApiKey } from '../token/api-key.ts'
import type { Caller } from '../token/tokens.ts'
import type { AccountServices } from './accounts.ts'
import { createKey, deleteKey, listKeys } from './key-store.ts'

export async function addKey(services: AccountServices, { user_id }: Caller, request: ApiKeyRequest): Promise<NewApiKey> {
  const { database, log, now } = services
  const key_id = newId(now())
  const scopes = [...new Set(request.scopes)]
  const { key, hash, ends_with } = newApiKey(user_id, key_id)
  const api_key = await database.asAccounts(async (sql) => {
    await setCurrentUser(sql, user_id)
    return createKey(sql, { user_id, key_id, hash, ends_with, name: request.name, scopes }, limits.api_keys, now())
  })
  if (!api_key) throw refuse('limit_reached', `an account can have at most ${limits.api_keys} API keys`)
  log.info({ user_id, key_id, scopes }, 'API key created')
  return { key, api_key }
}

export async function readKeys(
  { database }: AccountServices,
  { user_id }: Caller,
  query: { readonly limit?: number; readonly cursor?: string },
): Promise<Page<ApiKey>> {
  const size = pageSize(query)
  const after = idCursor('api_keys', query.cursor)
  const keys = await database.asAccounts(async (sql) => {
    await setCurrentUser(sql, user_id)
    return listKeys(sql, user_id, after, size)
  })
  return pageOf('api_keys', keys, size, ({ id }) => [id])
}

export async function revokeKey({ database, log }: AccountServices, { user_id }: Caller, keyId: string): Promise<void> {
  const revoked = await database.asAccounts(async (sql) => {
    await setCurrentUser(sql, user_id)
    return deleteKey(sql, user_id, keyId)
  })
  if (!revoked) throw refuse('not_found', `there is no API key ${keyId}`)
  log.info({ user_id, key_id: keyId }, 'API key revoked')
}
