// The work of several members in a folder, one after another: what becomes of each path, and what someone must decide.
import { createHash } from 'node:crypto'
import type { ConflictChoice, ConflictKind } from '@tandem/contract/team'
import { visibleText } from '@tandem/contract/text'
import { ToolFailure } from '../../call/failure.ts'
import { type MergedPart, mergeTexts } from './merge-texts.ts'
import { mergeTrees, type PathMerge, type Tree, type TreeEntry } from './merge-trees.ts'
import { foldersAbove } from './read-folder.ts'
import type { TextContent } from './text-content.ts'

export interface MemberSide {
  readonly title: string
  /** Only paths that the member changed, and those in the folder that may stand for them. */
  readonly base: Tree
  readonly theirs: Tree
  /** Paths of the folder to which files of the base were moved. */
  readonly moved: readonly string[]
}

export interface Resolution {
  readonly conflict_id: string
  readonly use: ConflictChoice
  readonly text?: string | undefined
}

export interface ConflictSide {
  readonly author: string | null
  readonly text: string | null
}

export interface PathConflict {
  readonly conflict_id: string
  readonly path: string
  readonly kind: ConflictKind
  readonly line: number | null
  readonly message: string
  readonly base: ConflictSide
  readonly current: ConflictSide
  readonly member: ConflictSide
  readonly choices: readonly ConflictChoice[]
  readonly resolved: ConflictChoice | null
}

export interface ChangedPath {
  /** Null: it is deleted. */
  readonly entry: TreeEntry | null
  readonly authors: readonly string[]
}

export interface SideContents {
  /** Null if it is not text, or too large to be merged by its lines. */
  text(sha256: string): Promise<TextContent | null>
  /** Keeps a new content, and returns its hash. */
  add(content: TextContent): Promise<string>
  /** Who made the current content of a path what it is; null if it is not known. */
  authorOf(path: string): string | null
}

export interface MergedSides {
  /** Paths that differ from the current folder. */
  readonly changes: ReadonlyMap<string, ChangedPath>
  readonly conflicts: readonly PathConflict[]
}

/** As long as a conflict is open, its path stays as it is now. Throws a `ToolFailure` for a resolution that cannot be used. */
export async function mergeSides(
  current: Tree,
  members: readonly MemberSide[],
  contents: SideContents,
  resolutions: readonly Resolution[],
): Promise<MergedSides> {
  const merge = new SidesMerge(current, contents, resolutions)
  for (const member of members) await merge.add(member)
  return merge.end()
}

class SidesMerge {
  readonly #current: Tree
  readonly #contents: SideContents
  readonly #resolutions: Map<string, Resolution>
  readonly #changes = new Map<string, ChangedPath>()
  readonly #conflicts: PathConflict[] = []
  readonly #numbers = new Map<string, number>()

  constructor(current: Tree, contents: SideContents, resolutions: readonly Resolution[]) {
    this.#current = current
    this.#contents = contents
    this.#resolutions = new Map(resolutions.map((one) => [one.conflict_id, one]))
  }

