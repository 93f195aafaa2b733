// How the words of a known program are interpreted: which options are harmless, and which words are files. A program or option that is not in a
// table is not known to be harmless.
import { harmlessRows } from './harmless.ts'
import { projectRows } from './project-programs.ts'

export interface ProgramRow {
  /** The command begins with these words. `*` stands for one word that is not an option. */
  readonly words: string
  /** Harmless one-letter options, alone or combined; digits are always harmless. */
  readonly short?: string
  /** Harmless one-letter options with a value that is not a file: the rest of the word, or the next word. */
  readonly values?: string
  /** Harmless one-letter options whose value, if any, is the rest of the word, never the next one. */
  readonly attached?: string
  /** Harmless long options, with their dashes; each may have `=value`. */
  readonly long?: string
  /** Options of `long` whose value may be the next word, and is not a file. */
  readonly longValues?: string
  /** Which operands may follow: files and patterns, text that is not a file, one file, or none. */
  readonly more: 'any' | 'text' | 'one' | 'none'
  /** The first operand is text, such as a pattern, and must match if an expression is given. The rest are files. */
  readonly first?: 'text' | RegExp
  /** With one of these options, the first operand is a file too. */
  readonly firstIsFileWith?: string
  /** For a folder, it reads the files in it, and follows links there. */
  readonly entersFolders?: true
  /** A word that matches changes the meaning of the command. */
  readonly refuses?: RegExp
  /** Creates its operands, and changes nothing else. */
  readonly creates?: true
  /** The program takes instructions from files: the name of its row in the table of instructions. */
  readonly instructions?: 'git' | 'npm' | 'pnpm' | 'yarn' | 'make' | 'cargo' | 'go'
  /** What it does depends on the folder: a rule about it covers only that folder. */
  readonly bound?: true
}

export interface KnownCommand {
  readonly row: ProgramRow
  /** The number of words in the name of the command. */
  readonly length: number
}

/** The words after the name of a known command. */
export interface ReadOperands {
  /** The first option that is not known to be harmless. */
  readonly unknown: string | null
  /** An operand that the command does not accept, or that changes its meaning. */
  readonly unexpected: string | null
  /** Words that are files, and values that may be. */
  readonly files: readonly string[]
}

interface SplitRow {
  readonly row: ProgramRow
  readonly rule: readonly string[]
}

/** By their first word, which is the name of the program and never `*`, each in the order of the tables. */
const rows: ReadonlyMap<string, readonly SplitRow[]> = Map.groupBy(
  [...harmlessRows, ...projectRows].map((row) => ({ row, rule: row.words.split(' ') })),
  ({ rule }) => rule[0] ?? '',
)

/** The row whose words the command begins with. */
export function rowFor(words: readonly string[]): KnownCommand | null {
  for (const { row, rule } of rows.get(words[0] ?? '') ?? []) {
    if (rule.every((word, at) => words[at] === word || (word === '*' && isName(words[at])))) return { row, length: rule.length }
  }
  return null
}

/** Whether the command is still harmless with the words after its name. */
export function isHarmless(rest: readonly string[], row: ProgramRow): boolean {
  const { unknown, unexpected } = operandsOf(rest, row)
  return unknown === null && unexpected === null
}

export function operandsOf(rest: readonly string[], row: ProgramRow): ReadOperands {
  const operands: string[] = []
  const files: string[] = []
  let firstIsFile = false
  let onlyOperands = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (onlyOperands || !word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    onlyOperands = word === '--'
    const option = readOption(word, row)
    if (option === null) return { unknown: word, unexpected: null, files: [] }
    firstIsFile ||= option.names.some((name) => row.firstIsFileWith?.split(' ').includes(name))
    if (option.value && row.more !== 'text') files.push(option.value)
    if (option.takesNext) at += 1
  }
  const taken = row.more === 'none' ? 0 : row.more === 'one' ? 1 : operands.length
  const refused = [...operands, ...rest].find((word) => row.refuses?.test(word))
  const unexpected = refused ?? operands[taken] ?? null
  const [first] = operands
  const hasText = row.first !== undefined && !firstIsFile
  if (hasText && row.first instanceof RegExp && first !== undefined && !row.first.test(first)) {
    return { unknown: null, unexpected: first, files: [] }
  }
  // After `--`, a file can have the name of an option.
  if (row.more !== 'text') files.push(...(hasText ? operands.slice(1) : operands).map((word) => (/^-./.test(word) ? `./${word}` : word)))
  return { unknown: null, unexpected, files }
}

interface ReadOption {
  readonly names: readonly string[]
  /** The text after `=`, which may be a file. */
  readonly value?: string
  readonly takesNext: boolean
}

/** Null for an option that is not known to be harmless. */
function readOption(word: string, { short = '', values = '', attached = '', long = '', longValues = '' }: ProgramRow): ReadOption | null {
  const equals = word.indexOf('=')
  const name = equals > 0 ? word.slice(0, equals) : word
  if (wordsOf(long).has(name)) {
    if (equals > 0) return { names: [name], value: word.slice(equals + 1), takesNext: false }
    return { names: [name], takesNext: wordsOf(longValues).has(name) }
  }
  if (!/^-[^-]/.test(word)) return null
  const names: string[] = []
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at)
    names.push(`-${letter}`)
    // In the old syntax of head and tail, `-5c` takes no other word.
    if (values.includes(letter)) return /[0-9]/.test(word.slice(1, at)) ? null : { names, takesNext: at === word.length - 1 }
    if (attached.includes(letter)) return { names, takesNext: false }
    if (!/[0-9]/.test(letter) && !short.includes(letter)) return null
  }
  return { names, takesNext: false }
}

const splitLists = new Map<string, ReadonlySet<string>>()

/** Of a list in the tables, split once. */
function wordsOf(list: string): ReadonlySet<string> {
  const known = splitLists.get(list) ?? new Set(list.split(' '))
  splitLists.set(list, known)
  return known
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[\w:.@/-]+$/.test(word) && !word.startsWith('-')
}
