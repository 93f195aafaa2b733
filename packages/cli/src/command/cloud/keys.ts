import { type ApiKey, type ApiKeyScope, apiKeyScopes } from '@tandem/contract/auth'
import type { CommandError } from '@tandem/contract/command'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { table } from '../../terminal/table.ts'
import { stripControls } from '../../terminal/terminal-text.ts'
import { utcMinute } from '../../terminal/time.ts'

const usage = `tandem keys [list] [--json] | tandem keys create NAME --scope SCOPE [--scope SCOPE] [--json] | tandem keys revoke KEY [--json]
  API keys of the account, for programs that call the server.
  create   print a new key. It is shown only once
  revoke   revoke a key immediately. KEY is its id or its name
  --scope  what the key may be used for: gateway (models) or sync (synchronization)`

const options = {
  scope: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const

/** `tandem keys`: lists, creates and revokes the API keys of the account. */
export async function keys(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [verb = 'list', word, ...more] = given.words
  const { json, scope = [] } = given.values
  if (!['list', 'create', 'revoke'].includes(verb)) return printUsage(`unknown action "${verb}"`, usage)
  if (more.length > 0 || (verb === 'list' && word !== undefined)) return printUsage(`unexpected argument "${more[0] ?? word}"`, usage)
  if (verb !== 'create' && scope.length > 0) return printUsage('--scope is only valid with create', usage)
  if (verb === 'list') return await withRuntimeClient(process.cwd(), (client) => list(client, json))
  if (!word)
    return printUsage(verb === 'create' ? 'give the key a name' : 'specify the key to revoke; list the keys with tandem keys', usage)
  if (verb === 'revoke') return await withRuntimeClient(process.cwd(), (client) => revoke(client, word, json))
  const unknown = scope.find((one) => !isScope(one))
  if (unknown !== undefined) return printUsage(`there is no scope "${unknown}": choose ${apiKeyScopes.join(' or ')}`, usage)
  if (scope.length === 0) return printUsage(`choose what the key can be used for with --scope ${apiKeyScopes.join(' or --scope ')}`, usage)
  const scopes = apiKeyScopes.filter((one) => scope.includes(one))
  return await withRuntimeClient(process.cwd(), (client) => create(client, word, scopes, json))
}

async function list(client: RuntimeClient, json: boolean): Promise<number> {
  const listed = await allKeys(client)
  if (!listed.ok) return refused(listed.error)
  if (json) for (const one of listed.value) console.log(JSON.stringify(one))
  else if (listed.value.length === 0) console.log('There are no API keys. Create one with tandem keys create NAME --scope gateway.')
  else console.log(table(listed.value.map(rowOf)))
  return 0
}

/** Only the key goes to standard output, so that it can be piped. */
async function create(client: RuntimeClient, name: string, scopes: ApiKeyScope[], json: boolean): Promise<number> {
  const answer = await client.call('account_key_create', { name, scopes })
  if (!answer.ok) return refused(answer.error)
  console.log(json ? JSON.stringify(answer.value) : answer.value.key)
  if (!json) console.error('Store this key now: it cannot be shown again. Revoke it with tandem keys revoke.')
  return 0
}

async function revoke(client: RuntimeClient, wanted: string, json: boolean): Promise<number> {
  const listed = await allKeys(client)
  if (!listed.ok) return refused(listed.error)
  const [one, second] = listed.value.filter(({ id, name }) => id === wanted || name === wanted)
  if (!one || second) {
    console.error(
      `tandem: ${one ? 'several keys have' : 'no key has'} the name or id "${stripControls(wanted)}". List the keys with tandem keys.`,
    )
    return 1
  }
  const answer = await client.call('account_key_revoke', { key_id: one.id })
  if (!answer.ok) return refused(answer.error)
  console.log(json ? JSON.stringify(answer.value) : `The key "${stripControls(one.name)}" (…${one.ends_with}) was revoked.`)
  return 0
}

type Listed = { readonly ok: true; readonly value: readonly ApiKey[] } | { readonly ok: false; readonly error: CommandError }

async function allKeys(client: RuntimeClient): Promise<Listed> {
  const items: ApiKey[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('account_key_list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    if (!page.ok) return page
    items.push(...page.value.items)
    if (page.value.next_cursor === null) return { ok: true, value: items }
    cursor = page.value.next_cursor
  }
}

function rowOf({ id, name, scopes, ends_with, last_used_at }: ApiKey): string[] {
  const used = last_used_at === null ? 'never used' : `last used ${utcMinute(last_used_at)}`
  return [name, `…${ends_with}`, scopes.join(', '), used, id]
}

function isScope(word: string): word is ApiKeyScope {
  return (apiKeyScopes as readonly string[]).includes(word)
}

function refused(error: CommandError): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? 2 : 1
}
