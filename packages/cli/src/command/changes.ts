import { relative } from 'node:path'
import type { ChangedFile, CommandParams, CommandResult, DiffSliceLine } from '@tandem/contract/command'
import { findConversation } from '../run/conversation.ts'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

const usage = explainedUsage(
  'tandem changes [CONVERSATION|last] [--run RUN] [--diff] [--json]',
  'Lists the files that the runs of a conversation changed, from their first recovery point to now; without CONVERSATION, of the newest one.',
  '--run: only what this run changed. --diff: prints the changed lines, too.',
)

type Listed = CommandResult<'changes_get'>
type Scope = Pick<CommandParams<'changes_get'>, 'conversation_id' | 'run_id'>

/** `tandem changes`: what a conversation changed, as a list or as a diff. */
export async function changes(args: readonly string[]): Promise<number> {
  const options = { run: { type: 'string' }, diff: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const
  const given = parseArguments(args, options, usage)
  if (!given.ok) return given.code
  const [wanted = 'last', ...more] = given.words
  if (more.length > 0) return printUsage('specify at most one conversation', usage)
  const { run, diff, json } = given.values

  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = await findConversation(client, wanted)
    const scope = found.ok && { conversation_id: found.value.conversation_id, ...(run === undefined ? {} : { run_id: run }) }
    const listed = scope ? await listAll(client, scope) : found
    if (!listed.ok || !scope) {
      if (!listed.ok) printRefusal(listed.error)
      return exitCodes.failed
    }
    const all = listed.value as readonly Listed[]
    const files = all.flatMap(({ items }) => items)
    if (json) return await printJson(client, scope, all, diff)
    const [first] = all
    if (first) printSummary(first, files)
    if (diff && first) for (const file of files) if (!(await printDiff(client, scope, first, file))) return exitCodes.failed
    return 0
  })
}

async function listAll(client: RuntimeClient, scope: Scope): Promise<CommandAnswer<readonly Listed[]>> {
  const pages: Listed[] = []
  let next: Pick<CommandParams<'changes_get'>, 'cursor' | 'snapshot'> | null = {}
  while (next) {
    const page: CommandAnswer<Listed> = await client.call('changes_get', { ...scope, ...next, limit: 200, lines: true })
    if (!page.ok) return page
    pages.push(page.value)
    const { next_cursor, snapshot }: Listed = page.value
    next = next_cursor === null ? null : { cursor: next_cursor, snapshot }
  }
  return { ok: true, value: pages }
}

function printSummary(
  { counts, conflicts, missing_folders, incomplete, repository_files, folders }: Listed,
  files: readonly ChangedFile[],
): void {
  const parts = Object.entries(counts).flatMap(([change, number]) => (number > 0 ? [`${number} ${change}`] : []))
  if (files.length === 0) console.log('No files changed.')
  else {
    console.log(table(files.map((file) => rowOf(file, folders))))
    console.log(`${files.length} ${files.length === 1 ? 'file' : 'files'}: ${parts.join(', ')}`)
  }
  const warn = (text: string) => console.error(styled('yellow', text))
  if (conflicts > 0) warn(`${conflicts} ${conflicts === 1 ? 'file was' : 'files were'} changed by others since.`)
  if (repository_files > 0) console.error(`${repository_files} files of version control (.git) changed too.`)
  if (incomplete) warn('Older recovery points were deleted. Changes before the oldest one are not listed.')
  for (const folder of missing_folders) warn(`The folder ${escapeControls(folder)} no longer exists, so its files cannot be compared.`)
}

function nameOf(path: string, folders: readonly string[]): string {
  const folder = folders.find((one) => path.startsWith(`${one}/`))
  return escapeControls(folder === undefined || folders.length > 1 ? path : relative(folder, path))
}

