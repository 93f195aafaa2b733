// Which files of a folder a merge changes: from the folder as it was, as it is now ("ours"), and the copy that someone worked in ("theirs").
// Contents are compared by their hashes only; what both sides changed is merged as text by the caller.

export type TreeEntry =
  | { readonly kind: 'file'; readonly sha256: string; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }

export type Tree = ReadonlyMap<string, TreeEntry>

/** Why a person must decide about a path. */
export type PathConflict =
  /** One side deleted what the other one changed. */
  | 'deleted_ours'
  | 'deleted_theirs'
  /** Both sides made something different of it, and at least one is no file. */
  | 'kinds_differ'
  /** Both sides moved it, to different places. */
  | 'moved_apart'
  /** It is a file on one side, and a folder on the other. */
  | 'file_and_folder'

/** Both sides changed the permissions, differently. Until someone decides, they stay as they are now. */
export interface Modes {
  readonly ours: number
  readonly theirs: number
}

export type PathMerge =
  /** `entry`: of their side; null: it is deleted. */
  | { readonly do: 'take'; readonly path: string; readonly entry: TreeEntry | null; readonly modes?: Modes }
  /** The contents of three files, which may have had different names. `base`: null if both sides created it. */
  | {
      readonly do: 'merge'
      readonly path: string
      readonly base: string | null
      readonly ours: string
      readonly theirs: string
      readonly mode: number
      readonly modes?: Modes
    }
  | {
      readonly do: 'ask'
      readonly path: string
      readonly why: PathConflict
      readonly base: TreeEntry | null
      readonly ours: TreeEntry | null
      readonly theirs: TreeEntry | null
      /** Where each side has it now, if both moved it. */
      readonly moved?: { readonly ours: string; readonly theirs: string }
    }

/** In the order of the paths. Paths that stay as they are now are left out. */
export function mergeTrees(base: Tree, ours: Tree, theirs: Tree): readonly PathMerge[] {
  const ourMoves = movesIn(base, ours, theirs)
  const theirMoves = movesIn(base, theirs, ours)
  const merges: PathMerge[] = []
  const change = (now: TreeEntry | null, merge: PathMerge | null) => {
    const isNothing = merge === null || (merge.do === 'take' && merge.modes === undefined && isSame(merge.entry, now))
    if (!isNothing) merges.push(merge)
  }

  for (const [path, then] of base) {
    const [here, there] = [ourMoves.get(path) ?? path, theirMoves.get(path) ?? path]
    const [mine, other] = [ours.get(here) ?? null, theirs.get(there) ?? null]
    if (here !== path && there !== path && here !== there) {
      merges.push({ do: 'ask', path, why: 'moved_apart', base: then, ours: mine, theirs: other, moved: { ours: here, theirs: there } })
      continue
    }
    const target = there === path ? here : there
    const merge = mergedEntry(target, then, mine, other)
    change(target === here ? mine : null, merge ?? taken(target, mine))
    // Their side moved it: it is no longer at the path that it has here.
    if (target !== here && mine !== null && merge?.do !== 'ask') merges.push(taken(here, null))
  }
  const movedTo = new Set([...ourMoves.values(), ...theirMoves.values()])
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    if (base.has(path) || movedTo.has(path)) continue
    const mine = ours.get(path) ?? null
    change(mine, mergedEntry(path, null, mine, theirs.get(path) ?? null))
  }
  const blocked = new Set(blockedPaths(ours, merges))
  return merges
    .map((merge): PathMerge => {
      if (!blocked.has(merge.path)) return merge
      const { path } = merge
      const sides = { base: base.get(path) ?? null, ours: ours.get(path) ?? null, theirs: theirs.get(path) ?? null }
      return { do: 'ask', path, why: 'file_and_folder', ...sides }
    })
    .sort((left, right) => (left.path < right.path ? -1 : 1))
}

/** Null: as ours is now. */
function mergedEntry(path: string, base: TreeEntry | null, ours: TreeEntry | null, theirs: TreeEntry | null): PathMerge | null {
  if (isSame(theirs, base) || isSame(ours, theirs)) return null
  return isSame(ours, base) ? taken(path, theirs) : bothChanged(path, base, ours, theirs)
}

