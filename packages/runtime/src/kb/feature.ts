// The knowledge base: documents that are read once, kept current, found in milliseconds, and cited so that the citation opens at the right place.
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSandboxMode, type SandboxMode, type ToolPolicy } from '@tandem/contract/tool'
import { ToolFailure } from '../call/failure.ts'
import type { CallScope } from '../call/scope.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { CallPolicies } from '../policy/call-policies.ts'
import { openEmbedding } from '../recall/embedding.ts'
import type { Recall } from '../recall/recall.ts'
import type { CommandSandbox } from '../sandbox/command/sandbox.ts'
import { openNetwork } from '../sandbox/network/scoped-network.ts'
import { openWorkerCalls, WorkCells } from '../thread/worker-calls.ts'
import { knowledgeHandlers } from './commands.ts'
import { openCopies } from './copies.ts'
import { fetchPage } from './fetch-page.ts'
import { openFoundPassages } from './found-passages.ts'
import type { KnowledgeIndex } from './index/knowledge-index.ts'
import { openIngest } from './ingest.ts'
import { openParser } from './parse/parser.ts'
import { knowledgePrompt } from './prompt.ts'
import { type AgentReader, openKnowledgeSearch } from './search.ts'
import { knowledgeSettings } from './settings.ts'
import { openSourceRecords, type SourceProblem, type SourceRecord } from './source-records.ts'
import { goneProblem, openKnowledgeSources } from './sources.ts'
import type { KnowledgeThreadData } from './thread-main.ts'
import { accessOf, knowledgeTools } from './tools.ts'
import { openWatching } from './watch/watching.ts'

export interface KnowledgeNeeds {
  readonly recall: Pick<Recall, 'embedder'>
  readonly sandbox: CommandSandbox
  readonly agents: { get(agent_id: string): { readonly agent: { readonly sandbox_mode: SandboxMode } } | undefined }
  readonly workspaces: { resolve(path: string | undefined): Outcome<string> }
  readonly callPolicies: Pick<CallPolicies, 'of'>
}

const minute_ms = 60_000
const space = 'kb'
const patience_ms = 300
/** To empty a file that something else is just opening. */
const mostAttempts = 5

/** A feature whose texts can be deleted together with everything else that is stored for a user. */
export interface KnowledgeFeature extends Feature {
  /** The source that a user or an agent added with exactly this path. */
  sourceAt(path: string): string | null
  /** After the records were deleted. */
  wiped(): Promise<void>
}

