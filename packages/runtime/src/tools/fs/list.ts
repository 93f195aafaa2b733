import { dirname, join } from 'node:path'
import { FsListOutput } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { TreeEntry } from '../../call/files.ts'
import { defineTool } from '../../call/tool.ts'
import { timestamp } from '../../clock/clock.ts'
import { displayPath } from '../../path/inside.ts'
import { type IgnoreRules, readIgnoreRules } from '../../sandbox/files/ignore-rules.ts'
import { topItems } from './top-items.ts'

const Input = Type.Object(
  {
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096, description: 'The folder. Default: the workspace' })),
    depth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 32, description: 'The number of levels; 1 (default) lists only the folder itself' }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'Only entries that match: *.ts matches names at any depth, src/**/*.ts matches paths in the folder. Supports *, ?, **, [a-z], {a,b}',
      }),
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'Include names that begin with a dot' })),
    ignore: Type.Optional(Type.Boolean({ description: 'Exclude .git and what .gitignore and .ignore exclude' })),
    sort: Type.Optional(
      Type.Union([Type.Literal('name'), Type.Literal('modified'), Type.Literal('size')], {
        description: '`name` (default), `modified` (newest first) or `size` (largest first)',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000, description: 'Maximum number of entries. Default: 500' })),
  },
  { additionalProperties: false },
)

export const listFolder = defineTool({
  name: 'fs.list',
  summary:
    'List a folder: names, types, sizes, times and link targets, sorted. Use `depth` to include subfolders and `pattern` to filter. Entries above the limit are counted in `more`. Links are listed and not followed. To find text inside files use fs.search.',
  input: Input,
  output: FsListOutput,
  effects: ({ path = '.' }) => [{ does: 'read', path }],
  limits: { seconds: 60 },
  run: list,
  present: presented,
})

type ListedEntry = FsListOutput['entries'][number]

interface Found extends Omit<ListedEntry, 'modified'> {
  readonly modified: number
}

async function list(input: Static<typeof Input>, context: ToolContext): Promise<FsListOutput> {
  const { path = '.', depth = 1, hidden = false, sort = 'name', limit = 500 } = input
  const real = await context.files.locate(path, 'read')
  const wanted = patternFor(input.pattern, context)
  const ignoring = input.ignore ? await ignoreRulesBelow(real, context) : null
  const kept = topItems<Found>(limit, orders[sort])
  const passes = (entry: TreeEntry) => (hidden || !entry.name.startsWith('.')) && !ignoring?.ignores(entry)
  const enters = async (entry: TreeEntry) => {
    if (entry.depth >= depth || !passes(entry)) return false
    await ignoring?.enter(entry)
    return true
  }
  for await (const entry of context.files.walk(path, enters)) {
    context.signal.throwIfAborted()
    if (!passes(entry) || !wanted(entry)) continue
    const { path: name, type } = entry
    // When sorted by name, the other facts are read at the end, only for the entries that are shown.
    const facts = sort === 'name' ? null : await entry.facts().catch(() => null)
    kept.add({ path: name, type, size: facts?.size ?? 0, modified: facts?.modified ?? 0 })
  }
  const entries: ListedEntry[] = []
  for (const entry of kept.items()) entries.push(await complete(entry, real, context))
  return { path: displayPath(real, context), entries, more: kept.count() - entries.length }
}

const orders: Readonly<Record<'name' | 'modified' | 'size', (left: Found, right: Found) => number>> = {
  name: byPath,
  modified: (left, right) => right.modified - left.modified || byPath(left, right),
  size: (left, right) => right.size - left.size || byPath(left, right),
}

/** A folder comes directly before its contents. */
function byPath(left: Found, right: Found): number {
  const [first, second] = [left.path.replaceAll('/', '\0'), right.path.replaceAll('/', '\0')]
  return first < second ? -1 : first > second ? 1 : 0
}

function patternFor(pattern: string | undefined, { files }: ToolContext): (entry: TreeEntry) => boolean {
  if (pattern === undefined) return () => true
  const glob = files.pattern(pattern)
  if (!glob) {
    throw new ToolFailure('invalid_pattern', `The pattern "${pattern}" has too many alternatives.`, {
      subject: pattern,
      remedy: 'Use fewer braces, or call fs.list several times.',
    })
  }
  return pattern.includes('/') ? (entry) => glob.matches(entry.path) : (entry) => glob.matches(entry.name)
}

async function complete({ path, type, size }: Found, real: string, { files }: ToolContext): Promise<ListedEntry> {
  // An entry that was removed in the meantime is shown without these facts.
  const facts = await files.lstat(join(real, path)).catch(() => null)
  return {
    path,
    type,
    size: facts?.size ?? size,
    modified: timestamp(Math.trunc(facts?.modified ?? 0)),
    ...(facts?.target ? { target: facts.target } : {}),
  }
}

interface Ignoring {
  ignores(entry: TreeEntry): boolean
  /** Reads the rules of a folder before the walk enters it. */
  enter(entry: TreeEntry): Promise<void>
}

/** The walk is depth first, so one set of rules for each level is enough. */
export async function ignoreRulesBelow(real: string, context: Pick<ToolContext, 'files' | 'workspace'>): Promise<Ignoring> {
  const above: { prefix: string; rules: IgnoreRules }[] = []
  for (let folder = real, prefix = ''; ; folder = dirname(folder)) {
    above.unshift({ prefix, rules: await rulesIn(folder, context) })
    if (folder === context.workspace || folder === dirname(folder) || !folder.startsWith(context.workspace)) break
    prefix = `${folder.slice(dirname(folder).length).replace(/^[\\/]/, '')}/${prefix}`
  }
  const levels: { start: number; rules: IgnoreRules }[] = []
  return {
    ignores({ path, depth, type, name }) {
      if (name === '.git') return true
      const kind = type === 'directory' ? 'directory' : 'file'
      const below = levels.slice(0, depth - 1).map(({ start, rules }) => rules.ignores(path.slice(start), kind))
      const fromAbove = above.map(({ prefix, rules }) => rules.ignores(prefix + path, kind))
      return [...fromAbove, ...below].findLast((verdict) => verdict !== undefined) ?? false
    },
    async enter({ path, depth, real: folder }) {
      levels[depth - 1] = { start: path.length + 1, rules: await rulesIn(folder, context) }
    },
  }
}

async function rulesIn(folder: string, { files }: Pick<ToolContext, 'files'>): Promise<IgnoreRules> {
  const texts = await Promise.all(
    ['.gitignore', '.ignore'].map((name) =>
      // A folder without rules, or with rules that are out of scope, has none.
      files
        .read(join(folder, name), async ({ handle, facts }) => (facts.size > 1024 * 1024 ? '' : handle.readFile('utf8')))
        .catch(() => ''),
    ),
  )
  return readIgnoreRules(texts.join('\n'), files.pattern)
}

function presented({ path, entries, more }: FsListOutput): string {
  const lines = entries.map(({ path: name, type, size, target }) => {
    if (type === 'directory') return `${name}/`
    if (type === 'link') return `${name} -> ${target ?? '?'}`
    return type === 'other' ? `${name} (not a regular file)` : `${name} (${counted(size ?? 0, 'byte', 'bytes')})`
  })
  return [`${path}: ${counted(entries.length, 'entry', 'entries')}`, ...lines, ...(more > 0 ? [`... ${more} more`] : [])].join('\n')
}

function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
