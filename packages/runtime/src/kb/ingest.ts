// Reads sources in the background, one after another: finds what has changed, parses it, and indexes it.
import type { KnowledgeProgress } from '@tandem/contract/knowledge'
import type { Clock } from '../clock/clock.ts'
import { othersFirst } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import { crashPoint } from './crashpoint.ts'
import type { KnowledgeIndex, SourceFigures } from './index/knowledge-index.ts'
import type { UnparsedFile } from './index/parsed-file.ts'
import type { SourceFiles } from './index/source-files.ts'
import type { Parser } from './parse/parser.ts'
import type { SourceProblem, SourceRecord, SourceRecords } from './source-records.ts'

export interface Ingest {
  /** Reads the source again, after what is waiting. `fetch`: a person asked, so a page is requested and files that failed are tried again. */
  ask(source_id: string, fetch: boolean): void
  /** What was read until now stays. */
  cancel(source_id: string): void
  /** Null unless it is being read. */
  progress(source_id: string): KnowledgeProgress | null
  /** Ends when nothing is waiting or being read. */
  settled(): Promise<void>
  /** Nothing is read any more until somebody asks again. */
  halt(): Promise<void>
  /** Ends when the source is not being read any more, for its removal. */
  released(source_id: string): Promise<void>
  stop(): Promise<void>
}

export interface IngestPorts {
  readonly store: Pick<Store, 'transaction'>
  readonly clock: Clock
  readonly records: SourceRecords
  readonly calls: Pick<WorkerCalls<KnowledgeIndex>, 'call'>
  /** Ends a call of the thread with an error. */
  cancelCall(id: number): void
  readonly parser: Parser
  /** Where its files are, or why they cannot be found. */
  locate(source: SourceRecord): SourceFiles | { readonly problem: NonNullable<SourceProblem> }
  /** What to say of a source whose folder or file is gone. */
  gone(source: SourceRecord): NonNullable<SourceProblem>
  /** Requests a page and keeps a copy; why it failed, or null. */
  fetchPage(source: SourceRecord, signal: AbortSignal): Promise<SourceProblem>
  /** New passages can be compared by meaning. */
  indexed(): void
  log(line: string): void
}

/** Read at once: enough for the parser to be worth its start, little enough to be stopped soon. */
const batch = { files: 256, bytes: 8 * 1_024 * 1_024 }
/** How often the figures of a source are counted while it is read. */
const count_ms = 10_000
const tooMany: NonNullable<SourceProblem> = {
  message: 'It has too many files, or listing them took too long, so not all of them were read.',
  remedy: 'Exclude folders that need not be searched, or add its folders one by one.',
}
const withoutSandbox: NonNullable<SourceProblem> = {
  message: 'PDF, Word and HTML files were left out, because they are read only in the sandbox, which does not work on this device.',
  remedy: 'Install what the sandbox needs (the Diagnostics page shows what is missing), then reindex the source.',
}

interface Read {
  readonly problem: SourceProblem
  /** Nothing of it has changed. */
  readonly isSame: boolean
}

interface Work {
  readonly source_id: string
  readonly stop: AbortController
  progress: KnowledgeProgress
  done: Promise<void>
}

