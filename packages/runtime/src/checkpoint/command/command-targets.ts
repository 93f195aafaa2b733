// The paths that a command will write or remove according to its words. Paths that only the shell can compute are listed separately.
import { isAbsolute, resolve } from 'node:path'
import { isInside } from '../../path/inside.ts'
import { keywords, outputOptions, type ProgramSyntax, programs, wrappers } from './program-syntax.ts'
import { shellParts } from './shell-words.ts'

export interface CommandTargets {
  /** Absolute paths, in the order of the command, without duplicates. */
  readonly targets: readonly string[]
  /** Words for paths that are known only when the command runs and may be outside its folder. */
  readonly computed: readonly string[]
}

const scriptOptions = { sed: ['-e', '-f', '--expression', '--file'], perl: ['-e', '-E'] } as const
const changesFolder = new Set(['cd', 'pushd'])

export function commandTargets(command: string, cwd: string): CommandTargets {
  const targets = new Set<string>()
  const computed = new Set<string>()
  /** Null once the folder is computed by the shell. */
  let folder: string | null = cwd
  const outer: (string | null)[] = []

  function add(path: string): void {
    if (!isPath(path)) return
    if (isPlain(path) && (folder !== null || isAbsolute(path))) targets.add(resolve(folder ?? '/', path))
    else if (!staysWithin(path, folder, cwd)) computed.add(path)
  }

  for (const part of shellParts(command)) {
    if (part === '(') outer.push(folder)
    else if (part === ')') folder = outer.pop() ?? folder
    if (typeof part === 'string') continue
    const words = part.filter(({ role }) => role === 'word').map(({ text }) => text)
    for (const word of words) if (hidesPath(word)) computed.add(word)
    const [name = '', ...rest] = withoutWrappers(words)
    for (const { text, role } of part) if (role === 'written') add(text)
    for (const path of written(name, rest)) add(path)
    if (changesFolder.has(name)) folder = folderAfter(folder, rest.filter((word) => !/^-[LPe@]+$|^--$/.test(word))[0])
    if (folder === null && changesFolder.has(name)) computed.add([name, ...rest].join(' '))
  }
  return { targets: [...targets], computed: [...computed] }
}

/** The output files among the arguments of an unknown program. */
export function outputArguments(args: readonly string[], cwd: string): CommandTargets {
  const paths = read(args, {}).outputs.filter(isPath)
  return { targets: [...new Set(paths.map((path) => resolve(cwd, path)))], computed: [] }
}

function folderAfter(folder: string | null, into: string | undefined): string | null {
  if (into === undefined || !isPlain(into) || into === '-') return null
  return folder === null && !isAbsolute(into) ? null : resolve(folder ?? '/', into)
}

function written(name: string, words: readonly string[]): string[] {
  const tool = name.slice(name.lastIndexOf('/') + 1)
  const syntax = syntaxOf(`${tool} ${words.find((word) => !word.startsWith('-')) ?? ''}`) ?? syntaxOf(tool) ?? {}
  const { outputs, operands, into, seen } = read(words, syntax)
  if (tool === 'dd') return [...outputs, ...words.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))]
  return [...outputs, ...writtenOperands(tool, syntax, operands, into, seen)]
}

function syntaxOf(name: string): ProgramSyntax | undefined {
  return Object.hasOwn(programs, name) ? programs[name] : undefined
}

function writtenOperands(
  tool: string,
  syntax: ProgramSyntax,
  all: readonly string[],
  into: string | null,
  seen: ReadonlySet<string>,
): readonly string[] {
  if (tool === 'sed' || tool === 'perl') {
    if (!seen.has('-i') && !seen.has('--in-place')) return []
    // The first operand is the script, unless an option contained it.
    const given = scriptOptions[tool].some((option) => seen.has(option))
    return given ? all : all.slice(1)
  }
  const given = syntax.firstIsValue?.unless.some((option) => seen.has(option)) ?? true
  // `chmod -x file`: the mode looks like an option.
  const isMode = tool === 'chmod' && [...seen].some((option) => /^-[rwxXst]$/.test(option))
  const operands = given || isMode ? all : all.slice(1)
  if (syntax.writes === 'all' || (tool === 'install' && (seen.has('-d') || seen.has('--directory')))) return operands
  if (syntax.writes === undefined) return []
  const target = into ?? operands.at(-1)
  const sources = into === null ? operands.slice(0, -1) : operands
  // `rsync a host:b` writes nothing here.
  if (target === undefined || (tool === 'rsync' && /^[^/]+:/.test(target))) return []
  const placed = isPlain(target) ? sources.map((path) => `${target}/${lastPart(path)}`) : []
  return [...(syntax.writes === 'moved' ? sources : []), target, ...placed]
}

