// What the tables contain about one simple command: whether it is known to be harmless, and which files outside the workspace it accesses.
import { isInside } from '../../path/inside.ts'
import { inFolder, pathInWord, type ResolvedPaths, resolvedPath } from '../resolved-paths.ts'
import { type KnownCommand, operandsOf, rowFor } from './program-table.ts'
import type { SimpleCommand } from './understanding.ts'

/** Where a command runs. */
export interface CommandLocation {
  readonly workspace: string
  readonly places?: ResolvedPaths
  /** A digest of the files that a command takes instructions from; null if it cannot be determined which files these are. */
  digestOf?(words: readonly string[]): string | null
}

export type CommandReading =
  | { readonly kind: 'unknown_program' }
  | { readonly kind: 'unknown_option'; readonly option: string }
  | { readonly kind: 'unexpected_operand'; readonly operand: string }
  | { readonly kind: 'known'; readonly known: KnownCommand; readonly outside: readonly string[] }

/** `folder`: the folder in which the command runs. */
export function readCommand({ words }: SimpleCommand, folder: string | undefined, place: CommandLocation): CommandReading {
  const known = rowFor(words)
  if (!known) return { kind: 'unknown_program' }
  const { unknown, unexpected, files } = operandsOf(words.slice(known.length), known.row)
  if (unknown !== null) return { kind: 'unknown_option', option: unknown }
  if (unexpected !== null) return { kind: 'unexpected_operand', operand: unexpected }
  const from = folder ?? place.workspace
  const around = known.row.more === 'text' || isWithin(from, place) ? [] : [from]
  const isHere = (word: string) => isOwn(word, from, place) && (known.row.entersFolders !== true || isFolderOwn(word, from, place))
  return { kind: 'known', known, outside: [...around, ...files.filter((word) => !isHere(word))] }
}

export function isWithin(path: string, { workspace, places }: CommandLocation): boolean {
  return isInside(path, workspace) && isInside(resolvedPath(places, path).real, workspace)
}

function isOwn(word: string, folder: string, place: CommandLocation): boolean {
  const path = pathInWord(word, folder)
  // After a link, `..` does not lead to the folder that contains the link.
  return path === null || (!/[^./][^/]*\/(?:.*\/)?\.\.(?:\/|$)/.test(word) && isWithin(path, place))
}

/** Whether everything in the folder is inside the workspace, if the word is one. */
function isFolderOwn(word: string, folder: string, place: CommandLocation): boolean {
  const path = pathInWord(word, folder)
  return path === null || isWithin(inFolder(path), place)
}