export function openIngest(ports: IngestPorts): Ingest {
  const { store, clock, records, calls, cancelCall, parser, locate, gone, fetchPage, indexed, log } = ports
  /** Sources that wait, and whether their pages are to be requested again. */
  const waiting = new Map<string, boolean>()
  const stopping = new AbortController()
  let work: Work | null = null
  let round: Promise<void> | null = null

  function begin(): void {
    if (stopping.signal.aborted) return
    round ??= rounds()
      .catch((error: unknown) => log(`knowledge: reading sources failed: ${String(error)}`))
      .finally(() => {
        round = null
        if (waiting.size > 0) begin()
      })
  }

  async function rounds(): Promise<void> {
    // After the command that asked has answered.
    await othersFirst()
    for (let [next] = waiting; next && !stopping.signal.aborted; [next] = waiting) {
      const [source_id, fetch] = next
      waiting.delete(source_id)
      const source = store.transaction(() => {
        // It may have been asked for again while it was read.
        records.move(source_id, 'ask')
        return records.move(source_id, 'begin')
      })
      if (!source) continue
      const stop = new AbortController()
      const current: Work = { source_id, stop, progress: { done: 0, total: null, bytes: 0 }, done: Promise.resolve() }
      work = current
      current.done = readSource(source, fetch, current, AbortSignal.any([stop.signal, stopping.signal])).catch((error: unknown) =>
        // For example on a full disk: its state is corrected after the next start.
        log(`knowledge: the state of ${source.name} could not be written: ${String(error)}`),
      )
      await current.done
      work = null
      indexed()
    }
  }

  /** Never throws: the result is the state of the source. */
  async function readSource(source: SourceRecord, fetch: boolean, current: Work, signal: AbortSignal): Promise<void> {
    const { source_id } = source
    try {
      const read = await readFiles(source, fetch, current, signal)
      if (read === 'failed') return
      await finish(source_id, 'complete', read.problem, true, read.isSame ? source : null)
      crashPoint('source_read')
    } catch (error) {
      if (stopping.signal.aborted) {
        store.transaction(() => records.move(source_id, 'interrupt'))
        return
      }
      if (signal.aborted) return await finish(source_id, 'cancel', null, false)
      if (error instanceof Error && error.name === 'IndexLost') return readAllAgain(source_id)
      if (error instanceof Error && error.name === 'SourceGone') return await finish(source_id, 'fail', gone(source), false)
      log(`knowledge: reading the source ${source.name} failed: ${String(error)}`)
      await finish(source_id, 'fail', problemOf(error), false)
    }
  }

  async function readFiles(source: SourceRecord, fetch: boolean, current: Work, signal: AbortSignal): Promise<Read | 'failed'> {
    const { source_id } = source
    if (fetch && source.origin.kind === 'url') {
      const problem = await fetchPage(source, signal)
      signal.throwIfAborted()
      if (problem) {
        await finish(source_id, 'fail', problem, false)
        return 'failed'
      }
    }
    const files = locate(source)
    if ('problem' in files) {
      await finish(source_id, 'fail', files.problem, false)
      return 'failed'
    }
    const compared = await called(signal, (begun) => calls.call('compare', [files, { asked: fetch }], begun))
    const { total, waiting: left, isSame, isWhole } = compared
    current.progress = { done: total - left, total, bytes: 0 }
    await readChanged(source_id, current, signal)
    const problems = await calls.call('problemCounts', [source_id])
    if (!isWhole) return { problem: tooMany, isSame }
    return { problem: problems.no_sandbox ? withoutSandbox : null, isSame: isSame && source.checked_at !== null }
  }

  /** While one batch is parsed, the files of the next one are read; while one is indexed, the next one is parsed. */
  async function readChanged(source_id: string, current: Work, signal: AbortSignal): Promise<void> {
    const next = () => called(signal, (begun) => calls.call('next', [source_id, batch, clock.now()], begun))
    let counted = Number.NEGATIVE_INFINITY
    let files = await next()
    let parsing = parsed(files, signal)
    try {
      while (files.length > 0) {
        const following = await next()
        const results = await parsing
        signal.throwIfAborted()
        parsing = parsed(following, signal)
        await calls.call('put', [source_id, parsedFiles(files, results)])
        const { done, total, bytes } = current.progress
        const read = files.reduce((sum, file) => sum + file.stats.size, 0)
        current.progress = { done: Math.min(done + files.length, total ?? Number.POSITIVE_INFINITY), total, bytes: bytes + read }
        files = following
        // What can be found already is shown, and agents are told of it.
        if (clock.elapsed() - counted < count_ms) continue
        const figures = await calls.call('figuresOf', [source_id])
        store.transaction(() => records.checked(source_id, figures, false))
        counted = clock.elapsed()
      }
    } finally {
      // Its process ends before anything else begins.
      await parsing.catch(() => undefined)
    }
  }

  /** A call that ends soon after the signal is aborted. */
  async function called<Result>(signal: AbortSignal, call: (begun: (id: number) => void) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const abort = new AbortController()
    try {
      return await call((id) => signal.addEventListener('abort', () => cancelCall(id), { signal: abort.signal }))
    } finally {
      abort.abort()
    }
  }

  /** Whoever waits for it gets its failure; nobody may wait if something else fails first. */
  function parsed(files: readonly UnparsedFile[], signal: AbortSignal): ReturnType<Parser['parse']> {
    const parsing = files.length === 0 ? Promise.resolve([]) : parser.parse(files, signal)
    parsing.catch(() => undefined)
    return parsing
  }

  /** `counted`: what is known of it, if nothing has changed. */
  async function finish(
    source_id: string,
    on: 'complete' | 'cancel' | 'fail',
    problem: SourceProblem,
    isComplete: boolean,
    counted: SourceFigures | null = null,
  ): Promise<void> {
    const figures = counted ?? (await calls.call('figuresOf', [source_id]).catch(() => null))
    store.transaction(() => {
      if (figures) records.checked(source_id, figures, isComplete)
      records.move(source_id, on, problem)
    })
  }

  /** The file was damaged and is empty now. */
  function readAllAgain(source_id: string): void {
    log('knowledge: the file of the knowledge base was damaged; all sources are read again')
    store.transaction(() => {
      records.move(source_id, 'interrupt')
      for (const other of records.list()) records.move(other.source_id, 'ask')
    })
    for (const other of records.list()) if (other.state === 'waiting') waiting.set(other.source_id, false)
  }

  return {
    ask(source_id, fetch) {
      store.transaction(() => records.move(source_id, 'ask'))
      if (records.get(source_id)?.state !== 'waiting' && work?.source_id !== source_id) return
      waiting.set(source_id, fetch || waiting.get(source_id) === true)
      begin()
    },
    cancel(source_id) {
      waiting.delete(source_id)
      if (work?.source_id === source_id) work.stop.abort(new Error('canceled'))
      else store.transaction(() => records.move(source_id, 'cancel'))
    },
    progress: (source_id) => (work?.source_id === source_id ? work.progress : null),
    async settled() {
      while (round !== null) await round
    },
    async halt() {
      waiting.clear()
      work?.stop.abort(new Error('everything is deleted'))
      await work?.done
    },
    async released(source_id) {
      waiting.delete(source_id)
      if (work?.source_id !== source_id) return
      work.stop.abort(new Error('removed'))
      await work.done
    },
    async stop() {
      stopping.abort(new Error('the runtime is stopping'))
      waiting.clear()
      await round
    },
  }
}

function parsedFiles(files: readonly UnparsedFile[], results: Awaited<ReturnType<Parser['parse']>>) {
  return files.map(({ bytes: _bytes, ...file }, index) => ({
    ...file,
    result: results[index] ?? { problem: 'failed' as const, detail: 'the parser returned no result' },
  }))
}

function problemOf(error: unknown): NonNullable<SourceProblem> {
  const message = error instanceof Error ? error.message : String(error)
  if (/disk is full|disk I\/O|ENOSPC/i.test(message)) {
    return { message: 'There is not enough disk space to index it.', remedy: 'Free up disk space, then reindex the source.' }
  }
  return {
    message: `It could not be indexed: ${message}`.slice(0, 500),
    remedy: 'Reindex the source. If it fails again, report it with a support bundle from the Diagnostics page.',
  }
}