  async add({ title, base, theirs, moved }: MemberSide): Promise<void> {
    for (const merge of mergeTrees(base, this.#ours(base, theirs, moved), theirs)) {
      if (merge.do === 'take') this.#take(merge, title)
      else if (merge.do === 'merge') await this.#mergeContents(merge, title)
      else await this.#ask(merge, title)
    }
  }

  end(): MergedSides {
    const known = new Set(this.#conflicts.map(({ conflict_id }) => conflict_id))
    for (const conflict_id of this.#resolutions.keys()) if (!known.has(conflict_id)) throw unknownConflict(conflict_id, known)
    return { changes: this.#changes, conflicts: this.#conflicts }
  }

  #now(path: string): TreeEntry | null {
    const change = this.#changes.get(path)
    return change ? change.entry : (this.#current.get(path) ?? null)
  }

  /** The paths that matter for this member, and those that members before it created: it may have moved something there. */
  #ours(base: Tree, theirs: Tree, moved: readonly string[]): Tree {
    const created = [...this.#changes].flatMap(([path]) => (this.#current.has(path) ? [] : [path]))
    const paths = new Set([...base.keys(), ...theirs.keys(), ...moved, ...created, ...this.#around(theirs)])
    return new Map([...paths].flatMap((path): [string, TreeEntry][] => toPair(path, this.#now(path))))
  }

  /** What is now above or below the paths that they have: a path cannot be a file and a folder. */
  #around(theirs: Tree): string[] {
    const folders = new Set([...theirs.keys()].flatMap(foldersAbove))
    return [...this.#current.keys()].filter((path) => folders.has(path) || foldersAbove(path).some((folder) => theirs.has(folder)))
  }

  #set(path: string, entry: TreeEntry | null, title: string): void {
    const authors = this.#changes.get(path)?.authors ?? []
    if (isSame(entry, this.#current.get(path) ?? null)) this.#changes.delete(path)
    else this.#changes.set(path, { entry, authors: authors.includes(title) ? authors : [...authors, title] })
  }

  #take(merge: Extract<PathMerge, { do: 'take' }>, title: string): void {
    this.#set(merge.path, merge.entry, title)
    if (merge.modes) this.#askModes(merge.path, merge.modes, title)
  }

  #askModes(path: string, { ours, theirs }: { readonly ours: number; readonly theirs: number }, title: string): void {
    const chosen = this.#conflict(path, 'mode', title, {
      message: `The permissions of ${visibleText(path)} were changed to ${octal(ours)} in the current folder, and to ${octal(theirs)} by ${visibleText(title)}.`,
      sides: [null, octal(ours), octal(theirs)],
      choices: ['current', 'member'],
    })
    const entry = this.#now(path)
    if (chosen?.use === 'member' && entry?.kind === 'file') this.#set(path, { ...entry, mode: theirs }, title)
  }

  async #mergeContents(merge: Extract<PathMerge, { do: 'merge' }>, title: string): Promise<void> {
    const { path, mode, modes } = merge
    const [base, ours, theirs] = await Promise.all([
      merge.base === null ? null : this.#contents.text(merge.base),
      this.#contents.text(merge.ours),
      this.#contents.text(merge.theirs),
    ])
    const merged =
      base && ours && theirs && isSameForm(base, ours) && isSameForm(base, theirs)
        ? await this.#mergeLines(path, base, ours, theirs, title)
        : await this.#chooseContent(path, base, ours, theirs, merge, title)
    if (merged !== null) this.#set(path, { kind: 'file', sha256: merged, mode }, title)
    if (modes) this.#askModes(path, modes, title)
  }

  /** The hash of the merged content. */
  async #mergeLines(path: string, base: TextContent, ours: TextContent, theirs: TextContent, title: string): Promise<string> {
    const lines: string[] = []
    let line = 1
    for (const part of mergeTexts(base.text, ours.text, theirs.text).parts) {
      lines.push(...(part.from === 'conflict' ? this.#chooseLines(path, part, line, lineEndOf(ours.text), title) : part.lines))
      line += part.from === 'conflict' ? part.ours.length : part.from === 'theirs' ? part.replaces : part.lines.length
    }
    return this.#contents.add({ ...ours, text: lines.join('') })
  }

  #chooseLines(
    path: string,
    part: Extract<MergedPart, { from: 'conflict' }>,
    line: number,
    end: LineEnd,
    title: string,
  ): readonly string[] {
    const [base, ours, theirs] = [part.base, part.ours, part.theirs].map((lines) => (lines.length === 0 ? null : lines.join('')))
    const chosen = this.#conflict(path, 'lines', title, {
      line,
      message: `The same lines of ${visibleText(path)} were changed in the current folder and by ${visibleText(title)}.`,
      sides: [base ?? null, ours ?? null, theirs ?? null],
      choices: ['current', 'member', 'both', 'text'],
    })
    switch (chosen?.use) {
      case 'member':
        return part.theirs
      case 'both':
        return part.theirs.length === 0 ? part.ours : [lineEnded(part.ours.join(''), end), ...part.theirs]
      case 'text': {
        const text = withLineEnds(chosen.text ?? '', end)
        // Only the last line of a file may have no end: other lines must not be continued by the next one.
        const isEnded = [part.ours, part.theirs].some((lines) => lines.at(-1)?.endsWith('\n'))
        return text === '' ? [] : [isEnded ? lineEnded(text, end) : text]
      }
      default:
        return part.ours
    }
  }

  /** Null: it stays as it is now. */
  async #chooseContent(
    path: string,
    base: TextContent | null,
    ours: TextContent | null,
    theirs: TextContent | null,
    merge: Extract<PathMerge, { do: 'merge' }>,
    title: string,
  ): Promise<string | null> {
    const isText = ours !== null && theirs !== null && isSameForm(ours, theirs)
    const chosen = this.#conflict(path, 'content', title, {
      message: contentMessage(path, title, merge.base === null ? 'created' : isText ? 'unknown' : 'not_text'),
      sides: [base?.text ?? null, ours?.text ?? null, theirs?.text ?? null],
      choices: isText ? ['current', 'member', 'both', 'text'] : ['current', 'member'],
    })
    if (chosen?.use === 'member') return merge.theirs
    if (!isText || chosen === null || chosen.use === 'current') return null
    const text = chosen.use === 'text' ? ownText(chosen, ours) : `${lineEnded(ours.text, lineEndOf(ours.text))}${theirs.text}`
    return this.#contents.add({ ...ours, text })
  }

