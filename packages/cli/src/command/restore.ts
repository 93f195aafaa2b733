import { resolve } from 'node:path'
import { conflictChoices, type RestoreGroup, type RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { CommandResult } from '@tandem/contract/command'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { escapeControls, stripControls } from '../terminal/terminal-text.ts'
import { findRunId } from './checkpoints.ts'
import { entryText, type Preview, previewText } from './restore-preview.ts'

const usage = explainedUsage(
  `tandem restore RUN|last CHECKPOINT [--preview] [--on-conflict ${conflictChoices.join('|')}] [--background all|PATH]… [--members] [--workspace DIR] [--json]`,
  'Restores files, calls and approvals to a recovery point. --preview: only shows what that would change.',
  '--on-conflict: what to do with files that were changed outside the run: stop (default), keep them, or overwrite them.',
  '--background: also restores what changed while background commands ran. --workspace: where the folder of the run is now, if it was moved.',
  '--members: also restores what members of its team changed in the folder of the run, if the run started them after the recovery point.',
)

type Restoring = CommandResult<'agent_run_restore_checkpoint'>
type Previewed = Extract<Restoring, { outcome: 'previewed' }>
type Restored = Extract<Restoring, { outcome: 'restored' }>

const options = {
  preview: { type: 'boolean', default: false },
  'on-conflict': { type: 'string', default: 'stop' },
  /** Whether changes made while background commands ran are restored as well: all of them, or these paths. */
  background: { type: 'string', multiple: true },
  /** Whether what members changed that the run started later is restored as well. */
  members: { type: 'boolean', default: false },
  /** The new location of the run's folder, if it was moved. */
  workspace: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** `tandem restore`: restores files, calls and approvals to a checkpoint; `--preview` only shows what that would do. */
export async function restore(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [wanted, checkpoint_id, ...more] = given.words
  if (wanted === undefined || checkpoint_id === undefined || more.length > 0) {
    return printUsage('specify one run and one of its recovery points; list them with tandem checkpoints RUN', usage)
  }
  const on_conflict = conflictChoices.find((choice) => choice === given.values['on-conflict'])
  if (!on_conflict) return printUsage(`--on-conflict must be one of ${conflictChoices.join(', ')}`, usage)
  const { preview, json } = given.values
  const background = selectionOf(given.values.background ?? [])
  const elsewhere = given.values.workspace === undefined ? {} : { workspace: resolve(given.values.workspace) }

  return await withRuntimeClient(process.cwd(), async (client) => {
    const named = await findRunId(client, wanted)
    if (!named.ok) return refused(named)
    const run_id = named.value
    const seen = preview ? await previewAll(client, { run_id, checkpoint_id, background, ...elsewhere }) : null
    if (seen) {
      if (!seen.ok) return refused(seen)
      console.log(json ? JSON.stringify({ run_id, checkpoint_id, ...seen.value }) : previewText(seen.value))
      return 0
    }
    const done = await client.call('agent_run_restore_checkpoint', {
      ...{ action: 'restore', run_id, checkpoint_id, on_conflict, background, members: given.values.members ? 'restore' : 'keep' },
      ...elsewhere,
    })
    if (!done.ok) {
      const code = refused(done)
      if (done.error.code === 'restore_conflict')
        console.error(`        List them with tandem restore ${run_id} ${checkpoint_id} --preview`)
      return code
    }
    if (json) console.log(JSON.stringify(done.value))
    else if (done.value.outcome === 'restored') sayRestored(done.value)
    return 0
  })
}

/** Paths are relative to this folder; a folder includes everything in it. */
function selectionOf(given: readonly string[]): 'none' | 'all' | string[] {
  if (given.includes('all')) return 'all'
  return given.length === 0 ? 'none' : given.map((path) => resolve(path))
}

interface Previewing {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly background: 'none' | 'all' | string[]
  readonly workspace?: string
}

export async function previewAll(client: RuntimeClient, previewing: Previewing): Promise<CommandAnswer<Preview>> {
  const calls = await previewGroup(client, previewing, 'calls')
  if (!calls.ok) return calls
  const group = await previewGroup(client, previewing, 'background')
  if (!group.ok) return group
  const { counts, notes, background, members } = calls.value.page
  return {
    ok: true,
    value: { counts, notes, members, entries: calls.value.entries, background: { ...background, entries: group.value.entries } },
  }
}

async function previewGroup(
  client: RuntimeClient,
  previewing: Previewing,
  group: RestoreGroup,
): Promise<CommandAnswer<{ readonly page: Previewed; readonly entries: RestorePreviewEntry[] }>> {
  const entries: RestorePreviewEntry[] = []
  const ask = (cursor: string | null) =>
    client.call('agent_run_restore_checkpoint', {
      // Diffs are requested for the first page only: more is not useful in a terminal.
      ...{ action: 'preview' as const, ...previewing, group, limit: 200, diffs: cursor === null },
      ...(cursor === null ? {} : { cursor }),
    })
  for (let cursor: string | null = null; ; ) {
    const answer: CommandAnswer<Restoring> = await ask(cursor)
    if (!answer.ok) return answer
    const page = answer.value as Previewed
    entries.push(...page.entries.items)
    cursor = page.entries.next_cursor
    if (cursor === null) return { ok: true, value: { page, entries } }
  }
}

function sayRestored(restored: Restored): void {
  const { run_id, checkpoint_id, safety_checkpoint_id, counts, background, left_alone, members, failure_contract } = restored
  const { created, changed, deleted } = counts
  console.log(
    `Restored: ${created} removed, ${changed} reverted, ${deleted} restored. The run is paused. Resume it with tandem resume ${run_id}`,
  )
  for (const entry of left_alone) console.log(entryText(entry))
  for (const { title, counts: member, left_alone: left } of members) {
    console.log(
      `Changes of the member ${escapeControls(title)}: ${member.created} removed, ${member.changed} reverted, ${member.deleted} restored.`,
    )
    for (const entry of left) console.log(entryText(entry))
  }
  if (background.left > 0) {
    const paths = background.left === 1 ? '1 path that changed' : `${background.left} paths that changed`
    console.log(`Left untouched: ${paths} while background commands ran. To restore what they changed:`)
    console.log(`        tandem restore ${run_id} ${checkpoint_id} --background all`)
  }
  if (failure_contract) console.error(`tandem: ${stripControls(failure_contract.details.message)}`)
  console.log(`To undo: tandem restore ${run_id} ${safety_checkpoint_id}`)
  for (const member of members.toReversed()) console.log(`   then: tandem restore ${member.run_id} ${member.safety_checkpoint_id}`)
}

function refused({ error }: Extract<CommandAnswer<unknown>, { ok: false }>): number {
  printRefusal(error)
  return error.code === 'invalid_params' ? exitCodes.usage : exitCodes.failed
}
