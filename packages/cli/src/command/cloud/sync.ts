import type { CommandError, QuarantinedChange, SyncStatus } from '@tandem/contract/command'
import type { Desk } from '../../desk/desk.ts'
import { withDesk } from '../../desk/open.ts'
import { parsed, sayUsage } from '../../terminal/args.ts'
import { plain } from '../../terminal/plain.ts'
import { sayRefusal } from '../../terminal/refusal.ts'
import { table } from '../../terminal/table.ts'

const usage = `tandem sync [status|now] [--json] | tandem sync quarantine [retry|discard NUMBER] [--json]
  status       show the synchronization status
  now          synchronize now and show the result
  quarantine   list changes that the cloud rejected; send one again, or discard it`

/** `tandem sync`: the state of synchronization, and the changes that the cloud rejected. */
export async function sync(args: readonly string[]): Promise<number> {
  const given = parsed(args, { json: { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [verb = 'status', what, number, ...more] = given.words
  const { json } = given.values
  if (more.length > 0) return sayUsage(`unexpected argument "${more[0]}"`, usage)
  if (verb === 'status' || verb === 'now') {
    if (what !== undefined) return sayUsage(`unexpected argument "${what}"`, usage)
    return await withDesk(process.cwd(), (desk) => told(desk, verb, json))
  }
  if (verb !== 'quarantine') return sayUsage(`unknown action "${verb}"`, usage)
  if (what === undefined) return await withDesk(process.cwd(), (desk) => list(desk, json))
  const no = Number(number)
  if (what !== 'retry' && what !== 'discard') return sayUsage(`use retry to send a change again, or discard to drop it`, usage)
  if (!Number.isInteger(no) || no < 1) return sayUsage('specify the number that tandem sync quarantine shows', usage)
  return await withDesk(process.cwd(), async (desk) => {
    const answer =
      what === 'retry' ? await desk.call('sync_retry_quarantined', { no }) : await desk.call('sync_discard_quarantined', { no })
    if (!answer.ok) return refused(answer.error)
    if (json) console.log(JSON.stringify(answer.value.status))
    else
      console.log(
        `${what === 'retry' ? 'The change will be sent again' : 'The change was discarded: the version in the cloud is used'}. ${words(answer.value.status)}`,
      )
    return 0
  })
}

async function told(desk: Desk, verb: 'status' | 'now', json: boolean): Promise<number> {
  const answer = verb === 'now' ? await desk.call('sync_now', {}) : await desk.call('sync_status', {})
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
  return `Synchronization: ${plain(text)}.`
}

function remarks({ state, quarantined_changes, last_pull_ts }: SyncStatus): string[] {
  return [
    ...(state === 'signed_out' ? ['Sign in with tandem login. Everything that does not need the cloud works without signing in.'] : []),
    ...(last_pull_ts === null ? [] : [`Last received from the cloud: ${last_pull_ts.replace('T', ' ').slice(0, 19)} UTC.`]),
    ...(quarantined_changes === 0 ? [] : ['Show the changes that the cloud rejected, and why, with tandem sync quarantine.']),
  ]
}

async function list(desk: Desk, json: boolean): Promise<number> {
  const items: QuarantinedChange[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await desk.call('sync_list_quarantine', { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    if (!page.ok) return refused(page.error)
    items.push(...page.value.items)
    if (page.value.next_cursor === null) break
    cursor = page.value.next_cursor
  }
  if (json) for (const one of items) console.log(JSON.stringify(one))
  else if (items.length === 0) console.log('Nothing is in quarantine: the cloud accepted every change.')
  else console.log(table(items.map(({ no, entity_type, entity_id, code, message }) => [String(no), entity_type, entity_id, code, message])))
  return 0
}

function refused(error: CommandError): number {
  sayRefusal(error)
  return 1
}
