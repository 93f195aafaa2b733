// Parses a command. Everything is refused except a short list of forms: a pipe, a list, a redirect to a literal name.
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { misleadingCharacter } from './characters.ts'
import { type Node, withParsedTree } from './grammar.ts'
import { readLiteral } from './literal.ts'
import { changesFolder, shellBuiltins } from './programs.ts'
import { maxCommands, maxLength, type ParsedCommand, type SimpleCommand } from './understanding.ts'

/** If `folder` is given, files have full paths: a rule about `out.txt` is a rule about one file. */
export async function parseCommand(command: string, folder?: string): Promise<ParsedCommand> {
  const before = outwardly(command)
  if (before) return { understood: false, reason: before }
  try {
    const found = (await withParsedTree(command, (root) => takenApart(root, command))) ?? {
      understood: false,
      reason: 'it could not be parsed',
    }
    return folder !== undefined && found.understood ? placed(found, folder) : found
  } catch (error) {
    if (error instanceof NotUnderstood) return { understood: false, reason: error.message }
    throw error
  }
}

function placed(found: Extract<ParsedCommand, { understood: true }>, folder: string): ParsedCommand {
  const full = (paths: readonly string[]) => paths.map((path) => resolve(folder, path))
  return { ...found, folder, writes: full(found.writes), reads: full(found.reads) }
}

/** Aborts the walk from any depth; caught in this file. */
class NotUnderstood extends Error {}

interface Found {
  readonly source: string
  readonly commands: SimpleCommand[]
  readonly writes: string[]
  readonly reads: string[]
}

function outwardly(command: string): string | null {
  if (command.trim() === '') return 'there is no command'
  if (command.length > maxLength) return `it is longer than ${maxLength} characters`
  return misleadingCharacter(command)
}

function takenApart(root: Node, source: string): ParsedCommand {
  if (root.hasError) throw new NotUnderstood('its syntax has an error')
  if (!coversAllText(root, source)) throw new NotUnderstood('it continues on another line, or part of it was not read')
  if (hasJoinedLines(root, source)) throw new NotUnderstood('it is unclear where its commands end')
  const found: Found = { source, commands: [], writes: [], reads: [] }
  walk(root, found)
  const words = found.commands.map((one) => one.words)
  return {
    understood: true,
    commands: found.commands,
    writes: found.writes,
    reads: found.reads,
    cwd_changes: words.some(([program]) => changesFolder.includes(program ?? '')),
  }
}

/** The tokens that are allowed between the parts of each form. */
const glue: Readonly<Record<string, readonly string[]>> = {
  program: [';', '\n'],
  list: ['&&', '||'],
  pipeline: ['|'],
  redirected_statement: [],
}

function walk(node: Node, found: Found): void {
  const between = glue[node.type]
  if (node.type === 'redirected_statement' && node.children.every(({ type }) => type === 'file_redirect')) {
    throw new NotUnderstood('it redirects without a command')
  }
  if (!between) throw new NotUnderstood(`it contains ${named(node)}`)
  for (const child of node.children) {
    if (child.type === 'command') takeCommand(child, found)
    else if (child.type === 'file_redirect') takeRedirect(child, found)
    else if (child.isNamed) walk(child, found)
    else if (!between.includes(child.type)) throw new NotUnderstood(`it contains ${named(child)}`)
    // The grammar parses `;&` as two tokens; in bash it is the one that ends a branch of `case`.
    else if (child.type === ';' && /[;&]/.test(found.source.charAt(child.endIndex))) throw new NotUnderstood('its syntax has an error')
  }
}

function takeCommand(node: Node, found: Found): void {
  const words: string[] = []
  const patterns: string[] = []
  let end = -1
  for (const child of node.children) {
    // The grammar parses `"a"\b` as two words; bash parses it as one.
    if (child.startIndex === end) throw new NotUnderstood('its words are not separated')
    end = child.type === 'file_redirect' ? -1 : child.endIndex
    if (child.type === 'file_redirect') takeRedirect(child, found)
    else {
      const word = wordOf(child.type === 'command_name' && words.length === 0 ? only(child) : child, words.length === 0)
      words.push(word)
      if (isPattern(child)) patterns.push(word)
    }
  }
  const [program = ''] = words
  if (program === '' || program.trim() !== program) throw new NotUnderstood('the name of its program begins or ends with a space')
  const own = shellBuiltins.get(program)
  if (own) throw new NotUnderstood(own)
  if (program === 'printf' && words.some((word) => word.startsWith('-v'))) throw new NotUnderstood('it sets a variable')
  if (program === 'test' && words.includes('-v')) throw new NotUnderstood('it reads a variable')
  found.commands.push({ words, text: node.text, ...(patterns.length > 0 ? { patterns } : {}) })
  if (found.commands.length > maxCommands) throw new NotUnderstood(`it has more than ${maxCommands} commands`)
}