export function openKnowledgeFeature(ground: FeatureContext, needs: KnowledgeNeeds): KnowledgeFeature {
  const { home, user_home, store, journal, clock, settings, life, log } = ground
  const { recall, sandbox, agents, workspaces, callPolicies } = needs
  settings.add(knowledgeSettings)
  const choice = () => settings.section(knowledgeSettings)
  const ending = new AbortController()
  const entry = new URL('./kb-thread.js', import.meta.url)
  const file = join(home, 'kb.db')
  const cells = new WorkCells()
  const threadData = (isOwner: boolean, { buffer }: WorkCells): KnowledgeThreadData => ({ path: file, isOwner, cells: buffer })
  const calls = openWorkerCalls<KnowledgeIndex>({ entry, name: 'knowledge', workerData: threadData(true, cells) })
  const searchCalls = openWorkerCalls<KnowledgeIndex>({ entry, name: 'knowledge-search', workerData: threadData(false, new WorkCells()) })
  const records = openSourceRecords(store)
  const copies = openCopies(home)
  const found = openFoundPassages(store)
  const parser = openParser({ sandbox, clock, home, temp: tmpdir(), log })
  const watching = openWatching({
    clock,
    changed(source_id) {
      if (records.get(source_id)?.state !== 'canceled') ingest.ask(source_id, false)
    },
    files: (source_id) => records.get(source_id)?.files ?? 0,
  })

  /** As if an agent called the tool. */
  function scopeOf(agent_id: string, workspace: string, policy: ToolPolicy, sandbox_mode: SandboxMode): CallScope {
    const ids = { agent_id, conversation_id: '', run_id: '', call_id: '' }
    return { ids, tool: 'kb.search', workspace, temp: join(home, 'kb'), home, policy, sandbox_mode, report: () => undefined }
  }

  async function readerOf(agent_id: string, workspace: string | null): Promise<AgentReader> {
    const sandbox_mode = agents.get(agent_id)?.agent.sandbox_mode ?? defaultSandboxMode
    const { policy } = callPolicies.of({ agent_id, run_id: null, workspace, sandbox_mode }, 'kb.search')
    // Without a folder, relative roots lead nowhere.
    const access = await accessOf(scopeOf(agent_id, workspace ?? join(home, 'kb', 'none'), policy, sandbox_mode))
    return { agent_id, workspace, access }
  }

  /** A person names the address, so the host is allowed even if it is private. Redirects to other private hosts are not followed. */
  async function requestPage({ source_id, origin }: SourceRecord, signal: AbortSignal): Promise<SourceProblem> {
    if (origin.kind !== 'url') return null
    const { hostname = '', port = '' } = URL.parse(origin.url) ?? {}
    const policy: ToolPolicy = {
      enabled: true,
      approval_mode: 'auto',
      rate_limit: { calls: 120, per_seconds: 60 },
      time_limit: { seconds: 60 },
      network_scope: { hosts: ['*', hostname, ...(port === '' ? [] : [`${hostname}:${port}`])] },
      fs_scope: { roots: [], globs: [] },
    }
    mkdirSync(join(home, 'kb'), { recursive: true, mode: 0o700 })
    const network = openNetwork(scopeOf('', join(home, 'kb'), policy, 'workspace'))
    try {
      copies.write(source_id, await fetchPage(network, origin.url, AbortSignal.any([signal, AbortSignal.timeout(60_000)])))
      return null
    } catch (error) {
      if (signal.aborted) throw error
      const message = error instanceof Error ? error.message : String(error)
      const remedy = error instanceof ToolFailure ? error.facts.remedy : undefined
      return {
        message: `The page could not be loaded: ${message}`.slice(0, 500),
        remedy: remedy ?? 'Check the address and your connection, then reindex the source.',
      }
    }
  }

  const passages = () => records.list().reduce((sum, source) => sum + source.passages, 0)
  const embedding = openEmbedding({
    ...{ clock, calls, embedder: recall.embedder, log },
    sources: () => embedded,
  })
  const embedded = new Map([
    [
      space,
      {
        space,
        read: () => [],
        ids: () => [],
        isEmbedded: (by: 'bundled' | 'model') => choice().compare_meaning && (by === 'model' || passages() <= choice().most_embedded),
      },
    ],
  ])

  const embedLater = () => {
    if (life === 'resident' && !ending.signal.aborted)
      void embedding.run(ending.signal).catch((error: unknown) => {
        if (!ending.signal.aborted) log(`knowledge: comparing by meaning failed: ${String(error)}`)
      })
  }

  const ingest = openIngest({
    ...{ store, clock, records, calls, parser, log },
    cancelCall: (id) => cells.cancel(id),
    locate: (source) => sources.locate(source),
    gone: goneProblem,
    fetchPage: requestPage,
    indexed: embedLater,
  })
  const sources = openKnowledgeSources({
    ...{ home, user_home, store, records, copies, found, calls, ingest: () => ingest },
    changed: () => (life === 'resident' ? watching.set(records.list()) : undefined),
  })
  const search = openKnowledgeSearch({
    ...{ clock, records, calls: searchCalls },
    lost,
    meant: (query) => embedding.query({ query, scope: [`${space}/all`] }, patience_ms, ending.signal),
  })

  async function emptied(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      // A file that the search has open cannot always be replaced. The next search starts its thread again.
      await searchCalls.terminate()
      try {
        await calls.call('clear', [])
        break
      } catch (error) {
        if (attempt === mostAttempts) throw error
      }
    }
    // A search that came in between may have opened the file that is deleted now.
    await searchCalls.terminate()
  }

  let isLosing = false
  /** The file is damaged: it is replaced by an empty one, and everything is read again. Several searches may notice it. */
  function lost(): void {
    if (isLosing) return
    isLosing = true
    void emptied()
      .then(() => records.list().map(({ source_id }) => ingest.ask(source_id, false)))
      .catch((error: unknown) => log(`knowledge: the damaged file could not be replaced: ${String(error)}`))
      .finally(() => {
        isLosing = false
      })
  }

  /** Everything that a file system can change without being asked. */
  async function checkAll(): Promise<void> {
    for (const { source_id, state, origin } of records.list()) {
      if ((origin.kind === 'file' || origin.kind === 'folder') && (state === 'ready' || state === 'failed')) ingest.ask(source_id, false)
    }
    await ingest.settled()
  }

  /** What another process left unfinished. */
  async function resume(): Promise<void> {
    const list = records.list()
    const ids = list.map(({ source_id }) => source_id)
    copies.keep(ids)
    if (list.length === 0 && !existsSync(file)) return
    await calls.call('keepSources', [ids])
    watching.set(list)
    for (const { source_id, state, origin, added_by, files } of list) {
      // A person asked for the page, and it was not read to the end. What an agent requests, it requests itself.
      const isWanted = origin.kind === 'url' && added_by === null
      if (state === 'waiting') ingest.ask(source_id, isWanted)
      // The file may be another one than before.
      else if (files > 0 && (await calls.call('figuresOf', [source_id])).files === 0) ingest.ask(source_id, false)
    }
    await checkAll()
  }

  // Only one process at a time uses this folder: a source that is being read now was left by a process that was killed.
  for (const { source_id, state } of records.list()) {
    if (state === 'reading') store.transaction(() => records.move(source_id, 'interrupt'))
  }
  const removals =
    records.removed().length === 0
      ? Promise.resolve()
      : sources.finishRemovals().catch((error: unknown) => log(`knowledge: a removed source could not be deleted: ${String(error)}`))

  let isResumed = false
  return {
    name: 'knowledge_base',
    tools: knowledgeTools({
      ...{ search, sources, ingest },
      returned(run_id, hits) {
        const run = journal.run(run_id)
        if (run) store.transaction(() => found.add(run.no, hits))
      },
    }),
    commands: knowledgeHandlers({
      ...{ records, sources, ingest, search, found, journal, readerOf, lost },
      calls: searchCalls,
      hasAgent: (agent_id) => agents.get(agent_id) !== undefined,
      folder: (path) => workspaces.resolve(path),
    }),
    jobs:
      life === 'resident'
        ? [
            {
              name: 'check_knowledge',
              get every_ms() {
                return choice().check_minutes * minute_ms
              },
              first_ms: 3_000,
              async run() {
                if (isResumed) return await checkAll()
                isResumed = true
                await resume()
              },
            },
          ]
        : [],
    prompt: knowledgePrompt(() => records.list().some(({ passages }) => passages > 0), search.sourcesOf, readerOf),
    sourceAt: (path) =>
      records.list().find(({ origin }) => (origin.kind === 'file' || origin.kind === 'folder') && origin.path === path)?.source_id ?? null,
    async wiped() {
      await ingest.halt()
      copies.keep([])
      watching.set([])
      if (calls.isStarted() || existsSync(file)) await emptied()
    },
    async stop() {
      ending.abort(new Error('the runtime is stopping'))
      await watching.stop()
      await removals
      await ingest.stop()
      await parser.stop()
      for (const thread of [searchCalls, calls]) {
        if (thread.isStarted()) await thread.call('close', []).catch(() => undefined)
        await thread.terminate()
      }
    },
    status() {
      const list = records.list()
      const total = list.reduce((sum, source) => sum + source.files, 0)
      const failed = list.filter(({ state }) => state === 'failed').length
      const problem = failed === 0 ? '' : ` ${failed} ${failed === 1 ? 'source' : 'sources'} could not be read.`
      const unwatched = watching.unwatched()
      const polled =
        unwatched === 0 ? '' : ` ${unwatched} cannot be watched for changes and ${unwatched === 1 ? 'is' : 'are'} checked now and then.`
      return {
        works: true,
        note: `${list.length} ${list.length === 1 ? 'source' : 'sources'}, ${total} ${total === 1 ? 'file' : 'files'}.${problem}${polled}`,
      }
    },
  }
}
