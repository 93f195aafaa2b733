// The arguments of a command. Unknown ones are refused with the usage; nothing is guessed.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

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
    console.log(`usage: ${usage}`)
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

export function printUsage(why: string, usage: string): number {
  console.error(`tandem: ${why}`)
  console.error(`usage: ${usage}`)
  return 2
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