const wordTypes: readonly string[] = ['word', 'number', 'string', 'raw_string', 'concatenation']

function wordOf(node: Node, isProgram = false): string {
  if (!wordTypes.includes(node.type)) throw new NotUnderstood(`it contains ${named(node)}`)
  const read = readLiteral(node.text)
  if ('reason' in read) throw new NotUnderstood(`it contains ${read.reason}`)
  if (isProgram && (read.glob || node.text.startsWith('~'))) throw new NotUnderstood('the name of its program is a pattern')
  if (isProgram && /^[A-Za-z_]\w*(?:\[.*\])?\+?=/.test(node.text)) throw new NotUnderstood('it sets a variable')
  return read.text
}

function isPattern(node: Node): boolean {
  const read = readLiteral(node.text)
  return 'glob' in read && read.glob
}

function only(node: Node): Node {
  const [child, ...more] = node.children
  if (!child || more.length > 0) throw new NotUnderstood('the name of its program is not one word')
  return child
}

function takeRedirect(node: Node, found: Found): void {
  const [descriptor] = node.children.filter(({ type }) => type === 'file_descriptor')
  // The grammar parses `-2>` as a descriptor; bash parses it as the word `-2` before a `>`.
  if (descriptor && !/^[0-9]$/.test(descriptor.text)) throw new NotUnderstood('a redirection looks like part of a word')
  if (descriptor && !/[\s;|&]/.test(found.source.charAt(descriptor.startIndex - 1))) throw new NotUnderstood('its words are not separated')
  const parts = node.children.filter(({ type }) => type !== 'file_descriptor')
  const [operator, target, ...more] = parts
  if (!operator || more.length > 0) throw new NotUnderstood('it has words after a redirection')
  if (/^[<>]&-$/.test(operator.type) && !target) return
  if (!target) throw new NotUnderstood('a redirection has no target')
  if (/^[<>]&$/.test(operator.type) && /^[012]$/.test(target.text)) return
  const path = wordOf(target)
  const read = readLiteral(target.text)
  if ('glob' in read && read.glob) throw new NotUnderstood('the target of a redirection is a pattern')
  if (path === '' || /^\/dev\/(?:tcp|udp)\//.test(path)) throw new NotUnderstood('the target of a redirection is not a file')
  const full = target.text.startsWith('~') ? path.replace('~', homedir()) : path
  if (operator.type === '<') found.reads.push(full)
  else if (!['>', '>>', '>|', '&>', '&>>'].includes(operator.type)) throw new NotUnderstood(`it contains ${operator.type}`)
  else if (!nowhere.includes(full)) found.writes.push(full)
}

const nowhere: readonly string[] = ['/dev/null', '/dev/stdout', '/dev/stderr']

/** Whether the leaves of the tree cover all of the text except blanks: text that the grammar skipped was not checked. */
export function coversAllText(root: Node, source: string): boolean {
  let at = 0
  const passed = (until: number) => /^[ \t\n]*$/.test(source.slice(at, until))
  const leaves = (node: Node): boolean => {
    if (node.childCount === 0 || wordTypes.includes(node.type)) {
      if (!passed(node.startIndex)) return false
      at = node.endIndex
      return true
    }
    return node.children.every(leaves)
  }
  return leaves(root) && passed(source.length)
}

/** Forms that end with their line. After two pipes the grammar parses the next line as more words of the last command. */
const oneLine: readonly string[] = ['command', 'file_redirect', 'redirected_statement']

export function hasJoinedLines(node: Node, source: string): boolean {
  const gaps = node.children.slice(1).map((child, at) => source.slice(node.children[at]?.endIndex, child.startIndex))
  // A continued line has its backslash in the gap.
  if (oneLine.includes(node.type) && gaps.some((gap) => gap.replaceAll('\\\n', '').includes('\n'))) return true
  return node.children.some((child) => hasJoinedLines(child, source))
}

const names: Readonly<Record<string, string>> = {
  '&': 'a command in the background',
  command_substitution: 'a command inside a command',
  process_substitution: 'a command inside a command',
  simple_expansion: 'a variable',
  expansion: 'a variable',
  ansi_c_string: "an escaped string ($'…')",
  heredoc_redirect: 'a here-document',
  herestring_redirect: 'a here-string',
  variable_assignment: 'a variable assignment',
  declaration_command: 'a variable assignment',
  function_definition: 'a function',
  subshell: 'a subshell',
  comment: 'a comment',
}

function named(node: Node): string {
  return names[node.type] ?? `something that is not a simple command (${node.type.replaceAll('_', ' ').trim() || 'line break'})`
}
