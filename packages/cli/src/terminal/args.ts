// The arguments of a command. Unknown ones are refused with the usage; nothing is guessed.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { columnsOf } from './style.ts'
import { wrapped } from './wrapped-text.ts'

export type ParsedArguments<Options extends ParseArgsOptionsConfig> =
  | { readonly ok: true; readonly values: Values<Options>; readonly words: readonly string[] }
  /** Already reported; the exit code. */
  | { readonly ok: false; readonly code: number }

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true; strict: true }>
>['values']

export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
): ParsedArguments<Options> {
  if (wantsHelp(args)) {
    console.log(fitted(`usage: ${usage}`, process.stdout))
    return { ok: false, code: 0 }
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    return { ok: true, values, words: positionals }
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split('. ', 1)
    return { ok: false, code: printUsage(why ?? '', usage) }
  }
}

/** A longer usage is shortened to how the command is called, so that the problem stays in view. */
const mostLines = 6

export function printUsage(why: string, usage: string): number {
  console.error(fitted(`tandem: ${why}`, process.stderr))
  const lines = `usage: ${usage}`.split('\n')
  const calls = lines.length <= mostLines ? lines : lines.filter((line) => callLine.test(line))
  console.error(fitted(calls.join('\n'), process.stderr))
  const [name] = /^tandem \S+/.exec(usage) ?? []
  if (calls.length < lines.length && name) console.error(`For details, run ${name} --help.`)
  return 2
}

const callLine = /^(?:usage: | {7})tandem /

/** What programs read stays as it is. */
function fitted(text: string, stream: NodeJS.WriteStream): string {
  return stream.isTTY ? wrapped(text, columnsOf(stream)) : text
}

/** A usage line with what it does below it. Several are joined with `joinUsages`. */
export function explainedUsage(line: string, ...explanation: readonly string[]): string {
  return joinUsages(line, ...explanation.map((text) => `  ${text}`))
}

export function joinUsages(...usages: readonly string[]): string {
  return usages.join('\n       ')
}

/** Before `--`: after it is the prompt for an agent. */
export function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h')
}