  async #ask(merge: Extract<PathMerge, { do: 'ask' }>, title: string): Promise<void> {
    const { path, why, ours, theirs, base } = merge
    const texts = await Promise.all([base, ours, theirs].map((entry) => this.#textOf(entry)))
    const [before, mine, other] = texts.map((found) => found?.text ?? null)
    const sides = [before ?? null, mine ?? null, other ?? null] as const
    const left = ours ?? theirs
    const leftText = texts[1] ?? texts[2] ?? null
    const text: ConflictChoice[] = leftText && left?.kind === 'file' ? ['text'] : []
    const name = visibleText(path)
    const by = visibleText(title)
    switch (why) {
      case 'deleted_ours':
      case 'deleted_theirs': {
        const message =
          why === 'deleted_ours'
            ? `${name} was deleted in the current folder, and changed by ${by}.`
            : `${name} was changed in the current folder, and deleted by ${by}.`
        const chosen = this.#conflict(path, 'deleted', title, { message, sides, choices: ['current', 'member', ...text] })
        if (chosen?.use === 'member') this.#set(path, theirs, title)
        if (chosen?.use === 'text' && leftText && left?.kind === 'file')
          this.#set(path, { ...left, sha256: await this.#contents.add({ ...leftText, text: ownText(chosen, leftText) }) }, title)
        return
      }
      case 'moved_apart': {
        const places = merge.moved ?? { ours: path, theirs: path }
        const message = `${name} was renamed to ${visibleText(places.ours)} in the current folder, and to ${visibleText(places.theirs)} by ${by}.`
        const chosen = this.#conflict(path, 'renamed', title, {
          message,
          sides: [path, places.ours, places.theirs],
          choices: ['current', 'member'],
        })
        if (chosen?.use !== 'member') return
        this.#set(places.ours, null, title)
        this.#set(places.theirs, theirs, title)
        return
      }
      case 'kinds_differ': {
        const message = `${name} is ${kindOf(ours)} in the current folder, and ${kindOf(theirs)} in the work of ${by}.`
        const chosen = this.#conflict(path, 'type', title, {
          message,
          sides: [linkOf(base), linkOf(ours), linkOf(theirs)],
          choices: ['current', 'member'],
        })
        if (chosen?.use === 'member') this.#set(path, theirs, title)
        return
      }
      case 'file_and_folder':
        // Taking the file would delete a folder, with everything in it that no one has looked at.
        this.#conflict(path, 'type', title, {
          message: `${name} cannot be a file and a folder: the current folder has one, and ${by} the other. Remove or rename the current one to take the other.`,
          sides: [null, null, null],
          choices: ['current'],
        })
    }
  }

  async #textOf(entry: TreeEntry | null): Promise<TextContent | null> {
    return entry?.kind === 'file' ? await this.#contents.text(entry.sha256) : null
  }

  /** Records a conflict; returns how it is resolved, or null if it is open. */
  #conflict(path: string, kind: ConflictKind, title: string, facts: ConflictFacts): Resolution | null {
    const number = (this.#numbers.get(path) ?? 0) + 1
    this.#numbers.set(path, number)
    const conflict_id = `${path.length > longestName ? shortNameOf(path) : path}#${number}`
    const chosen = this.#resolutions.get(conflict_id) ?? null
    if (chosen && !isUsable(chosen, facts.choices)) throw unusableChoice(chosen, facts.choices)
    const [base, current, member] = facts.sides
    const author = this.#changes.get(path)?.authors.at(-1) ?? this.#contents.authorOf(path)
    this.#conflicts.push({
      ...{ conflict_id, path, kind, line: facts.line ?? null, message: facts.message },
      base: { author: null, text: base },
      current: { author, text: current },
      member: { author: title, text: member },
      choices: facts.choices,
      resolved: chosen?.use ?? null,
    })
    return chosen
  }
}