interface ReadWords {
  readonly outputs: readonly string[]
  readonly operands: readonly string[]
  readonly into: string | null
  /** The given options; short options separately. */
  readonly seen: ReadonlySet<string>
}

function read(words: readonly string[], syntax: ProgramSyntax): ReadWords {
  const values = new Set([...(syntax.values ?? []), ...(syntax.into ?? [])])
  const isOutput = (option: string) =>
    syntax.outputs?.includes(option) || (outputOptions.includes(option) && !syntax.notOutputs?.includes(option) && !values.has(option))
  const outputs: string[] = []
  const operands: string[] = []
  const seen = new Set<string>()
  let into: string | null = null
  const take = (option: string, value: string) => {
    if (syntax.into?.includes(option)) into = value
    else if (isOutput(option)) outputs.push(value)
  }
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    if (word === '--') {
      operands.push(...words.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const equals = word.indexOf('=')
    const option = equals > 0 ? word.slice(0, equals) : word
    if (equals > 0 && (isOutput(option) || values.has(option))) {
      seen.add(option)
      take(option, word.slice(equals + 1))
    } else if (values.has(word) || (isOutput(word) && next !== undefined && !next.startsWith('-'))) {
      seen.add(word)
      if (next !== undefined) take(word, next)
      at += 1
    } else if (word.startsWith('--')) seen.add(option)
    else at += readCluster(word, next)
  }
  return { outputs, operands, into, seen }

  /** `-pie`: letters up to one that takes the rest of the word or the next word. Returns how many further words were consumed. */
  function readCluster(word: string, next: string | undefined): 0 | 1 {
    if (/^-o[^-=]/.test(word) && word.includes('/') && isOutput('-o')) {
      outputs.push(word.slice(2))
      return 0
    }
    for (let at = 1; at < word.length; at += 1) {
      const option = `-${word.charAt(at)}`
      seen.add(option)
      if (syntax.attached?.includes(option)) return 0
      if (!values.has(option) && !syntax.outputs?.includes(option)) continue
      const rest = word.slice(at + 1)
      if (rest !== '') take(option, rest)
      else if (next !== undefined) take(option, next)
      return rest === '' && next !== undefined ? 1 : 0
    }
    return 0
  }
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  let left = words
  for (;;) {
    const start = left.findIndex((word) => !isAssignment(word) && !keywords.has(word))
    if (start < 0) return []
    left = left.slice(start)
    const [name = '', ...rest] = left
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    if (!wrapper) return left
    let at = 0
    for (; at < rest.length && rest[at]?.startsWith('-'); at += 1) if (wrapper.values?.includes(rest[at] ?? '')) at += 1
    left = rest.slice(at)
    if (wrapper.operands) left = left.slice(left.findIndex((word) => !isAssignment(word)) + wrapper.operands)
  }
}

function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word)
}

/** `D=../other`: where the variable is used, the path is not visible. */
function hidesPath(word: string): boolean {
  if (!isAssignment(word)) return false
  const value = word.slice(word.indexOf('=') + 1)
  return /(?:^|\/)\.\.(?:\/|$)/.test(value)
}

function isPath(word: string): boolean {
  return word !== '' && word !== '-' && !word.startsWith('&') && !word.startsWith('/dev/') && !word.includes('\0')
}

/** Without expansions and patterns. */
function isPlain(path: string): boolean {
  return !/[*?[\]$`]/.test(path) && !path.startsWith('~')
}

/** A pattern below the command's folder is covered by that folder. */
function staysWithin(path: string, folder: string | null, cwd: string): boolean {
  return folder !== null && !/[$`]/.test(path) && !path.startsWith('~') && isInside(resolve(folder, path), cwd)
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path
}