function taken(path: string, entry: TreeEntry | null): PathMerge {
  return { do: 'take', path, entry }
}

function bothChanged(path: string, base: TreeEntry | null, ours: TreeEntry | null, theirs: TreeEntry | null): PathMerge {
  const ask = (why: PathConflict): PathMerge => ({ do: 'ask', path, why, base, ours, theirs })
  if (ours === null) return ask('deleted_ours')
  if (theirs === null) return ask('deleted_theirs')
  if (ours.kind !== 'file' || theirs.kind !== 'file' || (base !== null && base.kind !== 'file')) return ask('kinds_differ')
  const modes = modesOf(base, ours, theirs)
  const conflict = typeof modes === 'number' ? {} : { modes }
  const mode = typeof modes === 'number' ? modes : ours.mode
  const take = (entry: FileEntry): PathMerge => ({ do: 'take', path, entry: { ...entry, mode }, ...conflict })
  if (ours.sha256 === theirs.sha256) return take(theirs)
  if (theirs.sha256 === base?.sha256) return take(ours)
  if (ours.sha256 === base?.sha256) return take(theirs)
  // Someone decides about the content of a file that both created; its permissions are no other question.
  if (base === null) return { do: 'merge', path, base: null, ours: ours.sha256, theirs: theirs.sha256, mode }
  return { do: 'merge', path, base: base.sha256, ours: ours.sha256, theirs: theirs.sha256, mode, ...conflict }
}

type FileEntry = Extract<TreeEntry, { kind: 'file' }>

/** The side that changed them decides. */
function modesOf(base: FileEntry | null, ours: FileEntry, theirs: FileEntry): number | Modes {
  if (ours.mode === theirs.mode || theirs.mode === base?.mode) return ours.mode
  return ours.mode === base?.mode ? theirs.mode : { ours: ours.mode, theirs: theirs.mode }
}

function isSame(left: TreeEntry | null, right: TreeEntry | null): boolean {
  if (left === null || right === null || left.kind !== right.kind) return left === right
  if (left.kind === 'link') return right.kind === 'link' && left.target === right.target
  return right.kind === 'file' && left.sha256 === right.sha256 && left.mode === right.mode
}

/** Files that one side moved: from where, to where. Only where it is clear, and the other side has nothing else there. */
function movesIn(base: Tree, side: Tree, other: Tree): ReadonlyMap<string, string> {
  const gone = contentsOf([...base].filter(([path]) => !side.has(path)))
  const added = contentsOf([...side].filter(([path]) => !base.has(path)))
  const moves = new Map<string, string>()
  for (const [sha256, from] of gone) {
    const to = added.get(sha256) ?? []
    const [source, target] = [from[0], to[0]]
    if (source === undefined || target === undefined || from.length > 1 || to.length > 1) continue
    const theirs = other.get(target) ?? null
    if (theirs === null || (!other.has(source) && isSame(theirs, side.get(target) ?? null))) moves.set(source, target)
  }
  return moves
}

/** Of a file without content: two of them have nothing to do with each other. */
const emptyContent = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The paths of files by their contents. */
function contentsOf(entries: readonly (readonly [string, TreeEntry])[]): ReadonlyMap<string, readonly string[]> {
  const files = entries.flatMap(([path, entry]) =>
    entry.kind === 'file' && entry.sha256 !== emptyContent ? [{ path, sha256: entry.sha256 }] : [],
  )
  return new Map([...Map.groupBy(files, ({ sha256 }) => sha256)].map(([sha256, all]) => [sha256, all.map(({ path }) => path)]))
}

/** Where something would have to be a file and a folder at the same time. */
function blockedPaths(ours: Tree, merges: readonly PathMerge[]): readonly string[] {
  const written = merges.filter((merge) => !(merge.do === 'take' && merge.entry === null)).map(({ path }) => path)
  const removed = new Set(merges.flatMap((merge) => (merge.do === 'take' && merge.entry === null ? [merge.path] : [])))
  const files = new Set([...[...ours.keys()].filter((path) => !removed.has(path)), ...written])
  const folders = new Set([...files].flatMap(foldersAround))
  return written.filter((path) => folders.has(path) || foldersAround(path).some((folder) => files.has(folder)))
}

function foldersAround(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
