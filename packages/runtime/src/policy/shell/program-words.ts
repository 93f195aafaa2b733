// What a program does, in one sentence.
import { operandsOf, rowFor } from './program-table.ts'
import { changesFolder, reasonFor, shellBuiltins } from './programs.ts'

/** `words` are the arguments of the program, null for a word that only the shell can compute. */
export function explainProgram(words: readonly (string | null)[]): string {
  const [first] = words
  if (first === undefined || first === null) return 'Not understood: the program is known only when the command runs.'
  if (changesFolder.includes(first)) return 'Changes the folder for the commands that follow.'
  const own = shellBuiltins.get(first)
  if (own !== undefined) return `Not understood: ${own}. Read it in full.`
  const program = first.slice(first.lastIndexOf('/') + 1)
  const literals = words.filter((word) => word !== null)
  const plain = literals.length === words.length
  const known = plain && !first.includes('/') ? rowFor(literals) : null
  if (known) {
    const { unknown, unexpected } = operandsOf(literals.slice(known.length), known.row)
    if (unknown === null && unexpected === null) return harmless(program, literals[1] ?? null, known.row)
    if (unknown !== null) return `${purposeOf(program)} The option ${unknown} is not known to be harmless.`.trim()
  }
  const subcommand = words.slice(1).find((word) => word !== null && !word.startsWith('-')) ?? undefined
  const why = reasonFor(program, subcommand)
  if (why !== null) return `${program} ${why}`
  const purpose = purposeOf(program)
  if (!plain && purpose !== '') return `${purpose} Some of its arguments are known only when it runs, so it may do more.`
  return `Unknown program: ${program} may change or remove files, send data or run other programs.`
}

/** The known git commands that write to the repository. */
const gitChanges: readonly string[] = ['add', 'commit']

function harmless(program: string, second: string | null, row: { readonly creates?: true; readonly instructions?: string }): string {
  if (row.instructions === 'git')
    return `${gitChanges.includes(second ?? '') ? 'Changes' : 'Reads'} the git repository (${second ?? 'git'}).`
  if (row.instructions !== undefined) return `Runs scripts or build steps of the project (${program}).`
  return purposeOf(program) || (row.creates ? 'Creates files or folders.' : 'Reads without changing anything.')
}

function purposeOf(program: string): string {
  return purposes.get(program) ?? ''
}

const purposes: ReadonlyMap<string, string> = new Map(
  (
    [
      ['ls tree', 'Lists files.'],
      ['cat head tail tac nl od strings', 'Prints files or parts of them.'],
      ['grep egrep fgrep rg', 'Searches text.'],
      ['find', 'Searches for files.'],
      ['echo printf', 'Prints text.'],
      ['wc', 'Counts lines, words or characters.'],
      ['stat file du df', 'Shows information about files or disks.'],
      ['diff cmp comm', 'Compares files.'],
      ['sort uniq cut paste join column fold tr sed rev', 'Transforms text without changing files.'],
      ['jq', 'Reads JSON.'],
      ['pwd date whoami groups hostname uptime nproc free id uname ps which', 'Shows information about this machine.'],
      ['mkdir', 'Creates folders.'],
      ['touch', 'Creates files, or sets their timestamps.'],
      ['sleep', 'Waits.'],
      ['true false', 'Does nothing.'],
      ['exit', 'Ends the command.'],
      ['test', 'Checks a condition.'],
      ['expr seq', 'Calculates and prints values.'],
      ['cksum md5sum sha1sum sha256sum sha512sum', 'Computes checksums.'],
    ] as const
  ).flatMap(([programs, purpose]) => programs.split(' ').map((program): [string, string] => [program, purpose])),
)
