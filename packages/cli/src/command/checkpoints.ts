import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import type { CommandResult } from '@tandem/contract/command'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { stripControls } from '../terminal/terminal-text.ts'
import { utcSecond } from '../terminal/time.ts'

const usage = explainedUsage(
  'tandem checkpoints RUN|last [--take] [--json]',
  'Lists the recovery points of a run, newest first. --take: creates one of the current state.',
)

/** `tandem checkpoints`: the checkpoints a run can be restored to, newest first; `--take` creates one of the current state. */
export async function checkpoints(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { take: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || more.length > 0) return printUsage('specify one run, or last', usage)

  return await withRuntimeClient(process.cwd(), async (client) => {
    const named = await findRunId(client, wanted)
    if (named.ok && given.values.take)
      return sayTaken(await client.call('agent_run_create_checkpoint', { run_id: named.value }), given.values)
    const listed = named.ok ? await listAll(client, named.value) : named
    if (!listed.ok) {
      printRefusal(listed.error)
      return exitCodes.failed
    }
    if (given.values.json) for (const one of listed.value) console.log(JSON.stringify(one))
    else if (listed.value.length === 0) console.log(noneYet)
    else console.log(table(listed.value.map(rowOf)))
    return 0
  })
}

const noneYet = 'This run has no recovery points: none of its calls has changed anything. Create one with --take.'

function sayTaken(taken: CommandAnswer<CommandResult<'agent_run_create_checkpoint'>>, { json }: { readonly json: boolean }): number {
  if (!taken.ok) {
    printRefusal(taken.error)
    return exitCodes.failed
  }
  const { checkpoint, unprotected } = taken.value
  if (json) console.log(JSON.stringify(taken.value))
  else {
    console.log(table([rowOf(checkpoint)]))
    for (const text of unprotected) console.error(`        Not restored: ${stripControls(text)}`)
    console.log(`To restore it: tandem restore ${checkpoint.run_id} ${checkpoint.checkpoint_id}`)
  }
  return 0
}

/** `last` is the newest run, whatever its state: a finished one can be restored too. */
export async function findRunId(client: RuntimeClient, wanted: string): Promise<CommandAnswer<string>> {
  if (wanted !== 'last') {
    const found = await client.call('agent_run_get', { run_id: wanted })
    return found.ok ? { ok: true, value: found.value.run.run_id } : found
  }
  const listed = await client.call('agent_run_list', { limit: 1 })
  if (!listed.ok) return listed
  const [run] = listed.value.items
  const remedy = 'Start one with tandem run "…".'
  // Of a team, the run that the user started.
  return run
    ? { ok: true, value: run.team?.root_run_id ?? run.run_id }
    : { ok: false, error: { code: 'not_found', message: 'there are no runs yet', remedy } }
}

async function listAll(client: RuntimeClient, run_id: string): Promise<CommandAnswer<CheckpointSummary[]>> {
  const all: CheckpointSummary[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: CommandAnswer<CommandResult<'agent_run_list_checkpoints'>> = await client.call('agent_run_list_checkpoints', {
      run_id,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  }
  return { ok: true, value: all }
}

const kinds: Record<CheckpointSummary['restore_kind'], string> = {
  filesystem_snapshot: 'all files',
  manifest_snapshot: 'all file names; contents of small files, up to a limit',
  inventory_snapshot: 'files named in the command, and other files that the preview lists',
}

function rowOf(point: CheckpointSummary): string[] {
  const { checkpoint_id, name, created_at, tool, restore_kind, artifact_count, restored, contents_deleted_at } = point
  const when = utcSecond(created_at)
  const before = tool === null ? (name === 'safety_rollback_point' ? 'before a restore' : 'on demand') : `before ${tool}`
  const kept =
    contents_deleted_at === null
      ? `${kinds[restore_kind]} (${artifact_count} ${artifact_count === 1 ? 'path' : 'paths'})`
      : 'its files can no longer be restored'
  const states = [...(restored ? ['restored'] : []), ...backgroundState(point)]
  return [checkpoint_id, name.replaceAll('_', ' '), when, before, kept, states.join(', ')]
}

function backgroundState({ background }: CheckpointSummary): string[] {
  if (!background) return []
  if (background.closed_at === null) return ['still recording changes of the background command']
  const when = utcSecond(background.closed_at)
  return [
    background.late
      ? `recorded changes of the background command until ${when}; the command ended while Tandem was not running`
      : `recorded changes of the background command until it ended, ${when}`,
  ]
}
