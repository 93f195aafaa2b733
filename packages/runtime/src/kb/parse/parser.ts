// Reads documents in a process of the command sandbox, a few per process. A file that ends its process does not affect the others.
import type { DocumentFormat } from '@tandem/contract/knowledge'
import { isTextFormat } from '@tandem/contract/knowledge'
import { Refused } from '../../call/failure.ts'
import type { Clock } from '../../clock/clock.ts'
import { late, withinTime } from '../../clock/time-limit.ts'
import type { CommandSandbox } from '../../sandbox/command/sandbox.ts'
import { openWorkerCalls } from '../../thread/worker-calls.ts'
import { batchesOf, type DocumentFile, isTooLarge } from './batches.ts'
import { parseLimits } from './parse-limits.ts'
import { type ParseRun, startParsing } from './parse-run.ts'
import type { ParsedDocument, Unreadable } from './parsed.ts'
import type { TextWork } from './text-thread-main.ts'

export type ParseResult = ParsedDocument | Unreadable

export interface Parser {
  /** One result per file, in their order. Rejects only if the signal is aborted. */
  parse(files: readonly DocumentFile[], signal: AbortSignal): Promise<readonly ParseResult[]>
  /** Whether documents of this format can be read on this device. */
  canParse(format: DocumentFormat): boolean
  stop(): Promise<void>
}

export interface ParserOptions {
  readonly sandbox: Pick<CommandSandbox, 'runner' | 'enforcement'>
  readonly clock: Clock
  /** Tandem's own folder, which the process cannot see. */
  readonly home: string
  /** Where each process gets a folder. */
  readonly temp: string
  log(line: string): void
}

interface QueuedFile extends DocumentFile {
  readonly place: number
}

export function openParser(options: ParserOptions): Parser {
  const { sandbox, clock, log } = options
  const entry = new URL('./text-thread.js', import.meta.url)
  const texts = openWorkerCalls<TextWork>({ entry, name: 'knowledge-texts', workerData: null })
  const isSandboxed = () => sandbox.enforcement('strict') === 'os'

  async function parse(files: readonly DocumentFile[], signal: AbortSignal): Promise<readonly ParseResult[]> {
    signal.throwIfAborted()
    const results = new Map<number, ParseResult>()
    const queued = files.map((file, place): QueuedFile => ({ ...file, place }))
    for (const { place } of queued.filter(isTooLarge)) results.set(place, { problem: 'too_large', detail: null })
    for (const batch of batchesOf(queued.filter(({ place }) => !results.has(place)))) await parseBatch(batch, results, signal)
    return files.map((_, place) => results.get(place) ?? { problem: 'failed', detail: null })
  }

  /** When a process ends, the file that it was reading is tried again, first in the next process: the files before it may be the cause. */
  async function parseBatch(batch: readonly QueuedFile[], results: Map<number, ParseResult>, signal: AbortSignal): Promise<void> {
    let left = batch
    while (left.length > 0) {
      const run = isSandboxed() ? await sandboxed(left, signal) : null
      signal.throwIfAborted()
      if (!run) {
        for (const { name, bytes, place } of left) results.set(place, await readHere(name, bytes, signal))
        return
      }
      for (const [index, result] of run.results.entries()) results.set(left[index]?.place ?? -1, result)
      const [first] = left
      if (run.results.length === 0 && first) results.set(first.place, run.end)
      left = left.slice(Math.max(1, run.results.length))
    }
  }

  /** Null if there is no sandbox after all. */
  async function sandboxed(files: readonly DocumentFile[], signal: AbortSignal): Promise<ParseRun | null> {
    try {
      return await startParsing(options, files, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refused && error.reason_code === 'sandbox_unavailable') return null
      log(`knowledge: a parsing process could not be started: ${error instanceof Error ? error.message : String(error)}`)
      return { results: [], end: { problem: 'failed', detail: null } }
    }
  }

  /** Files whose bytes are their text are read by functions that only look at the text, in a thread. */
  async function readHere(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<ParseResult> {
    signal.throwIfAborted()
    try {
      const read = await withinTime(clock.after, parseLimits.text_ms, texts.call('read', [name, bytes]))
      if (read !== late) return read
      await texts.terminate()
      return { problem: 'too_long', detail: null }
    } catch (error) {
      log(`knowledge: ${name} could not be read: ${error instanceof Error ? error.message : String(error)}`)
      return { problem: 'failed', detail: null }
    }
  }

  return { parse, canParse: (format) => isTextFormat(format) || isSandboxed(), stop: () => texts.terminate() }
}
