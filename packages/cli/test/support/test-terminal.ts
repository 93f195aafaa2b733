// A `tandem` command in a pseudo terminal, with a user who answers one question.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../bin/tandem.js', import.meta.url))

export function inTerminal(
  args: readonly string[],
  cwd: string,
  home: string,
  question: string,
  answer: string,
): Promise<{ readonly status: number | null; readonly text: string }> {
  const quoted = [process.execPath, bin, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, TMPDIR, TANDEM_HOME: home, TERM: 'dumb' }
  const child = spawn('script', ['-qfec', `exec ${quoted}`, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  let isAnswered = false
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    if (isAnswered || !text.includes(question)) return
    isAnswered = true
    child.stdin.write(`${answer}\r`)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, text }))
  })
}
