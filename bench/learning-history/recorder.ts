// Performs calls in a world and records what came of them.
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { FailureContract } from '../../packages/contract/src/failure/index.ts'
import type { Action } from './action.ts'
import type { Call, CommandResult } from './run.ts'
import type { World } from './world.ts'

const outputLimit = 8_000
const longestCommand = 20
/** Tools of this repository that a project links to are recorded as its own. */
const modules = resolve(import.meta.dirname, '../../node_modules')

export class Recorder {
  readonly calls: Call[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async perform(action: Action, role?: 'root'): Promise<Call> {
    const started = performance.now()
    const done = await this.#do(typeof action === 'string' ? { command: action, seconds: 0 } : action)
    const call: Call = {
      call_id: `call_${this.#world.random.hex(10)}`,
      ...this.#clean({ tool: done.tool, arguments: done.arguments }),
      duration_ms: Math.round(performance.now() - started),
      ...(role === 'root' ? { root: true } : {}),
      ...this.#clean(done.outcome),
    }
    this.calls.push(call)
    return call
  }

  async #do(action: Exclude<Action, string>): Promise<Done> {
    if ('command' in action) {
      const { command, seconds } = action
      const limit = seconds > 0 ? { time_limit_seconds: seconds } : {}
      return { tool: 'shell.exec', arguments: { command, ...limit }, outcome: { result: await this.#execute(command, seconds) } }
    }
    if ('script' in action) {
      const { script, code, seconds = 0 } = action
      const limit = seconds > 0 ? { time_limit_seconds: seconds } : {}
      const ending = { python: 'py', node: 'cjs', bash: 'sh' }[script]
      const program = { python: 'python3', node: 'node', bash: 'bash' }[script]
      const file = `.scripts/${this.#world.random.hex(6)}.${ending}`
      mkdirSync(join(this.#world.folder, '.scripts'), { recursive: true })
      writeFileSync(join(this.#world.folder, file), code)
      const result = await this.#execute(`${program} ${file}`, seconds)
      return { tool: 'script.run', arguments: { language: script, code, ...limit }, outcome: { result } }
    }
    if ('refused' in action) return { tool: action.refused, arguments: action.arguments, outcome: { failure: action.failure } }
    return this.#useFiles(action)
  }

  #useFiles(action: FileAction): Done {
    const { folder } = this.#world
    const attempt = (tool: string, path: string, more: object, run: (full: string) => string): Done => {
      const described = { tool, arguments: { path, ...more } }
      try {
        return { ...described, outcome: { text: cut(run(resolve(folder, path))) } }
      } catch (error) {
        if (!(error instanceof Error)) throw error
        return { ...described, outcome: { failure: failureOf(tool, path, error) } }
      }
    }
    if ('read' in action) return attempt('fs.read', action.read, {}, (full) => readFileSync(full, 'utf8'))
    if ('list' in action) return attempt('fs.list', action.list, {}, (full) => readdirSync(full).sort().join('\n'))
    if ('write' in action) {
      return attempt('fs.write', action.write, { content: action.content }, (full) => {
        writeFileSync(full, action.content)
        return `${action.content.length} bytes`
      })
    }
    if ('edit' in action) {
      return attempt('fs.edit', action.edit, { edits: [{ old: action.old, new: action.new }] }, (full) => {
        const text = readFileSync(full, 'utf8')
        if (!text.includes(action.old))
          throw Object.assign(new Error(`${action.old} does not occur in ${full}`), { code: 'TEXT_NOT_FOUND' })
        writeFileSync(full, text.replace(action.old, action.new))
        return '1 replacement'
      })
    }
    return attempt('fs.search', action.within, { pattern: action.search }, (full) => this.#search(full, action.search))
  }

  #search(folder: string, text: string): string {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/node_modules|\.git|\.venv/.test(entry.parentPath))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name)
        const lines = readFileSync(path, 'utf8').split('\n')
        return lines.flatMap((line, at) => (line.includes(text) ? [`${relative(folder, path)}:${at + 1}: ${line}`] : []))
      })
    return found.slice(0, 20).join('\n') || '0 matches'
  }

  /** The outputs of both kinds go to one file, in the order they are written. */
  async #execute(command: string, seconds: number): Promise<CommandResult> {
    const { base, folder, environment } = this.#world
    const file = join(base, 'output')
    const output = openSync(file, 'w')
    const child = spawn('/bin/bash', ['-c', command], { cwd: folder, env: environment, stdio: ['ignore', output, output], detached: true })
    let timedOut = false
    const stop = setTimeout(
      () => {
        timedOut = true
        end(child.pid, 'SIGTERM')
        setTimeout(() => end(child.pid, 'SIGKILL'), 300).unref()
      },
      1_000 * (seconds || longestCommand),
    )
    const [exit_code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, name) => resolve([code, name]))
    })
    clearTimeout(stop)
    end(child.pid, 'SIGKILL')
    closeSync(output)
    const text = readFileSync(file, 'utf8')
    rmSync(file)
    if (timedOut && seconds === 0) throw new Error(`${command} did not end`)
    return { exit_code, signal, timed_out: timedOut, output: cut(text) }
  }

  /** Paths are recorded as if the temporary folder were the root of the file system. */
  #clean<Value extends object>(value: Value): Value {
    const { base, folder } = this.#world
    return JSON.parse(
      JSON.stringify(value)
        .replaceAll(modules, join(folder, 'node_modules'))
        .replaceAll(relative(folder, modules), 'node_modules')
        .replaceAll(base, ''),
    ) as Value
  }
}

type FileAction = Extract<Action, { read: string } | { list: string } | { search: string } | { write: string } | { edit: string }>

interface Done {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly outcome: Pick<Call, 'result' | 'text' | 'failure'>
}

/** What is left of the group of a command. */
function end(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has ended.
  }
}

function cut(text: string): string {
  if (text.length <= outputLimit) return text
  const half = outputLimit / 2 - 50
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters left out …]\n${text.slice(-half)}`
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'not_found',
  EACCES: 'permission_denied',
  EISDIR: 'is_a_directory',
  ENOTDIR: 'not_a_directory',
  TEXT_NOT_FOUND: 'text_not_found',
}

function failureOf(tool: string, path: string, error: NodeJS.ErrnoException): FailureContract {
  return {
    taxonomy: 'none',
    stage: 'tool_execution',
    source: tool,
    reason_code: reasons[error.code ?? ''] ?? 'failed',
    recoverability: 'user_action',
    details: { message: error.message, subject: path },
  }
}
