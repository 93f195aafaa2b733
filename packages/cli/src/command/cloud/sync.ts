import type { CommandError, QuarantinedChange, SyncStatus } from '@tandem/contract/command'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { table } from '../../terminal/table.ts'
import { stripControls } from '../../terminal/terminal-text.ts'
import { utcSecond } from '../../terminal/time.ts'

const usage = `tandem sync [status|now] [--json] | tandem sync quarantine [retry|discard NUMBER] [--json]
  status       show the synchronization status
  now          synchronize now and show the result
  quarantine   list changes that the server rejected; send one again, or discard it`

/** `tandem sync`: the state of synchronization, and the changes that the server rejected. */
export async function sync(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json: { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [verb = 'status', what, number, ...more] = given.words
  const { json } = given.values
  if (more.length > 0) return printUsage(`unexpected argument "${more[0]}"`, usage)
  if (verb === 'status' || verb === 'now') {
    if (what !== undefined) return printUsage(`unexpected argument "${what}"`, usage)
    return await withRuntimeClient(process.cwd(), (client) => told(client, verb, json))
  }
  if (verb !== 'quarantine') return printUsage(`unknown action "${verb}"`, usage)
  if (what === undefined) return await withRuntimeClient(process.cwd(), (client) => list(client, json))
  const no = Number(number)
  if (what !== 'retry' && what !== 'discard') return printUsage(`use retry to send a change again, or discard to drop it`, usage)
  if (!Number.isInteger(no) || no < 1) return printUsage('specify the number that tandem sync quarantine shows', usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer =
      what === 'retry' ? await client.call('sync_retry_quarantined', { no }) : await client.call('sync_discard_quarantined', { no })
    if (!answer.ok) return refused(answer.error)
    if (json) console.log(JSON.stringify(answer.value.status))
    else
      console.log(
        `${what === 'retry' ? 'The change will be sent again' : 'The change was discarded: the version in your account is used'}. ${words(answer.value.status)}`,
      )
    return 0
  })
}

async function told(client: RuntimeClient, verb: 'status' | 'now', json: boolean): Promise<number> {
  const answer = verb === 'now' ? await client.call('sync_now', {}) : await client.call('sync_status', {})
  if (!answer.ok) return refused(answer.error)
  const { status } = answer.value
  if (json) console.log(JSON.stringify(status))
  else {
    console.log(words(status))
    for (const line of remarks(status)) console.log(line)
  }
  return verb === 'now' && ['offline', 'failed', 'signed_out'].includes(status.state) ? 1 : 0
}

function words({ text }: SyncStatus): string {
  return `Synchronization: ${stripControls(text)}.`
}

function remarks({ state, quarantined_changes, last_pull_ts }: SyncStatus): string[] {
  return [
    ...(state === 'signed_out' ? ['Sign in with tandem login. Everything that does not need an account works without signing in.'] : []),
    ...(last_pull_ts === null ? [] : [`Last received from the server: ${utcSecond(last_pull_ts)}.`]),
    ...(quarantined_changes === 0 ? [] : ['Show the changes that the server rejected, and why, with tandem sync quarantine.']),
  ]
}

async function list(client: RuntimeClient, json: boolean): Promise<number> {
  const items: QuarantinedChange[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('sync_list_quarantine', { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    if (!page.ok) return refused(page.error)
    items.push(...page.value.items)
    if (page.value.next_cursor === null) break
    cursor = page.value.next_cursor
  }
  if (json) for (const one of items) console.log(JSON.stringify(one))
  else if (items.length === 0) console.log('Nothing is in quarantine: the server accepted every change.')
  else console.log(table(items.map(({ no, entity_type, entity_id, code, message }) => [String(no), entity_type, entity_id, code, message])))
  return 0
}

function refused(error: CommandError): number {
  printRefusal(error)
  return 1
}
