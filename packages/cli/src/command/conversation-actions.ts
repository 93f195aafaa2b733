// `tandem conversations delete`, `restore`, `pin` and `unpin`.
import type { Conversation, DeletionPreview } from '@tandem/contract/command'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, isId, json } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'

const conversationActions = ['delete', 'restore', 'pin', 'unpin'] as const
type ConversationAction = (typeof conversationActions)[number]

export const actionUsage = joinUsages(
  explainedUsage(
    'tandem conversations delete ID... [--stop] [--yes] [--json]',
    'Deletes conversations with their branches: they disappear from all your devices at once. You can restore them for 24 hours; then they are',
    'erased from this device with their recovery points. The cloud keeps synchronized messages and steps until you delete your account.',
    'It asks first; without a terminal it needs --yes. --stop: stop their runs first.',
  ),
  explainedUsage(
    'tandem conversations restore ID... [--json]',
    'Restores deleted conversations that are not erased yet, with their branches.',
  ),
  explainedUsage('tandem conversations pin ID... [--json]', 'Keeps conversations at the top of the list.'),
  explainedUsage('tandem conversations unpin ID... [--json]', 'Lists them by date again.'),
)

export const isConversationAction = (word: string | undefined): word is ConversationAction =>
  conversationActions.some((action) => action === word)

export async function actOnConversations(action: ConversationAction, args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { stop: flag, yes: flag, json }, actionUsage)
  if (!given.ok) return given.code
  const ids = [...new Set(given.words)]
  if (ids.length === 0 || !ids.every(isId)) return printUsage('specify conversations by their ids, from tandem conversations', actionUsage)
  const { stop, yes, json: asJson } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    if (action === 'delete') return await remove(client, ids, { stop, yes, asJson })
    if (action === 'restore') return await restore(client, ids, asJson)
    for (const conversation_id of ids) {
      const answer = await client.call('conversation_pin', { conversation_id, pinned: action === 'pin' })
      if (!answer.ok) return refused(answer.error)
      print(answer.value.conversation, asJson, pinnedText)
    }
    return 0
  })
}

interface RemoveOptions {
  readonly stop: boolean
  readonly yes: boolean
  readonly asJson: boolean
}

async function remove(client: RuntimeClient, conversation_ids: string[], { stop, yes, asJson }: RemoveOptions): Promise<number> {
  if (!yes) {
    const seen = await client.call('conversation_preview_delete', { conversation_ids })
    if (!seen.ok) return refused(seen.error)
    console.error(previewText(seen.value))
    const answer = await confirm(`Delete ${counted(seen.value.conversation_ids.length, 'conversation')}?`)
    if (answer !== 'yes') {
      console.error(`tandem: ${answer === null ? 'without a terminal, delete needs --yes. Nothing was deleted.' : 'nothing was deleted'}`)
      return answer === null ? exitCodes.usage : exitCodes.failed
    }
  }
  const done = await client.call('conversation_delete', { conversation_ids, ...(stop ? { stop } : {}) })
  if (!done.ok) return refused(done.error, stop ? undefined : 'Stop its runs first, or use --stop.')
  print(done.value, asJson, ({ conversation_ids: ids, erased_from }) =>
    [
      `Deleted ${counted(ids.length, 'conversation')}. Erased from this device after ${utcMinute(erased_from)}.`,
      `Undo: tandem conversations restore ${conversation_ids.join(' ')}`,
    ].join('\n'),
  )
  return 0
}

async function restore(client: RuntimeClient, conversation_ids: string[], asJson: boolean): Promise<number> {
  const done = await client.call('conversation_restore', { conversation_ids })
  if (!done.ok) return refused(done.error)
  print(done.value, asJson, ({ conversation_ids: ids }) => `Restored ${counted(ids.length, 'conversation')}.`)
  return 0
}

function print<Value>(value: Value, asJson: boolean, text: (value: Value) => string): void {
  console.log(asJson ? JSON.stringify(value) : text(value))
}

function previewText({
  conversation_ids,
  open_run_ids,
  recovery_points,
  memories,
  signed_out,
  unmerged_copies: copies,
}: DeletionPreview): string {
  return [
    `${counted(conversation_ids.length, 'conversation')} with branches, ${counted(recovery_points, 'recovery point')}.`,
    ...(open_run_ids.length > 0 ? [`${counted(open_run_ids.length, 'run')} still open: use --stop.`] : []),
    ...(memories > 0 ? [`${counted(memories, 'memory', 'memories')} learned there: kept, without the quotes.`] : []),
    ...(copies.length > 0
      ? [`${counted(copies.length, 'copy', 'copies')} of folders with changes that were not merged: kept until you discard them.`]
      : []),
    ...copies.map(copyText),
    ...(signed_out ? ['You are signed out: your other devices keep them unless you sign in here within 24 hours.'] : []),
    'They can be restored for 24 hours. The cloud keeps synchronized messages and steps until you delete your account.',
  ].join('\n')
}

function copyText({ run_id, title, changed_paths }: DeletionPreview['unmerged_copies'][number]): string {
  const changed = changed_paths === null || changed_paths === 0 ? '' : `, ${counted(changed_paths, 'changed file')}`
  return `  ${escapeControls(title)}${changed}: tandem team discard ${run_id}`
}

function pinnedText({ title, pinned }: Conversation): string {
  return `${pinned ? 'Pinned' : 'Unpinned'} ${escapeControls(title)}`
}
