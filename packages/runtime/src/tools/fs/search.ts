import { join } from 'node:path'
import { FsSearchOutput } from '@tandem/contract/tool/output'
import Type, { type Static } from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { defineTool } from '../../call/tool.ts'
import { displayPath } from '../../path/inside.ts'
import { findRipgrep, type RipgrepMessage, runRipgrep } from './ripgrep.ts'
import { isMatchInFile, type MatchBytes } from './verify-match.ts'

const longestLine = 500

const Input = Type.Object(
  {
    pattern: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'A regular expression (Rust syntax), or plain text with `fixed_strings`',
    }),
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096, description: 'A folder or a file. Default: the workspace' })),
    glob: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        maxItems: 20,
        description: 'Only files that match one of these, such as *.ts or src/**; !*.min.js excludes',
      }),
    ),
    type: Type.Optional(Type.String({ pattern: '^[a-z0-9+_-]{1,40}$', description: 'A file type of ripgrep: ts, py, rust, md …' })),
    case: Type.Optional(
      Type.Union([Type.Literal('sensitive'), Type.Literal('insensitive'), Type.Literal('smart')], {
        description: '`sensitive` (default), `insensitive`, or `smart`: insensitive unless the pattern contains a capital letter',
      }),
    ),
    fixed_strings: Type.Optional(Type.Boolean({ description: 'Treat the pattern as plain text' })),
    multiline: Type.Optional(Type.Boolean({ description: 'Allow matches to span lines' })),
    context: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: 'Lines to show before and after each match' })),
    output: Type.Optional(
      Type.Union([Type.Literal('lines'), Type.Literal('files')], {
        description: '`lines` (default), or `files`: only the files with the number of matching lines',
      }),
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'Include files whose names begin with a dot' })),
    no_ignore: Type.Optional(Type.Boolean({ description: 'Include what .gitignore and .ignore exclude' })),
    max_results: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_000, description: 'Maximum number of matches or files. Default: 100' }),
    ),
  },
  { additionalProperties: false },
)
type Input = Static<typeof Input>
type SearchLine = FsSearchOutput['lines'][number]

export const searchFiles = defineTool({
  name: 'fs.search',
  summary:
    'Search the contents of files with ripgrep. Returns path, line number and line of each match, sorted by path. By default, binary files, files over 512 MB, hidden files and what .gitignore excludes are left out. Links are not followed. To find files by name use fs.list with `pattern`.',
  input: Input,
  output: FsSearchOutput,
  effects: ({ path = '.' }) => [{ does: 'read', path }],
  limits: { seconds: 60 },
  run: search,
  present: presented,
})

async function search(input: Input, context: ToolContext): Promise<FsSearchOutput> {
  const { path = '.' } = input
  const { files, signal, workspace, temp } = context
  const { type, real } = await files.stat(path)
  const program = await findRipgrep(process.env.PATH ?? '', [workspace, temp])
  if (type === 'directory') {
    // Kept open while ripgrep runs in it: a link that replaces it in the meantime is not searched.
    return files.withDirectory(path, async (folder) => {
      const args = [...argsFor(input), '--', input.pattern, '.']
      const messages = runRipgrep({ program, args, cwd: folder.at, input: null, signal })
      return gather(messages, input, context, {
        real: folder.real,
        realOf: (name) => join(folder.real, name),
        stands: (place, found) => isMatchInFile(place, found, files),
      })
    })
  }
  return files.read(path, async ({ handle }) => {
    const args = [...argsFor(input), '--', input.pattern, '-']
    const messages = runRipgrep({ program, args, cwd: workspace, input: handle.fd, signal })
    // It reads the file that we opened, so it cannot be redirected.
    return gather(messages, input, context, { real, realOf: () => real, stands: async () => true })
  })
}

function argsFor(input: Input): string[] {
  const given = (flag: string, wanted: unknown) => (wanted ? [flag] : [])
  const cases = { sensitive: '--case-sensitive', insensitive: '--ignore-case', smart: '--smart-case' }
  return [
    '--no-config',
    '--json',
    '--sort=path',
    '--no-follow',
    '--no-require-git',
    '--no-messages',
    '--engine=default',
    '--max-filesize=512M',
    '--regex-size-limit=20M',
    '--dfa-size-limit=50M',
    cases[input.case ?? 'sensitive'],
    ...given('--fixed-strings', input.fixed_strings),
    ...given('--multiline', input.multiline),
    ...given('--hidden', input.hidden),
    ...given('--glob=!.git', input.hidden),
    ...given('--no-ignore', input.no_ignore),
    ...(input.output !== 'files' && input.context ? [`--context=${input.context}`] : []),
    ...(input.glob ?? []).map((glob) => `--glob=${glob}`),
    ...(input.type ? [`--type=${input.type}`] : []),
  ]
}