/** An id is shown and passed as one line, which is at most 500 characters. */
const longestName = 400

function shortNameOf(path: string): string {
  return `…${path.slice(-longestName)} ${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
}

interface ConflictFacts {
  readonly message: string
  readonly line?: number
  readonly sides: readonly [string | null, string | null, string | null]
  readonly choices: readonly ConflictChoice[]
}

function isUsable({ use, text }: Resolution, choices: readonly ConflictChoice[]): boolean {
  return choices.includes(use) && (use === 'text') === (text !== undefined)
}

function contentMessage(path: string, title: string, why: 'created' | 'unknown' | 'not_text'): string {
  const [name, by] = [visibleText(path), visibleText(title)]
  if (why === 'created') return `${name} was created in the current folder and by ${by}, with different contents.`
  if (why === 'not_text') return `${name} was changed in the current folder and by ${by}, and it cannot be merged line by line.`
  return `${name} was changed in the current folder and by ${by}, and its earlier content is not known.`
}

function unknownConflict(conflict_id: string, known: ReadonlySet<string>): ToolFailure {
  const list = [...known].slice(0, 20).join(', ')
  return new ToolFailure('resolution_unknown', `There is no conflict ${visibleText(conflict_id)}.`, {
    subject: visibleText(conflict_id),
    remedy: known.size === 0 ? 'Leave out the resolutions: there are no conflicts.' : `The conflicts are ${visibleText(list)}.`,
  })
}

function unusableChoice({ conflict_id, use, text }: Resolution, choices: readonly ConflictChoice[]): ToolFailure {
  const why = choices.includes(use)
    ? text === undefined
      ? '`text` is missing'
      : `\`text\` is only for the choice \`text\``
    : `the choice \`${use}\` is not possible`
  return new ToolFailure('resolution_unusable', `${visibleText(conflict_id)} cannot be resolved like this: ${why}.`, {
    subject: visibleText(conflict_id),
    remedy: `Use one of: ${choices.join(', ')}.`,
  })
}

type LineEnd = '\n' | '\r\n'

function lineEndOf(text: string): LineEnd {
  return /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? '\r\n' : '\n'
}

/** A text that someone wrote, with the line ends of the file. A form in a browser has only one kind. */
function withLineEnds(text: string, end: LineEnd): string {
  return end === '\n' ? text : text.replace(/\r?\n/g, end)
}

function lineEnded(text: string, end: LineEnd): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${end}`
}

function ownText({ text = '' }: Resolution, instead: TextContent): string {
  return withLineEnds(text, lineEndOf(instead.text))
}

function isSameForm(left: TextContent, right: TextContent): boolean {
  return left.encoding === right.encoding && left.bom === right.bom
}

function isSame(left: TreeEntry | null, right: TreeEntry | null): boolean {
  if (left === null || right === null) return left === right
  if (left.kind === 'link') return right.kind === 'link' && left.target === right.target
  return right.kind === 'file' && left.sha256 === right.sha256 && left.mode === right.mode
}

function kindOf(entry: TreeEntry | null): string {
  return entry === null ? 'absent' : entry.kind === 'link' ? 'a link' : 'a file'
}

function linkOf(entry: TreeEntry | null): string | null {
  return entry?.kind === 'link' ? entry.target : null
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, '0')
}

function toPair(path: string, entry: TreeEntry | null): [string, TreeEntry][] {
  return entry === null ? [] : [[path, entry]]
}
