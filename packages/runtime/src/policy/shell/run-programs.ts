// The programs that a command runs, behind the words that only prepare or start them. Synchronous, and it reads commands that the policy
// refuses to understand: a wrong answer here costs a name in a pattern, not a permission. Pure.
import { readLiteral } from './literal.ts'
import { changesFolder, interpreters, shellBuiltins } from './programs.ts'
import { maxCommands, maxLength } from './understanding.ts'

export interface RunProgram {
  /** The name without its folder and version, for example `python` for `/usr/bin/python3.12`. */
  readonly program: string
  /** What follows the name, without quotes and redirections. */
  readonly words: readonly string[]
}

/** In the order in which they are written. Programs that only print, wait or change the folder are left out if there are others. */
export function programsIn(command: string, depth = 0): readonly RunProgram[] {
  const all = simpleCommands(command.slice(0, maxLength)).flatMap((words) => behind(words, depth))
  const telling = all.filter(({ program }) => !minor.has(program))
  return telling.length > 0 ? telling : all
}

const minor: ReadonlySet<string> = new Set(
  'echo printf true false : sleep head tail tee cat wc sort uniq mkdir pwd date ls exit'.split(' '),
)

/** Programs that start another one, with the options that take the next word. */
const starters: ReadonlyMap<string, string> = new Map([
  ['env', '-u --unset -C --chdir'],
  ['sudo', '-u -g -C -h -p --user --group'],
  ['doas', '-u'],
  ['nohup', ''],
  ['time', '-f -o'],
  ['timeout', '-k -s --signal --kill-after'],
  ['nice', '-n'],
  ['ionice', '-c -n'],
  ['setsid', ''],
  ['stdbuf', '-i -o -e'],
  ['command', ''],
  ['exec', ''],
  ['xargs', '-n -P -I -d'],
  ['npx', '-p --package'],
  ['bunx', ''],
  ['uvx', ''],
])
/** Started with `run`: `uv run pytest`. */
const runners: ReadonlySet<string> = new Set(['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye'])
const shells: ReadonlySet<string> = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh'])
const assignment = /^[A-Za-z_]\w*=/
const mostLevels = 3

function behind(words: readonly string[], depth: number): readonly RunProgram[] {
  const at = words.findIndex((word) => !assignment.test(word))
  const first = words[at]
  if (first === undefined) return []
  const program = nameOf(first)
  const rest = words.slice(at + 1)
  if (changesFolder.includes(program)) return []
  const values = starters.get(program)
  if (values !== undefined) return behind(afterOptions(rest, values.split(' '), program === 'timeout'), depth)
  if (runners.has(program) && rest[0] === 'run') return behind(afterOptions(rest.slice(1), [], false), depth)
  if (shellBuiltins.has(program)) return keyword.has(program) ? behind(rest, depth) : []
  if (shells.has(program) && depth < mostLevels) {
    const script = rest.findIndex((word) => /^-[a-z]*c$/.test(word))
    if (script >= 0) return programsIn(rest[script + 1] ?? '', depth + 1)
  }
  if (program === 'python') {
    const module = rest.indexOf('-m')
    const name = rest[module + 1]
    if (module >= 0 && name !== undefined) return [{ program: name.split('.')[0] ?? name, words: rest.slice(module + 2) }]
  }
  return [{ program, words: rest }]
}

const keyword: ReadonlySet<string> = new Set('if then else elif while until do ! { time'.split(' '))

function afterOptions(words: readonly string[], values: readonly string[], hasDuration: boolean): readonly string[] {
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    if (!word.startsWith('-') && !assignment.test(word)) break
    at += values.includes(word) ? 2 : 1
  }
  return words.slice(hasDuration ? at + 1 : at)
}

function nameOf(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1)
  const plain = name.replace(/\d[\d.]*$/, '')
  if (plain === 'nodejs') return 'node'
  return interpreters.includes(plain) || plain === 'pip' ? plain : name
}

/** The words of each simple command, split at operators outside quotes. */
function simpleCommands(source: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]]
  let word = ''
  let started = false
  let skipsNext = false
  const endWord = () => {
    if (started && !skipsNext) commands.at(-1)?.push(literal(word))
    if (started) skipsNext = false
    word = ''
    started = false
  }
  for (let at = 0; at < source.length && commands.length <= maxCommands; at += 1) {
    const letter = source.charAt(at)
    if (letter === '\\') {
      if (source.charAt(at + 1) !== '\n') {
        word += letter + source.charAt(at + 1)
        started = true
      }
      at += 1
    } else if (letter === "'" || letter === '"') {
      const end = closing(source, at)
      word += source.slice(at, end + 1)
      started = true
      at = end
    } else if (letter === ' ' || letter === '\t') endWord()
    else if (letter === '>' || letter === '<') {
      // A number before it is a descriptor; after `&` comes another one.
      if (/^[0-9&]?$/.test(word)) {
        word = ''
        started = false
      } else endWord()
      while ('<>&|'.includes(source.charAt(at + 1)) && at + 1 < source.length) at += 1
      skipsNext = true
    } else if (letter === '&' && source.charAt(at + 1) === '>') {
      endWord()
    } else if (';|&\n()'.includes(letter)) {
      endWord()
      skipsNext = false
      if (commands.at(-1)?.length) commands.push([])
    } else {
      word += letter
      started = true
    }
  }
  endWord()
  return commands.filter((words) => words.length > 0)
}

function closing(source: string, from: number): number {
  const quote = source.charAt(from)
  for (let at = from + 1; at < source.length; at += 1) {
    if (source.charAt(at) === '\\' && quote === '"') at += 1
    else if (source.charAt(at) === quote) return at
  }
  return source.length
}

function literal(word: string): string {
  const read = readLiteral(word)
  return 'text' in read ? read.text : word.replace(/^["']|["']$/g, '')
}
