// What kind of call it was: the tool and the shape of its arguments, without what differs each time. Pure.
import { createHash } from 'node:crypto'
import { programsIn, type RunProgram } from '../../policy/shell/run-programs.ts'

export interface ShapedCall {
  /** `tool` and the shape of the arguments, for example `fs.edit src/*.ts` or `shell.exec git commit`. */
  readonly shape: string
  /** It changes, creates or starts something; looking around does not. */
  readonly effectful: boolean
}

/** One for each program of a command; one for every other call. Arguments that cannot be read count as none. */
export function callShapes(tool: string, args: string, workspace: string): readonly ShapedCall[] {
  const given = readArguments(args)
  const { command } = given
  if (typeof command === 'string') {
    const shapes = programsIn(command).map((one) => programShape(tool, one, workspace))
    return shapes.length > 0 ? shapes : [{ shape: tool, effectful: false }]
  }
  const places = Object.keys(given)
    .toSorted()
    .flatMap((name) => placeShape(given[name], isPathName.test(name), workspace))
  return [{ shape: [tool, ...places].join(' '), effectful: !isLook(tool) }]
}

export function readArguments(args: string): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = JSON.parse(args)
    return typeof given === 'object' && given !== null && !Array.isArray(given) ? { ...given } : {}
  } catch {
    // A model may write anything there.
    return {}
  }
}

/** Every text in the arguments, in the order of their names. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, one]) => textsIn(one))
}

/** Dates, versions, weeks and numbers, and the name of the project, are what a routine is given. */
export function withoutParameters(text: string, workspace: string): string {
  const project = workspace.split(/[\\/]/).at(-1) ?? ''
  return (project === '' ? text : text.replaceAll(project, '<project>')).replace(/(?:\bv)?\d+(?:[.:_-]w?\d+)*/gi, '<n>')
}

/**
 * Stands for the words of a call that a routine does not explain: the same for the same routine, another one where something was judged or
 * written. A digest, because the words can be anything, also secrets.
 */
export function templateOf(args: string, workspace: string): string {
  const words = withoutParameters(textsIn(readArguments(args)).join(' '), workspace).toLowerCase()
  const distinct = [...new Set(words.match(/\p{L}{3,}/gu) ?? [])].toSorted().join(' ')
  return createHash('sha256').update(distinct).digest('base64url').slice(0, 16)
}

const isPathName = /^(?:path|paths|from|to|target|destination|file|files|folder|directory|cwd|output|input)$/

function placeShape(value: unknown, isPath: boolean, workspace: string): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => placeShape(one, isPath, workspace)))].slice(0, 3)
  if (typeof value !== 'string' || value.length > longestPlace) return []
  const host = /^[a-z][a-z+.-]*:\/\/([^/?#:@\s]+)/i.exec(value)?.[1]
  if (host !== undefined) return [host.toLowerCase()]
  // To whom it goes differs each time, as a name does.
  if (isMailAddress.test(value)) return ['<mail>']
  return isPath && !value.includes('\n') ? [pathShape(value, workspace)] : []
}

const longestPlace = 1_000
const isMailAddress = /^(?:[^<>]*<)?[^\s@<>]+@[^\s@<>/]+>?$/

/** The first folder and the ending of a file; a file at the top keeps its name. */
export function pathShape(path: string, workspace: string): string {
  const inside = path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path === workspace ? '.' : path
  const parts = withoutParameters(inside.replaceAll('\\', '/'), workspace)
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const [first, ...rest] = parts
  if (first === undefined) return '.'
  const root = inside.startsWith('/') ? '/' : ''
  const last = rest.at(-1)
  if (last === undefined) return root + first
  const ending = /\.[a-z]{1,5}$/i.exec(last)?.[0].toLowerCase()
  return `${root}${first}/*${ending ?? ''}`
}

/** Programs whose first word says what they do. */
const withSubcommand: ReadonlySet<string> = new Set(
  'git gh glab hub npm pnpm yarn bun deno cargo go rustup pip uv poetry pipenv conda docker podman kubectl helm terraform vagrant systemctl service apt apt-get brew dnf pacman snap flatpak make just task rake bundle gem mix dotnet mvn gradle gradlew composer artisan rails aws gcloud az heroku fly vercel netlify wrangler firebase supabase hugo jekyll restic borg rclone launchctl nmcli journalctl'.split(
    ' ',
  ),
)
const interpreters: ReadonlySet<string> = new Set('node python ruby perl php deno bun bash sh zsh tsx ts-node Rscript lua'.split(' '))

function programShape(tool: string, { program, words }: RunProgram, workspace: string): ShapedCall {
  const plain = words.filter((word) => !word.startsWith('-'))
  const [first, second] = plain
  const said = [tool, withoutParameters(program, workspace)]
  if (withSubcommand.has(program)) {
    if (first !== undefined && isWord.test(first)) said.push(first)
    if (first !== undefined && nested.has(first) && second !== undefined && isWord.test(second)) said.push(second)
  } else if (interpreters.has(program)) {
    if (first !== undefined && first.length <= longestPlace) said.push(pathShape(first, workspace))
  } else {
    const option = words.find((word) => /^-{1,2}[A-Za-z]/.test(word))
    if (option !== undefined) said.push(withoutParameters(option.replace(/=.*$/, ''), workspace))
  }
  const line = said.slice(1).join(' ')
  return {
    shape: said.join(' '),
    effectful: !lookPrograms.has(program) && !lookLines.some((look) => line === look || line.startsWith(`${look} `)),
  }
}

const isWord = /^[a-z][\w:.-]{0,40}$/i
const nested: ReadonlySet<string> = new Set(['run', 'exec', 'compose', 'remote', 'stash', 'image', 'container', 'config'])

const lookPrograms: ReadonlySet<string> = new Set(
  'ls dir cat head tail less more wc grep rg ag find fd du df stat file tree pwd date which whereis whoami id uname env printenv ps top echo printf true false sleep sort uniq cut jq yq diff cmp column man type history free uptime ffprobe identify exiftool pdftotext hexdump xxd strings'.split(
    ' ',
  ),
)
const lookLines =
  'git status,git diff,git log,git show,git branch,git blame,git remote,git rev-parse,git ls-files,npm ls,npm view,npm list'.split(',')

/** What only looks, and what an agent does for itself. */
function isLook(tool: string): boolean {
  return (
    looks.has(tool) ||
    /(?:^|[._])(?:list|read|get|search|find|status|show|view|stat|exists|count|describe|query|lookup|info|now|wait)(?:_[a-z_]+)?$/.test(
      tool,
    )
  )
}

const looks: ReadonlySet<string> = new Set(
  'web.fetch web.extract browser.console_logs memory.add todo.update todo.complete skill.use ask_user question.ask'.split(' '),
)
