// ripgrep as a child process: its arguments are built here, and its output is read line by line. Its regular expressions take linear time,
// so a pattern from a model cannot hang it.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { delimiter, isAbsolute, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { ToolFailure } from '../../call/failure.ts'
import type { MatchBytes } from './verify-match.ts'

/** Longer lines of ripgrep's output are dropped: a match in a line of megabytes is of no use. */
const longestAnswer = 256 * 1024
/** The length of a line that is stored for the comparison with the file. */
const mostCompared = 4_096

/** The messages of ripgrep that are used. */
export type RipgrepMessage =
  | { readonly type: 'match' | 'context'; readonly path: string; readonly line: number; readonly text: string; readonly found: MatchBytes }
  | { readonly type: 'end'; readonly path: string; readonly matched_lines: number }
  | { readonly type: 'dropped' }

/**
 * The program in `path`, but never one in a folder that an agent can write to: such a program would run outside of every sandbox.
 */
export async function findRipgrep(path: string, writable: readonly string[]): Promise<string> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue
    const file = join(folder, name)
    const real = await access(file, constants.X_OK).then(
      () => realpath(file),
      () => null,
    )
    if (real && ![file, real].some((place) => writable.some((below) => place.startsWith(below + sep)))) return real
  }
  throw new ToolFailure('ripgrep_missing', 'fs.search needs ripgrep (rg), which is not installed.', {
    subject: 'ripgrep',
    remedy: 'Install the package ripgrep (apt-get install ripgrep, brew install ripgrep, winget install BurntSushi.ripgrep.MSVC).',
    recoverability: 'user_action',
  })
}

export interface RipgrepCall {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The file to search, as standard input; null if a folder is searched. */
  readonly input: number | null
  readonly signal: AbortSignal
}

/** Ends the process when the caller stops reading. */
export async function* runRipgrep({ program, args, cwd, input, signal }: RipgrepCall): AsyncGenerator<RipgrepMessage> {
  signal.throwIfAborted()
  const stdio = [input ?? 'ignore', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { cwd, env: {}, stdio: [...stdio], windowsHide: true }) as ChildProcessByStdio<
    null,
    Readable,
    Readable
  >
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  // A caller that stops early does not wait for it.
  ended.catch(() => undefined)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < 4_000) complaint += text
  })
  try {
    for await (const line of answers(child.stdout)) {
      const message = line === null ? ({ type: 'dropped' } as const) : readMessage(line)
      if (message) yield message
    }
    const code = await ended
    signal.throwIfAborted()
    // 1 means nothing was found. With --no-messages it reports only errors of the request, not files it cannot open.
    if (code === 2 && complaint !== '') throw invalid(complaint)
  } finally {
    signal.removeEventListener('abort', stop)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  }
}

function invalid(complaint: string): ToolFailure {
  return new ToolFailure('invalid_pattern', `ripgrep refused the request: ${complaint.trim().slice(0, 1_000)}`, {
    remedy:
      'Correct `pattern`, `glob` or `type`; use `fixed_strings` to search for literal text. Look-around and back-references are not supported.',
  })
}

/** `null` for a line that was too long. */
async function* answers(stream: Readable): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      length += end - from
      parts.push(chunk.subarray(from, end))
      yield length > longestAnswer ? null : Buffer.concat(parts).toString('utf8')
      parts = []
      length = 0
      from = end + 1
    }
    length += chunk.length - from
    if (length <= longestAnswer) parts.push(chunk.subarray(from))
    else parts = []
  }
}

interface RawText {
  readonly text?: string
  readonly bytes?: string
}

interface RawMessage {
  readonly type: string
  readonly data: {
    readonly path?: RawText
    readonly lines?: RawText
    readonly line_number?: number
    readonly absolute_offset?: number
    readonly stats?: { readonly matched_lines?: number }
  }
}

function readMessage(line: string): RipgrepMessage | null {
  const { type, data } = JSON.parse(line) as RawMessage
  const path = plain(data.path)
  if (type === 'match' || type === 'context') {
    const found = { offset: data.absolute_offset ?? 0, bytes: Buffer.copyBytesFrom(raw(data.lines).subarray(0, mostCompared)) }
    return { type, path, line: data.line_number ?? 0, text: plain(data.lines), found }
  }
  if (type !== 'end') return null
  return { type, path, matched_lines: data.stats?.matched_lines ?? 0 }
}

function raw(text: RawText | undefined): Buffer {
  return text?.text === undefined ? Buffer.from(text?.bytes ?? '', 'base64') : Buffer.from(text.text)
}

function plain(text: RawText | undefined): string {
  return text?.text ?? raw(text).toString('latin1')
}
