// Who wrote what and when, as the test observed it, and the expected result of a restore. Pure, and written without the product's rules.

/** Type, mode, link target and hash of a path, as `find` and `sha256sum` report them. */
export type PathState = string | 'absent'
export type TreeStates = ReadonlyMap<string, string>

/** A period in which a run could change what it covers: a call, or a background command after its call returned. */
export interface WriterSpan {
  readonly run: string
  readonly type: 'call' | 'command' | 'background'
  readonly from: number
  /** Infinite while it runs. */
  to: number
  covers(path: string): boolean
}

export interface PathWrite {
  readonly at: number
  readonly path: string
  readonly before: PathState
  readonly after: PathState
  /** Null for a user. */
  readonly by: WriterSpan | null
}

export interface TrueHistory {
  readonly spans: readonly WriterSpan[]
  readonly writes: readonly PathWrite[]
}

/**
 * `ours`: only calls of the run. `theirs`: nothing of the run. `group`: background commands of the run had a part. `conflict`: someone else
 * may have had a part. `unclear`: as `conflict`, but a state recurred in between, so that the conflict may be invisible.
 */
export type Ownership = 'ours' | 'theirs' | 'conflict' | 'unclear'

export interface PathVerdict {
  readonly owner: Ownership
  /** In the background group; `maybe` if a state recurred in between. */
  readonly group: boolean | 'maybe'
  readonly target: PathState
  readonly now: PathState
  /** The last write was certainly not by the run. */
  readonly lastIsTheirs: boolean
}

/** `mixed`: a foreground call of the run and its background command. `shared`: the run or another run. */
type WriteLabel = 'ours' | 'theirs' | 'group' | 'mixed' | 'shared' | 'shared_group' | 'earlier' | 'shared_earlier'

/** Of a background command that was started before the checkpoint: this alone does not attribute anything to the run. */
const notYetOurs: readonly WriteLabel[] = ['theirs', 'earlier', 'shared_earlier']
const inGroup: readonly WriteLabel[] = ['group', 'shared_group', 'earlier', 'shared_earlier']
const contested: readonly WriteLabel[] = ['theirs', 'shared', 'shared_group', 'shared_earlier']

/** What a restore of the run to the state before `since` needs to know about every path that was written. */
export function verdictsOf(history: TrueHistory, run: string, since: WriterSpan): Map<string, PathVerdict> {
  const byPath = Map.groupBy(
    history.writes.filter(({ at }) => at > since.from),
    ({ path }) => path,
  )
  return new Map([...byPath].map(([path, writes]) => [path, verdictOf(history.spans, writes, run, since)]))
}

function verdictOf(spans: readonly WriterSpan[], writes: readonly PathWrite[], run: string, since: WriterSpan): PathVerdict {
  const labelled = writes.map((write) => ({ write, ...labelOf(spans, write, run, since) }))
  const now = writes.at(-1)?.after ?? 'absent'
  const first = labelled.find(({ label }) => !notYetOurs.includes(label))
  if (!first) return { owner: 'theirs', group: false, target: now, now, lastIsTheirs: true }
  const relevant = labelled.filter(({ write }) => write.at > first.begin)
  const target = writes.findLast(({ at }) => at <= first.begin)?.after ?? writes[0]?.before ?? 'absent'
  const labels = new Set(relevant.map(({ label }) => label))
  const states = [target, ...relevant.map(({ write }) => write.after)]
  const isRecurring = new Set(states).size < states.length
  const group = inGroup.some((label) => labels.has(label))
  const conflict = contested.some((label) => labels.has(label)) || (labels.has('mixed') && !group)
  const isPlain = labels.size === 1 && !conflict
  return {
    owner: conflict ? (isRecurring ? 'unclear' : 'conflict') : isRecurring && !isPlain ? 'unclear' : 'ours',
    group: group && isRecurring && !isPlain ? 'maybe' : group,
    target,
    now,
    lastIsTheirs: relevant.at(-1)?.label === 'theirs',
  }
}

