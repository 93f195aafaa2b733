// `tandem team copies` and `discard`.
import type { WorkspaceCopy } from '@tandem/contract/team'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, isId, json } from '../terminal/options.ts'
import { counted, sizeText } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { titleText } from './text.ts'

export const copiesUsage = explainedUsage(
  'tandem team copies [--json]',
  'Lists the copies of folders that members of teams work in, with their age and size. One that was not merged is kept until you discard it.',
)
export const discardUsage = explainedUsage(
  'tandem team discard RUN [--yes] [--json]',
  'Deletes the copy that a member worked in, with all changes that were not merged. It asks first; without a terminal it needs --yes.',
)

const none = 'There are no copies.'

export async function copies(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, copiesUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, copiesUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('team_get_copies', {})
    if (!answer.ok) return refused(answer.error)
    const { copies: all, used_bytes, quota_bytes } = answer.value
    if (given.values.json) for (const copy of all) console.log(JSON.stringify(copy))
    else console.log(all.length === 0 ? none : table(all.map(rowOf)))
    if (!given.values.json && all.length > 0) console.log(`${sizeText(used_bytes)} of ${sizeText(quota_bytes)} used`)
    return 0
  })
}

export async function discard(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { yes: flag, json }, discardUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  const oneCopy = 'specify the run whose copy is deleted, by its id. List the copies with tandem team copies.'
  if (!isId(run_id) || more.length > 0) return printUsage(oneCopy, discardUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const listed = await client.call('team_get_copies', {})
    if (!listed.ok) return refused(listed.error)
    const copy = listed.value.copies.find((one) => one.run_id === run_id)
    const what = copy ? `the copy of ${titleText(copy)} (${sizeText(copy.bytes)}, ${states[copy.state]})` : `the copy of ${run_id}`
    const sure = given.values.yes ? 'yes' : await confirm(`Delete ${what} with all changes that were not merged?`)
    if (sure !== 'yes') {
      console.error(`tandem: ${sure === null ? 'without a terminal, discard needs --yes. Nothing was deleted.' : 'nothing was deleted'}`)
      return sure === null ? exitCodes.usage : exitCodes.failed
    }
    const answer = await client.call('team_discard_copy', { run_id })
    if (!answer.ok) return refused(answer.error, 'List the copies with tandem team copies.')
    console.log(given.values.json ? JSON.stringify(answer.value) : `Deleted. ${sizeText(answer.value.freed_bytes)} freed.`)
    return 0
  })
}

const states: Record<WorkspaceCopy['state'], string> = { in_use: 'in use', unmerged: 'not merged', merged: 'merged' }

function rowOf(copy: WorkspaceCopy): string[] {
  const { run_id, state, bytes, files, created_at, copied_from } = copy
  const size = `${sizeText(bytes)}, ${counted(files, 'file')}`
  return [run_id, titleText(copy), states[state], `created ${utcMinute(created_at)}`, size, `copy of ${escapeControls(copied_from)}`]
}