function rowOf({ path, from, change, lines, undo, reason, mode }: ChangedFile, folders: readonly string[]): string[] {
  const counted = lines ? `+${lines.added} -${lines.removed}` : ''
  const notes = [
    from === undefined ? '' : `from ${nameOf(from, folders)}`,
    mode ? `permissions ${mode.before.toString(8)} to ${mode.after.toString(8)}` : '',
    undo === 'possible' ? '' : (reason ?? ''),
  ]
  return [change, nameOf(path, folders), counted, escapeControls(notes.filter((note) => note !== '').join('; '))]
}

async function readDiff(client: RuntimeClient, scope: Scope, snapshot: string, path: string) {
  const lines: DiffSliceLine[] = []
  for (let from: number | null = 0; from !== null; ) {
    const part: CommandAnswer<CommandResult<'changes_diff'>> = await client.call('changes_diff', { ...scope, snapshot, path, from })
    if (!part.ok) return part
    const { diff }: CommandResult<'changes_diff'> = part.value
    if (diff.kind === 'none') return { ok: true as const, value: { kind: 'none' as const, why: diff.why } }
    lines.push(...diff.lines)
    from = diff.next
  }
  return { ok: true as const, value: { kind: 'text' as const, lines } }
}

const reasons: Readonly<Record<string, string>> = {
  binary: 'Binary file',
  too_large: 'Too large for a diff',
  same_text: 'The same text in another encoding',
  permissions_only: 'The content is the same',
  unreadable: 'The content cannot be read',
}

async function printDiff(client: RuntimeClient, scope: Scope, { snapshot, folders }: Listed, file: ChangedFile): Promise<boolean> {
  const read = await readDiff(client, scope, snapshot, file.path)
  if (!read.ok) {
    printRefusal(read.error)
    return false
  }
  const bold = (text: string) => console.log(styled('bold', text, process.stdout))
  console.log('')
  bold(`--- ${file.change === 'added' ? '/dev/null' : `a/${nameOf(file.from ?? file.path, folders)}`}`)
  bold(`+++ ${file.change === 'removed' ? '/dev/null' : `b/${nameOf(file.path, folders)}`}`)
  if (read.value.kind === 'none') console.log(reasons[read.value.why] ?? read.value.why)
  else for (const line of patchLines(read.value.lines)) console.log(line)
  return true
}

/** The rows as the hunks of a unified diff. */
export function patchLines(rows: readonly DiffSliceLine[]): readonly string[] {
  const hunks: DiffSliceLine[][] = [[]]
  for (const row of rows) {
    if (row.kind === 'gap') hunks.push([])
    else hunks.at(-1)?.push(row)
  }
  return hunks.filter((hunk) => hunk.length > 0).flatMap((hunk) => [styled('cyan', headOf(hunk), process.stdout), ...hunk.map(lineOf)])
}

function headOf(hunk: readonly DiffSliceLine[]): string {
  const side = (name: 'before' | 'after') => {
    const numbers = hunk.flatMap((row) => (row[name] === null ? [] : [row[name]]))
    return `${numbers[0] ?? 0},${numbers.length}`
  }
  return `@@ -${side('before')} +${side('after')} @@`
}

function lineOf({ kind, text, cut }: DiffSliceLine): string {
  const shown = escapeControls(text) + (cut ? '…' : '')
  if (kind === 'after') return styled('green', `+${shown}`, process.stdout)
  if (kind === 'before') return styled('red', `-${shown}`, process.stdout)
  return kind === 'note' ? `\\ ${shown}` : ` ${shown}`
}

/** One object per file; with `--diff`, each with its rows. */
async function printJson(client: RuntimeClient, scope: Scope, all: readonly Listed[], diff: boolean): Promise<number> {
  for (const { items, snapshot } of all) {
    for (const file of items) {
      const read = diff ? await readDiff(client, scope, snapshot, file.path) : null
      if (read && !read.ok) {
        printRefusal(read.error)
        return exitCodes.failed
      }
      console.log(JSON.stringify(read ? { ...file, diff: read.value } : file))
    }
  }
  return 0
}
