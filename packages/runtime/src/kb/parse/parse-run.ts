// One parsing process: what it gets, what it answers, and why it ended.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { CommandExit } from '../../call/commands.ts'
import type { CallScope } from '../../call/scope.ts'
import { checkedAnswer } from './answer.ts'
import type { DocumentFile } from './batches.ts'
import { parseLimitScript, parseLimits } from './parse-limits.ts'
import type { ParsedDocument, Unreadable } from './parsed.ts'
import type { ParserOptions } from './parser.ts'

export interface ParseRun {
  /** Of the first files, as far as it got. */
  readonly results: readonly (ParsedDocument | Unreadable)[]
  /** What is wrong with the next file, if there is one. */
  readonly end: Unreadable
}

const entry = fileURLToPath(new URL('./parse-process.js', import.meta.url))

/** Throws a `Refused` if there is no sandbox, and the reason of the signal if it is aborted. */
export async function startParsing(options: ParserOptions, files: readonly DocumentFile[], signal: AbortSignal): Promise<ParseRun> {
  const { sandbox, clock, log } = options
  mkdirSync(options.temp, { recursive: true })
  const temp = realpathSync(mkdtempSync(join(options.temp, 'parse-')))
  const stop = new AbortController()
  const cancel = clock.after(parseLimits.wall_ms, () => stop.abort(new DOMException('Reading took too long.', 'TimeoutError')))
  const output = openOutput(files, () => stop.abort(new Error('the process wrote too much, or something that is not an answer')))
  try {
    const heap = `--max-old-space-size=${parseLimits.heap_bytes / 1024 / 1024}`
    const command = await sandbox.runner(scopeOf(options.home, temp)).start(
      {
        argv: ['bash', '-c', parseLimitScript, 'parse', process.execPath, heap, entry],
        cwd: temp,
        stdin: inputOf(files),
        onOutput: output.add,
      },
      AbortSignal.any([signal, stop.signal]),
    )
    const exit = await command.done
    signal.throwIfAborted()
    const run = { results: output.results, end: endOf(exit, output) }
    if (run.results.length < files.length)
      log(`knowledge: a parsing process ended early (${describe(exit)}): ${output.errors().slice(-500)}`)
    return run
  } finally {
    cancel()
    rmSync(temp, { recursive: true, force: true })
  }
}

function inputOf(files: readonly DocumentFile[]): Uint8Array {
  return Buffer.concat(files.flatMap(({ name, bytes }) => [Buffer.from(`${JSON.stringify({ name, size: bytes.length })}\n`), bytes]))
}

/** Its own folder, and nothing else: no files of the user, no hosts. */
function scopeOf(home: string, temp: string): CallScope {
  const policy = defaultToolPolicy('fs.read')
  return {
    ids: { agent_id: 'knowledge', conversation_id: 'knowledge', run_id: 'knowledge', call_id: 'knowledge' },
    tool: 'kb.ingest',
    workspace: temp,
    temp,
    home,
    policy: { ...policy, network_scope: { hosts: [] }, fs_scope: { roots: [], globs: [] } },
    sandbox_mode: 'strict',
    report: () => undefined,
  }
}

interface ParseOutput {
  readonly results: readonly (ParsedDocument | Unreadable)[]
  readonly isTooMuch: () => boolean
  errors(): string
  add(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void
}

/** Collects lines and checks each one when it is complete. */
function openOutput(files: readonly DocumentFile[], end: () => void): ParseOutput {
  const results: (ParsedDocument | Unreadable)[] = []
  let line: Uint8Array[] = []
  let size = 0
  let errors = ''
  let isOver = false

  function stop(): void {
    isOver = true
    end()
  }

  function endLine(): void {
    const file = files[results.length]
    const result = file ? checkedAnswer(Buffer.concat(line).toString('utf8'), results.length, file.bytes) : null
    line = []
    // A process whose answer is not valid is not trusted with another file.
    if (!result) stop()
    else results.push(result)
  }

  return {
    results,
    isTooMuch: () => size > parseLimits.output_bytes,
    errors: () => errors,
    add(chunk, stream) {
      if (stream === 'stderr') {
        errors = (errors + Buffer.from(chunk).toString('latin1')).slice(-4_000)
        return
      }
      size += chunk.length
      if (isOver || size > parseLimits.output_bytes) {
        stop()
        return
      }
      let from = 0
      for (let at = chunk.indexOf(0x0a); at >= 0 && !isOver; at = chunk.indexOf(0x0a, from)) {
        line.push(chunk.subarray(from, at))
        endLine()
        from = at + 1
      }
      if (from < chunk.length) line.push(chunk.subarray(from))
    },
  }
}

/** Exit codes as a shell reports the signals of memory exhaustion: trap, abort, kill. */
const memoryCodes: readonly number[] = [133, 134, 137]
const processorTimeCode = 152

function endOf(exit: CommandExit, output: ParseOutput): Unreadable {
  if (exit.timed_out || exit.code === processorTimeCode || exit.signal === 'SIGXCPU') return { problem: 'too_long', detail: null }
  if (output.isTooMuch()) return { problem: 'too_large', detail: 'Its text is too long.' }
  const isMemory = memoryCodes.includes(exit.code ?? 0) || /out of memory|bad_alloc|cannot allocate|ENOMEM/i.test(output.errors())
  return isMemory ? { problem: 'too_much_memory', detail: null } : { problem: 'failed', detail: null }
}

function describe({ code, signal, timed_out }: CommandExit): string {
  return timed_out ? 'timed out' : signal ? `signal ${signal}` : `code ${code}`
}
