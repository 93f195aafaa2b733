// The preview of a command: where it runs, and what each part of it does.
import { type CallPreview, cutText, previewLimits } from '@tandem/contract/run'
import type { PreviewContext } from '../../call/context.ts'
import { displayPath } from '../../path/inside.ts'
import { type CommandPart, explainCommand } from '../../policy/shell/explain.ts'

export interface PreviewedCommand {
  readonly command: string
  /** Null for shell text. */
  readonly language: string | null
  /** Whether `command` is the code to run, or the command line of a script file. */
  readonly source: boolean
  /** The arguments of a script given as source. */
  readonly args?: readonly string[]
  readonly cwd?: string
  readonly background?: boolean
  /** The remote executor on which it runs, in a folder of its own. */
  readonly executor?: string
  readonly send_files?: readonly string[]
  readonly fetch_files?: readonly string[]
}

export async function commandPreview(of: PreviewedCommand, context: PreviewContext): Promise<CallPreview> {
  const { command, language, source, cwd = '.', background = false, executor, send_files = [], fetch_files = [] } = of
  const folder = executor === undefined ? displayPath((await context.files.stat(cwd)).real, context) : `a new folder on ${executor}`
  const { text, cut } = cutText(command, previewLimits.text_characters)
  return {
    kind: 'command',
    command: text,
    command_truncated: cut,
    language,
    source,
    cwd: folder,
    background,
    parts: await partsOf(of),
    ...(executor === undefined ? {} : { remote: { name: executor, sends: [...send_files], fetches: [...fetch_files] } }),
  }
}

async function partsOf({ command, language, source, args = [] }: PreviewedCommand): Promise<CommandPart[]> {
  const short = (text: string) => cutText(text, previewLimits.body_characters).text
  if (!source) return [{ text: short(command), explains: 'Runs the code in this file. It is not shown here.' }]
  const given = args.length === 0 ? [] : [{ text: short(args.join(' ')), explains: 'The arguments of the script.' }]
  const isShell = language === null || language === 'bash' || language === 'sh'
  return [...given, ...(isShell ? await explainCommand(command) : [])].slice(0, previewLimits.parts)
}
