// Explains a command in plain language, part by part, for the user who approves it. It decides nothing; parts that it does not understand are marked.
import { cutText, previewLimits } from '@tandem/contract/run'
import { grouped } from '@tandem/contract/text'
import { misleadingCharacter } from './characters.ts'
import { type Node, withParsedTree } from './grammar.ts'
import { readLiteral } from './literal.ts'
import { explainProgram } from './program-words.ts'
import { coversAllText, hasJoinedLines } from './understand.ts'
import { maxLength } from './understanding.ts'

export interface CommandPart {
  readonly text: string
  readonly explains: string
}

export async function explainCommand(command: string): Promise<CommandPart[]> {
  const whole = (reason: string) => [part(command, `Not understood: ${reason}. Read the whole command.`)]
  if (command.trim() === '') return []
  if (command.length > maxLength) return whole(`it is longer than ${grouped(maxLength)} characters`)
  const hidden = misleadingCharacter(command)
  if (hidden !== null) return whole(`it contains ${hidden}`)
  const parts = await withParsedTree(command, (root) =>
    root.hasError ? null : hasJoinedLines(root, command) ? 'broken' : allParts(root, command),
  )
  if (!parts) return whole('it is not valid bash')
  if (parts === 'broken') return whole('it is unclear where its commands end')
  const left = parts.length - previewLimits.parts
  if (left <= 0) return parts
  return [...parts.slice(0, previewLimits.parts - 1), part('…', `${left + 1} more parts are not explained. Read the whole command.`)]
}

/** The grammar skips some text, such as the end of a continued line. */
function allParts(root: Node, command: string): CommandPart[] {
  const unread = coversAllText(root, command) ? [] : [part('…', 'Part of the command was not analyzed. Read the whole command.')]
  return [...partsOf(root, ''), ...unread]
}

/** What an operator means for the command after it. */
const operators: Readonly<Record<string, string>> = {
  '&&': 'If that succeeds: ',
  '||': 'If that fails: ',
  ';': 'Then: ',
  '\n': 'Then: ',
  '|': 'With that output as its input: ',
  '|&': 'With that output and its errors as its input: ',
  '&': 'Meanwhile: ',
}

/** Constructs whose commands are explained one by one. */
const constructs: Readonly<Record<string, string>> = {
  subshell: 'A group of commands in a subshell:',
  compound_statement: 'A group of commands:',
  if_statement: 'Runs commands only under a condition:',
  while_statement: 'Repeats commands while a condition is true:',
  for_statement: 'Repeats commands for each of several values:',
  c_style_for_statement: 'Repeats commands:',
  case_statement: 'Runs commands that depend on a value:',
  function_definition: 'Defines a function, which runs when it is called:',
  negated_command: 'Inverts success and failure:',
}

/** What changes only the shell itself. */
const settings: Readonly<Record<string, string>> = {
  variable_assignment: 'Sets a variable for the commands that follow.',
  variable_assignments: 'Sets variables for the commands that follow.',
  declaration_command: 'Sets or removes variables for the commands that follow.',
  unset_command: 'Sets or removes variables for the commands that follow.',
  test_command: 'Checks a condition.',
  comment: 'A comment. It does nothing.',
}

/** `before` is the text for the operator in front of the node. */
function partsOf(node: Node, before: string): CommandPart[] {
  if (node.type === 'program' || node.type === 'list' || node.type === 'pipeline') return sequence(node, before)
  if (node.type === 'command') return simple(node, before)
  if (node.type === 'redirected_statement') {
    const body = node.children.filter((child) => child.isNamed && !isRedirect(child))
    return [...body.flatMap((child) => partsOf(child, before)), ...node.children.filter(isRedirect).flatMap(redirect)]
  }
  const setting = settings[node.type]
  if (setting !== undefined) return [part(node.text, `${before}${setting}`), ...inside(node)]
  const construct = constructs[node.type]
  if (construct === undefined) return [part(node.text, `${before}Not understood. Read it in full.`)]
  return [part(node.text, `${before}${construct}`), ...node.children.flatMap(within)]
}

