// The API keys of the account. A new key is returned once and never stored here.
import type { ApiKey, ApiKeyRequest, NewApiKey } from '@tandem/contract/auth'
import type { Account } from './account.ts'
import type { CloudResult } from './cloud-result.ts'

export interface ApiKeys {
  list(page: { readonly limit?: number; readonly cursor?: string }): Promise<CloudResult<{ items: ApiKey[]; next_cursor: string | null }>>
  create(request: ApiKeyRequest): Promise<CloudResult<NewApiKey>>
  revoke(key_id: string): Promise<CloudResult<unknown>>
}

const path = '/api/v1/users/keys'

export function openApiKeys(account: Pick<Account, 'call'>): ApiKeys {
  return {
    async list({ limit, cursor }) {
      const query = new URLSearchParams({
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      return await account.call({ method: 'GET', path: `${path}?${query}` })
    },
    create: (request) => account.call({ method: 'POST', path, json: request }),
    revoke: (key_id) => account.call({ method: 'DELETE', path: `${path}/${encodeURIComponent(key_id)}` }),
  }
}