/** Whom a write can be attributed to afterwards: everyone who covered the path at the time may have made it. */
function labelOf(
  spans: readonly WriterSpan[],
  { at, path, by }: PathWrite,
  run: string,
  since: WriterSpan,
): { label: WriteLabel; begin: number } {
  // A call that names its path has written it.
  if (by?.type === 'call') return { label: by.run === run ? 'ours' : 'theirs', begin: by.from }
  const open = spans.filter((span) => span.from < at && at < span.to && span.covers(path))
  const foreground = open.find((span) => span.run === run && span.type === 'command')
  const backgrounds = open.filter((span) => span.run === run && span.type === 'background')
  const isRival = open.some((span) => span.run !== run)
  if (foreground) {
    const begin = foreground.from
    if (isRival) return { label: 'shared', begin }
    const isBeside = spans.some(({ run: other, type, from, to }) => {
      return other === run && type === 'background' && from < foreground.to && foreground.from < to
    })
    return { label: isBeside ? 'mixed' : 'ours', begin }
  }
  const recent = backgrounds.filter(({ from }) => from > since.from)
  const begin = Math.min(...recent.map(({ from }) => from))
  if (recent.length > 0) return { label: isRival ? 'shared_group' : 'group', begin }
  if (backgrounds.length > 0) return { label: isRival ? 'shared_earlier' : 'earlier', begin: at }
  return { label: 'theirs', begin: at }
}

export interface RestoreChoice {
  readonly on_conflict: 'keep' | 'overwrite'
  readonly background: 'none' | 'all'
}

/** The expected state of every path after the restore; two states if the model cannot tell which. */
export function expectedTree(now: TreeStates, verdicts: ReadonlyMap<string, PathVerdict>, choice: RestoreChoice): Map<string, PathState[]> {
  const expected = new Map<string, PathState[]>([...now].map(([path, state]) => [path, [state]]))
  for (const [path, verdict] of verdicts) expected.set(path, expectedStates(verdict, choice))
  return withFolders(expected, now)
}

function expectedStates({ owner, group, target, now, lastIsTheirs }: PathVerdict, { on_conflict, background }: RestoreChoice): PathState[] {
  if (owner === 'theirs' || (group === true && background === 'none')) return [now]
  const isKept = on_conflict === 'keep' && (owner === 'conflict' || (owner === 'unclear' && lastIsTheirs && now !== 'absent'))
  if (isKept) return [now]
  if (group === 'maybe' || owner === 'unclear') return [now, target]
  return [target]
}

/** A folder is kept while it contains something, and a path is restored only into a folder. */
function withFolders(expected: Map<string, PathState[]>, now: TreeStates): Map<string, PathState[]> {
  const deepest = [...expected.keys()].toSorted((left, right) => right.split('/').length - left.split('/').length)
  const isFolder = (state: PathState | undefined) => state?.startsWith('d') === true
  for (const path of deepest.filter((one) => isFolder(now.get(one)))) {
    const inside = [...expected].filter(([other]) => other.startsWith(`${path}/`) && other.split('/').length === path.split('/').length + 1)
    const stays = inside.some(([, states]) => !states.every((state) => state === 'absent'))
    if (!stays) continue
    const here = now.get(path) ?? 'absent'
    const sure = inside.some(([, states]) => !states.includes('absent'))
    const states = expected.get(path) ?? []
    expected.set(
      path,
      states.flatMap((state) => (isFolder(state) ? [state] : sure ? [here] : [state, here])),
    )
  }
  for (const path of deepest.toReversed()) {
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null
    if (above === null) continue
    const states = expected.get(above) ?? []
    const here = now.get(path) ?? 'absent'
    const mine = expected.get(path) ?? []
    if (mine.every((state) => state === 'absent')) continue
    const isBlocked = (state: PathState) => !isFolder(state) && state !== 'absent'
    if (states.every(isBlocked)) expected.set(path, [here])
    else if (states.some(isBlocked)) expected.set(path, [...mine, here])
  }
  // What is restored includes its folders, each of which includes its own.
  for (const path of deepest) {
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null
    if (above === null || expected.get(path)?.includes('absent')) continue
    if (expected.get(above)?.includes('absent')) expected.set(above, ['folder'])
  }
  return expected
}

/** Paths that are not in the state that the model expects. */
export function unexpected(expected: ReadonlyMap<string, readonly PathState[]>, found: TreeStates): string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((path) => {
    const is = found.get(path) ?? 'absent'
    const wanted = expected.get(path) ?? ['absent']
    const isRight = wanted.some((state) => state === is || (state === 'folder' && is.startsWith('d')))
    return isRight ? [] : [`${path}: expected ${wanted.join(' or ')}, found ${is}`]
  })
}