interface Searched {
  readonly real: string
  realOf(name: string): string
  /** Whether the matches are really in the file. */
  stands(real: string, found: readonly MatchBytes[]): Promise<boolean>
}

interface PendingFile {
  readonly lines: SearchLine[]
  readonly found: MatchBytes[]
}

/** Matches in a file are held back until the file is finished and they are verified. */
async function gather(
  messages: AsyncGenerator<RipgrepMessage>,
  { output = 'lines', max_results = 100 }: Input,
  context: ToolContext,
  { real, realOf, stands: standsThere }: Searched,
): Promise<FsSearchOutput> {
  const lines: SearchLine[] = []
  const files: { path: string; matched_lines: number }[] = []
  let pending: PendingFile = { lines: [], found: [] }
  let matches = 0
  let dropped = 0
  let vanished = 0
  let truncated = false

  /** Returns whether there was anything to add. */
  async function take(place: string): Promise<boolean> {
    const { lines: seen, found } = pending
    pending = { lines: [], found: [] }
    if (found.length === 0) return false
    const good = await standsThere(place, found)
    if (good && output === 'lines') lines.push(...seen)
    if (!good) {
      vanished++
      matches -= seen.filter(({ match }) => match).length
    }
    return good
  }

  for await (const message of messages) {
    if (message.type === 'dropped') {
      dropped++
      continue
    }
    const place = realOf(message.path)
    if (!(await context.files.permits(place, 'read', 'file'))) continue
    const path = displayPath(place, context)
    if (message.type === 'end') {
      const good = await take(place)
      if (!good || output === 'lines') continue
      truncated = files.length === max_results
      if (truncated) break
      files.push({ path, matched_lines: message.matched_lines })
    } else if (output === 'files') {
      // One line verifies the file; the rest is only counted.
      if (message.type === 'match' && pending.found.length === 0) pending.found.push(message.found)
    } else {
      truncated = message.type === 'match' && matches === max_results
      if (truncated) {
        await take(place)
        break
      }
      if (message.type === 'match') matches++
      pending.lines.push({ path, line: message.line, text: shortened(message.text), match: message.type === 'match' })
      pending.found.push(message.found)
    }
  }
  const notes = [
    ...(dropped > 0
      ? [dropped === 1 ? '1 match in a very long line was left out.' : `${dropped} matches in very long lines were left out.`]
      : []),
    ...(vanished > 0
      ? [
          vanished === 1
            ? '1 file changed during the search and was left out.'
            : `${vanished} files changed during the search and were left out.`,
        ]
      : []),
  ]
  return {
    path: displayPath(real, context),
    lines,
    files,
    matches: output === 'lines' ? matches : files.reduce((sum, file) => sum + file.matched_lines, 0),
    truncated,
    notes,
  }
}

function shortened(text: string): string {
  const line = text.replace(/\r?\n$/, '')
  return line.length > longestLine ? `${line.slice(0, longestLine)} [... ${line.length - longestLine} more characters]` : line
}

function presented({ lines, files, truncated, notes }: FsSearchOutput): string {
  const shown: string[] = files.map(({ path, matched_lines }) => `${path}: ${matched_lines}`)
  for (const [index, { path, line, text, match }] of lines.entries()) {
    const before = lines[index - 1]
    if (before?.path !== path) shown.push(`${index > 0 ? '\n' : ''}${path}`)
    else if (before.line + 1 < line && lines.some((one) => !one.match)) shown.push('--')
    shown.push(`${line}${match ? ':' : '-'} ${text}`)
  }
  const rest = truncated ? ['[There are more results; narrow the search or raise max_results.]'] : []
  return [...(shown.length > 0 ? shown : ['Nothing found.']), ...notes.map((note) => `[${note}]`), ...rest].join('\n')
}
