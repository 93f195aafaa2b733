// `tandem run` in a pseudo terminal, with a user who approves everything, and its output as HTML.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))
const columns = 100

/** Everything that was printed, with its escape sequences. It attaches to the runtime of that home. */
export function runInTerminal(message: string, where: { readonly home: string; readonly workspace: string }): Promise<string> {
  const quoted = [process.execPath, bin, 'run', message].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows 50; exec ${quoted}`, '/dev/null'], {
    cwd: where.workspace,
    env: { ...process.env, TANDEM_HOME: where.home, TERM: 'xterm-256color', NO_COLOR: undefined, FORCE_COLOR: undefined },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let printed = ''
  let answered = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const isApproval = printed.indexOf('[s]how all: ', answered) >= 0
    if (!isApproval && printed.indexOf('or your own answer: ', answered) < 0) return
    answered = printed.length
    child.stdin.write(isApproval ? 'o\r' : '1\r')
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(printed) : reject(new Error(`tandem run ended with ${code}: ${printed}`))))
  })
}

const styles: Readonly<Record<string, string>> = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 36: 'cyan' }
const ends: Readonly<Record<string, readonly string[]>> = { 22: ['bold', 'dim'], 39: ['red', 'green', 'yellow', 'cyan'] }

/** One piece of HTML per approval and per result: lines as a terminal shows them in the end. */
export function terminalPieces(printed: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of a terminal.
  const rewritten = /[^\n]*(?:\r\u001b\[2K|\u001b\[1G\u001b\[0J)/g
  const lines = printed.replaceAll('\r\n', '\n').replace(rewritten, '')
  return lines
    .split(/(?<=\n)(?=\n)|(?<=\[s\]how all: [^\n]*\n)/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map(htmlOf)
}

function htmlOf(text: string): string {
  const on = new Set<string>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of a terminal.
  const parts = text.split(/(\u001b\[[0-?]*[@-~])/)
  return parts
    .map((part) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of a terminal.
      const [, codes] = /^\u001b\[([\d;]*)m$/.exec(part) ?? []
      for (const code of codes?.split(';') ?? []) {
        for (const style of ends[code] ?? []) on.delete(style)
        const style = styles[code]
        if (style !== undefined) on.add(style)
        if (code === '0' || code === '') on.clear()
      }
      if (part.startsWith('\u001b')) return ''
      const shown = part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '')
      return shown === '' ? '' : `<span class="${[...on].join(' ')}">${shown}</span>`
    })
    .join('')
}
