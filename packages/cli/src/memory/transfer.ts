// `tandem memory export` and `import`.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type CommandResult, rpcLimits } from '@tandem/contract/command'
import type { MemoryExportPart } from '@tandem/contract/memory'
import { systemErrorText } from '@tandem/contract/system-error'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

export const exportUsage = explainedUsage(
  'tandem memory export [FILE|-] [--force] [--json]',
  'Writes all memories as JSON to a file that only you can read, or to standard output. --force: replace an existing file.',
)
export const importUsage = explainedUsage(
  'tandem memory import FILE|- [--json]',
  'Adds the memories, decisions and corrections from an export.',
)

/** To standard output, or to a file that only this user can read. */
export async function exportMemories(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { force: flag, json }, exportUsage)
  if (!given.ok) return given.code
  const [file = '-', ...more] = given.words
  if (file === '' || more.length > 0) return printUsage('specify at most one file', exportUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('memory_export', {})
    if (!answer.ok) return refused(answer.error)
    const { memories } = answer.value
    if (file === '-') {
      console.log(given.values.json ? JSON.stringify(answer.value) : answer.value.json)
      return 0
    }
    const failure = written(file, `${answer.value.json}\n`, given.values.force)
    if (failure !== null) {
      console.error(`tandem: ${escapeControls(file)} cannot be written: ${systemErrorText(failure)}`)
      console.error(`        ${isThere(failure) ? 'Choose another file, or replace this one with --force.' : 'Choose another file.'}`)
      return exitCodes.failed
    }
    if (given.values.json) console.log(JSON.stringify({ file, memories }))
    else console.log(`Exported ${counted(memories, 'memory', 'memories')} to ${escapeControls(file)}. Only you can read this file.`)
    return 0
  })
}

/** Null if it was written completely; otherwise nothing is left of it. */
function written(file: string, content: string, force: boolean): unknown {
  // An existing file keeps its permissions when it is written, so it is replaced.
  const path = force ? `${file}.${process.pid}.part` : file
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!isThere(error)) rmSync(path, { force: true })
    return error
  }
  if (!force) return null
  try {
    renameSync(path, file)
    return null
  } catch (error) {
    rmSync(path, { force: true })
    return error
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Exit code 1 if an item was refused. */
export async function importMemories(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, importUsage)
  if (!given.ok) return given.code
  const [file, ...more] = given.words
  if (file === undefined || file === '' || more.length > 0) return printUsage('specify one file, or - for standard input', importUsage)
  let content: string
  try {
    content = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    console.error(`tandem: ${escapeControls(file)} cannot be read: ${systemErrorText(error)}`)
    console.error('        Use a file that tandem memory export wrote.')
    return exitCodes.failed
  }
  const name = file === '-' ? 'standard input' : escapeControls(file)
  if (content.trim() === '') {
    console.error(`tandem: ${name} is empty`)
    console.error('        Use a file that tandem memory export wrote.')
    return exitCodes.failed
  }

  return await withRuntimeClient(process.cwd(), async (client) => {
    if (client.kind === 'attached' && Buffer.byteLength(JSON.stringify(content)) > rpcLimits.frame_bytes - 1_024) {
      console.error(`tandem: ${name} is too large to import while Tandem is running`)
      console.error('        Stop Tandem, import the file, then run tandem start again.')
      return exitCodes.failed
    }
    const answer = await client.call('memory_import', { json: content })
    if (!answer.ok) return refused({ ...answer.error, message: answer.error.message.replace('`json`', name), remedy: remedy(answer.error) })
    const { refused: left } = answer.value
    console.log(given.values.json ? JSON.stringify(answer.value) : importText(answer.value))
    for (const { part, position, reason } of left)
      console.error(`${nouns[part]} ${position + 1} was not imported: ${escapeControls(reason)}`)
    return left.length > 0 ? exitCodes.failed : 0
  })
}

const nouns: Record<MemoryExportPart, string> = {
  memories: 'Memory',
  versions: 'Earlier version',
  decisions: 'Decision',
  corrections: 'Correction',
}

function importText({ added, known, versions, decisions, corrections }: CommandResult<'memory_import'>): string {
  const others = [
    ...(versions > 0 ? [counted(versions, 'earlier version')] : []),
    ...(decisions > 0 ? [counted(decisions, 'decision')] : []),
    ...(corrections > 0 ? [counted(corrections, 'correction')] : []),
  ]
  return [
    `Added ${counted(added, 'memory', 'memories')}; ${known === 1 ? '1 was' : `${known} were`} already stored.`,
    ...(others.length > 0 ? [`Added ${others.join(', ')}.`] : []),
  ].join('\n')
}

function remedy({ code, remedy: usual }: { readonly code: string; readonly remedy: string }): string {
  return code === 'invalid_params' ? 'Use a file that tandem memory export wrote.' : usual
}
