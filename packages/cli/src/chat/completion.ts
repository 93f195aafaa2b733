// What the composer completes: commands after a slash at the beginning, files after an @.
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui'
import { slashCommands } from './slash-commands.ts'

export interface CompletionSources {
  /** Paths below the folder of the conversation. */
  files(query: string): Promise<readonly string[]>
  skills(): Promise<readonly { readonly name: string; readonly description: string }[]>
  /** For `/model` and `/agent`. */
  argumentsOf(command: string): Promise<readonly string[]>
}

export function chatCompletion(sources: CompletionSources): AutocompleteProvider {
  return {
    triggerCharacters: ['@'],
    async getSuggestions(lines, cursorLine, cursorCol, { signal, force = false }): Promise<AutocompleteSuggestions | null> {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
      const mention = mentionIn(before)
      const found = mention === null ? await slashSuggestions(sources, before, cursorLine, force) : await fileSuggestions(sources, mention)
      return signal.aborted || found === null || found.items.length === 0 ? null : found
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? ''
      const begin = cursorCol - prefix.length
      const after = line.slice(cursorCol)
      const inserted = `${item.value}${after.startsWith(' ') ? '' : ' '}`
      const next = [...lines]
      next[cursorLine] = `${line.slice(0, begin)}${inserted}${after}`
      return { lines: next, cursorLine, cursorCol: begin + inserted.length }
    },
  }
}

/** The text from the last @ that begins a word; null if there is none. */
export function mentionIn(before: string): string | null {
  return /(?:^|\s)(@(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1] ?? null
}

async function fileSuggestions({ files }: CompletionSources, prefix: string): Promise<AutocompleteSuggestions> {
  const paths = await files(prefix.replace(/^@"?/, ''))
  if (paths.some((path) => mentionOf(path) === prefix)) return { prefix, items: [] }
  return { prefix, items: paths.map((path) => ({ value: mentionOf(path), label: path })) }
}

function mentionOf(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`
}

async function slashSuggestions(
  sources: CompletionSources,
  before: string,
  line: number,
  isRequested: boolean,
): Promise<AutocompleteSuggestions | null> {
  if (line !== 0) return null
  const [, command, typed = ''] = /^\/([a-z]+) +(\S*)$/.exec(before) ?? []
  // Only with Tab: a list that opens by itself would take the Enter of a command that is complete.
  if (command !== undefined && !isRequested) return null
  if (command !== undefined) {
    const known = await sources.argumentsOf(command)
    return { prefix: typed, items: known.filter((name) => name.startsWith(typed)).map((name) => ({ value: name, label: name })) }
  }
  if (!/^\/[\w-]*$/.test(before)) return null
  const own: AutocompleteItem[] = slashCommands.map(({ name, argument, summary }) => ({
    value: `/${name}`,
    label: argument === '' ? name : `${name} ${argument}`,
    description: summary,
  }))
  const skills = (await sources.skills()).map(({ name, description }) => ({ value: `/${name}`, label: name, description }))
  return { prefix: before, items: [...own, ...skills].filter(({ value }) => value.startsWith(before)) }
}
