// The paths a command says it will write or remove, read from its words. What a shell computes at run time is not guessed at.
import { isAbsolute, resolve } from 'node:path'

const outputOptions = new Set(['--output', '--out', '--file', '--write', '-o'])
const removers = new Set(['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'touch', 'mkdir', 'chmod', 'chown'])
const movers = new Set(['mv', 'cp', 'ln', 'install', 'rsync'])
const wrappers = new Set(['sudo', 'env', 'command', 'exec', 'nohup', 'time', 'xargs', 'then', 'do', 'else', '{', '('])

/** Absolute paths, in the order they are named, each once. */
export function commandTargets(command: string, cwd: string): string[] {
  const targets = new Set<string>()
  let folder = cwd
  for (const words of simpleCommands(command)) {
    const [name, ...operands] = withoutWrappers(words.filter((word) => word.role === 'word').map((word) => word.text))
    for (const path of [...redirected(words), ...named(name, operands)]) if (isPlain(path)) targets.add(resolve(folder, path))
    const [into] = operands
    if (name === 'cd' && into !== undefined && isPlain(into)) folder = resolve(folder, into)
  }
  return [...targets]
}

interface Word {
  readonly text: string
  readonly role: 'word' | 'redirected'
}

function redirected(words: readonly Word[]): string[] {
  return words.filter(({ role }) => role === 'redirected').map(({ text }) => text)
}

function named(name: string | undefined, operands: readonly string[]): string[] {
  const paths = optionValues(operands)
  const plain = operands.filter((word) => !word.startsWith('-'))
  if (name === undefined) return paths
  const tool = name.slice(name.lastIndexOf('/') + 1)
  if (removers.has(tool) || tool === 'tee') paths.push(...plain)
  else if (movers.has(tool)) paths.push(...(tool === 'mv' ? plain : plain.slice(-1)), ...intoFolder(plain))
  else if (tool === 'dd') paths.push(...operands.filter((word) => word.startsWith('of=')).map((word) => word.slice(3)))
  else if ((tool === 'sed' || tool === 'perl') && operands.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)))
    paths.push(...editedFiles(operands))
  return paths
}

/** `mv a b folder/` writes `folder/a` and `folder/b`. */
function intoFolder(operands: readonly string[]): string[] {
  const into = operands.at(-1)
  if (into === undefined) return []
  return operands.slice(0, -1).map((path) => `${into}/${path.replace(/\/+$/, '').split('/').at(-1)}`)
}

/** The first operand is the script, unless an option brought it. */
function editedFiles(operands: readonly string[]): string[] {
  const brings = (word: string | undefined) => word === '-e' || word === '-f'
  const plain = operands.filter((word, index) => !word.startsWith('-') && !brings(operands[index - 1]))
  const brought = operands.some((word) => brings(word) || word.startsWith('--expression') || word.startsWith('--file'))
  return brought ? plain : plain.slice(1)
}

function optionValues(operands: readonly string[]): string[] {
  const values: string[] = []
  operands.forEach((word, index) => {
    const equals = word.indexOf('=')
    const next = operands[index + 1]
    if (equals > 0 && outputOptions.has(word.slice(0, equals))) values.push(word.slice(equals + 1))
    else if (outputOptions.has(word) && next !== undefined && !next.startsWith('-')) values.push(next)
    else if (/^-o[^-=]/.test(word) && word.length > 3 && word.includes('/')) values.push(word.slice(2))
  })
  return values
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !wrappers.has(word) && !/^[A-Za-z_]\w*=/.test(word))
  return start < 0 ? [] : words.slice(start)
}

/** Expansions and patterns are known only when the shell runs. */
function isPlain(path: string): boolean {
  if (path === '' || path === '-' || path.startsWith('&') || path.startsWith('/dev/')) return false
  return !/[\0*?[\]$`]/.test(path) && (isAbsolute(path) || !path.startsWith('~'))
}

/** Words between `;`, `&&`, `||`, `|`, `&` and line ends, with quotes taken off. */
function simpleCommands(command: string): Word[][] {
  const commands: Word[][] = [[]]
  let text = ''
  let started = false
  let role: Word['role'] = 'word'
  const end = () => {
    if (started) commands.at(-1)?.push({ text, role })
    if (started) role = 'word'
    text = ''
    started = false
  }
  for (let at = 0; at < command.length; at += 1) {
    const letter = command.charAt(at)
    if (letter === "'") {
      const close = command.indexOf("'", at + 1)
      text += command.slice(at + 1, close < 0 ? undefined : close)
      started = true
      at = close < 0 ? command.length : close
    } else if (letter === '"') {
      started = true
      for (at += 1; at < command.length && command.charAt(at) !== '"'; at += 1) {
        if (command.charAt(at) === '\\' && '"\\$`'.includes(command.charAt(at + 1))) at += 1
        text += command.charAt(at)
      }
    } else if (letter === '\\') {
      at += 1
      if (command.charAt(at) !== '\n') text += command.charAt(at)
      started = true
    } else if (letter === '>') {
      if (/^\d+$|^&$/.test(text)) {
        text = ''
        started = false
      }
      end()
      while ('>|'.includes(command.charAt(at + 1)) && at + 1 < command.length) at += 1
      role = 'redirected'
    } else if (letter === '&' && command.charAt(at + 1) === '>') end()
    else if (letter === '&' && command.charAt(at - 1) === '>') {
      text += letter
      started = true
    } else if (';&|\n()'.includes(letter)) {
      end()
      role = 'word'
      commands.push([])
    } else if (/\s/.test(letter)) end()
    else {
      text += letter
      started = true
    }
  }
  end()
  return commands.filter((words) => words.length > 0)
}