function sequence(node: Node, before: string): CommandPart[] {
  let join = before
  return node.children.flatMap((child) => {
    const parts = child.isNamed ? partsOf(child, join) : child.type === '&' ? [part('&', 'Runs that in the background.')] : []
    // The grammar has no node for a newline.
    join = operators[child.isNamed ? '\n' : child.type] ?? ''
    return parts
  })
}

const running: readonly string[] = ['command', 'redirected_statement', 'pipeline', 'list', ...Object.keys(constructs)]

/** Words and patterns of a construct are skipped; only the commands in it are explained. */
function within(node: Node): CommandPart[] {
  if (running.includes(node.type)) return partsOf(node, '')
  return isSubstitution(node) ? substitution(node) : node.children.flatMap(within)
}

function simple(node: Node, before: string): CommandPart[] {
  const own = node.children.filter((child) => !isRedirect(child))
  const words = own.filter(({ type }) => type !== 'variable_assignment').map(wordOf)
  const set = own.filter(({ type }) => type === 'variable_assignment').map(({ text }) => text.split('=', 1)[0])
  const says = `${before}${explainProgram(words)}${set.length === 0 ? '' : ` Sets ${set.join(', ')} for this program.`}`
  return [part(own.map(({ text }) => text).join(' '), says), ...own.flatMap(inside), ...node.children.filter(isRedirect).flatMap(redirect)]
}

/** Null for a word that only the shell can compute. */
function wordOf(node: Node): string | null {
  const read = readLiteral(node.text)
  return 'text' in read ? read.text : null
}

/** Variables, and commands inside words, which run first. */
function inside(node: Node): CommandPart[] {
  if (isSubstitution(node)) return substitution(node)
  const isVariable = node.type === 'simple_expansion' || node.type === 'expansion'
  const own = isVariable ? [part(node.text, 'The value of a variable, which is known only when the command runs.')] : []
  return [...own, ...node.children.flatMap(inside)]
}

function isSubstitution({ type }: Node): boolean {
  return type === 'command_substitution' || type === 'process_substitution'
}

function substitution(node: Node): CommandPart[] {
  const runs = node.children.filter(({ isNamed }) => isNamed)
  return [part(node.text, 'Runs first. What it prints becomes part of the command:'), ...runs.flatMap((child) => partsOf(child, ''))]
}

function isRedirect({ type }: Node): boolean {
  return type.endsWith('_redirect')
}

function redirect(node: Node): CommandPart[] {
  const [text = ''] = node.text.split('\n', 1)
  if (node.type === 'herestring_redirect') return [part(text, 'Gives it this text as its input.'), ...inside(node)]
  if (node.type !== 'heredoc_redirect') return [part(text, redirectWords(node)), ...inside(node)]
  const rest = node.children.flatMap((child) =>
    isRedirect(child) ? redirect(child) : running.includes(child.type) ? partsOf(child, '') : inside(child),
  )
  return [part(text, 'Gives it the lines that follow as its input.'), ...rest]
}

function redirectWords(node: Node): string {
  const descriptor = node.children.find(({ type }) => type === 'file_descriptor')?.text
  const [operator, target] = node.children.filter(({ type }) => type !== 'file_descriptor')
  const sign = operator?.type ?? ''
  const what = descriptor === '2' ? 'error messages' : sign.startsWith('&>') ? 'output and error messages' : 'output'
  const to = target === undefined ? '' : (wordOf(target) ?? target.text)
  if (sign === '<') return `Reads its input from ${to}.`
  if (sign === '>&' && to === '1') return `Sends its ${what} to the same place as its output.`
  if (sign === '>&' && to === '2') return `Sends its ${what} to the same place as its error messages.`
  if (to === '/dev/null') return `Discards its ${what}.`
  if (['>', '>|', '&>'].includes(sign)) return `Writes its ${what} to ${to}, replacing its content.`
  if (['>>', '&>>'].includes(sign)) return `Adds its ${what} to the end of ${to}.`
  return 'Redirects its input or output.'
}

/** The whole command is shown above its parts. */
const longestPart = 400

function part(text: string, explains: string): CommandPart {
  const { text: beginning, cut } = cutText(text, longestPart)
  return { text: cut ? `${beginning}…` : text, explains }
}
