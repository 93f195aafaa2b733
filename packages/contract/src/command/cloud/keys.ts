import { ApiKey, ApiKeyRequest, NewApiKey } from '../../auth/schema.ts'
import { Id, object, pageOf } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'

const of = object({ key_id: Id })

export const keyCommands = {
  account_key_list: {
    summary: 'List the API keys of the account, newest first, with their last use.',
    params: listParams({}),
    result: pageOf(ApiKey),
  },
  account_key_create: {
    summary: 'Create an API key. The result is the only place where the key is ever shown.',
    params: object(ApiKeyRequest.properties),
    result: NewApiKey,
  },
  account_key_revoke: {
    summary: 'Revoke an API key. It stops working immediately.',
    params: of,
    result: of,
  },
} satisfies Record<string, Command>
