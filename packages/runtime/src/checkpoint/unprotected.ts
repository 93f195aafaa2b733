// What a restore will not restore, reported before the call runs. Nothing is left out silently.

export const unprotectedCauses = {
  outside: 'Changes that the command makes outside',
  computed: 'Changes that the command makes at paths that are known only when it runs',
  too_large: 'The content of files larger than 1 MiB',
  over_budget: 'The content of files beyond the budget of 64 MiB',
  regenerable: 'The content of folders that can be generated again',
  not_walked: 'The content of folders that were not scanned',
  time_over: 'Everything that was not scanned in time below',
  wide_scope: 'Everything below the direct children of this large folder:',
  unreadable: 'Files that cannot be read',
  other_mount: 'Files mounted from another file system',
  special: 'Pipes, sockets and devices',
  odd_name: 'Names that are not UTF-8, in',
  own_folder: "Tandem's own folder",
  hard_link: 'Hard links are restored as separate files',
  changing: 'Files that changed while they were read',
  store_full: 'Everything that this call changes in',
} as const
export type UnprotectedCause = keyof typeof unprotectedCauses

export interface Unprotected {
  readonly cause: UnprotectedCause
  readonly count: number
  /** The first of them. */
  readonly paths: readonly string[]
}

const shown = 3

/** Causes whose text continues with the path. */
const endsInPlace: ReadonlySet<UnprotectedCause> = new Set(['outside', 'odd_name', 'time_over', 'wide_scope', 'store_full'])

export class UnprotectedNotes {
  readonly #notes = new Map<UnprotectedCause, { count: number; paths: string[] }>()

  add(cause: UnprotectedCause, path: string): void {
    const note = this.#notes.get(cause)
    if (!note) {
      this.#notes.set(cause, { count: 1, paths: [path] })
      return
    }
    note.count += 1
    if (note.paths.length < shown) note.paths.push(path)
  }

  list(): Unprotected[] {
    return [...this.#notes].map(([cause, { count, paths }]) => ({ cause, count, paths }))
  }
}

export function unprotectedText({ cause, count, paths }: Unprotected): string {
  const more = count - paths.length
  return `${unprotectedCauses[cause]}${endsInPlace.has(cause) ? ' ' : ': '}${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
