// The commands of the knowledge base, for users.
import { stat } from 'node:fs/promises'
import { citationOf, type KnowledgeSource } from '@tandem/contract/knowledge'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageBy, pageOf, positionOf } from '../feature/cursor.ts'
import { agentNotFound, conversationNotFound } from '../feature/not-found.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { FoundPassages } from './found-passages.ts'
import type { KnowledgeIndex } from './index/knowledge-index.ts'
import type { ShownPassage } from './index/show-passage.ts'
import type { Ingest } from './ingest.ts'
import { belongsTo } from './rule/visible.ts'
import { type AgentReader, documentName, type KnowledgeSearch } from './search.ts'
import type { SourceRecord, SourceRecords } from './source-records.ts'
import { type KnowledgeSources, sourceNotFound } from './sources.ts'

export interface KnowledgeCommandPorts {
  readonly records: SourceRecords
  readonly sources: KnowledgeSources
  readonly ingest: Ingest
  readonly search: KnowledgeSearch
  readonly found: FoundPassages
  /** The thread that searches. */
  readonly calls: Pick<WorkerCalls<KnowledgeIndex>, 'call'>
  readonly journal: Journal
  hasAgent(agent_id: string): boolean
  /** What an agent can find, in the folder of a conversation or in none. */
  readerOf(agent_id: string, workspace: string | null): Promise<AgentReader>
  /** The file of the knowledge base is damaged. */
  lost(): void
  /** The real path of a folder that runs may work in. */
  folder(path: string): Outcome<string>
}

/** A search thread that found the file damaged or was just ended: everything is read again. */
const readAgain: Outcome<never> = {
  ok: false,
  code: 'not_available',
  message: 'the file of the knowledge base was damaged, so all sources are being read again',
  remedy: 'Try again in a moment.',
}

export function knowledgeHandlers(ports: KnowledgeCommandPorts): CommandTable {
  const { records, sources, ingest, search, found, calls, journal, hasAgent, readerOf, folder, lost } = ports

  function shown({ access: _access, ...source }: SourceRecord): KnowledgeSource {
    return { ...source, progress: ingest.progress(source.source_id) }
  }

  /** Null if the file is damaged. */
  async function readable<Result>(reading: Promise<Result>): Promise<{ readonly value: Result } | null> {
    try {
      return { value: await reading }
    } catch (error) {
      const name = error instanceof Error ? error.name : ''
      if (name === 'IndexLost') lost()
      else if (name !== 'ThreadEnded') throw error
      return null
    }
  }

  function known(source_id: string): Outcome<SourceRecord> {
    const source = records.get(source_id)
    return source ? { ok: true, value: source } : sourceNotFound(source_id)
  }

  /** The folder of an owner as it is on disk. */
  function realOwner(owner: KnowledgeSource['owner']): Outcome<KnowledgeSource['owner']> {
    if (owner.kind === 'agent' && !hasAgent(owner.agent_id)) return agentNotFound(owner.agent_id)
    if (owner.kind !== 'workspace') return { ok: true, value: owner }
    const path = folder(owner.path)
    if (path.ok) return { ok: true, value: { kind: 'workspace', path: path.value } }
    return path.fields ? { ...path, fields: path.fields.map((one) => ({ ...one, field: 'owner.path' })) } : path
  }

  return {
    kb_add({ owner: wanted, ...request }) {
      const owner = realOwner(wanted)
      if (!owner.ok) return owner
      const added = sources.add({ ...request, owner: owner.value, added_by: null, access: null })
      return added.ok ? { ok: true, value: { source: shown(added.value) } } : added
    },
    kb_list({ agent_id, workspace, ...paging }) {
      if (agent_id !== undefined && !hasAgent(agent_id)) return agentNotFound(agent_id)
      const reader = agent_id === undefined ? null : { agent_id, workspace: workspace ?? null }
      const list = records.list().filter(({ owner }) => reader === null || belongsTo(owner, reader))
      const page = pageBy('kb_list', list, ({ source_id }) => source_id, paging)
      return page.ok ? { ok: true, value: { ...page.value, items: page.value.items.map(shown) } } : page
    },
    kb_get({ source_id }) {
      const source = known(source_id)
      return source.ok ? { ok: true, value: { source: shown(source.value) } } : source
    },
    async kb_list_files({ source_id, only_problems = false, ...paging }) {
      const source = known(source_id)
      if (!source.ok) return source
      const from = positionOf('kb_list_files', paging, ['string'])
      if (!from.ok) return from
      const after = from.value === null ? null : String(from.value[0])
      const rows = await readable(calls.call('files', [source_id, after, limitOf(paging) + 1, only_problems]))
      if (!rows) return readAgain
      return { ok: true, value: pageOf('kb_list_files', rows.value, ({ name }) => [name], paging) }
    },
    kb_update({ source_id, owner: wanted, ...change }) {
      const owner = wanted === undefined ? { ok: true as const, value: undefined } : realOwner(wanted)
      if (!owner.ok) return owner
      const updated = sources.update(source_id, { ...change, ...(owner.value === undefined ? {} : { owner: owner.value }) })
      return updated.ok ? { ok: true, value: { source: shown(updated.value) } } : updated
    },
    kb_reindex({ source_id }) {
      if (source_id !== undefined && !records.get(source_id)) return sourceNotFound(source_id)
      const asked = source_id === undefined ? records.list().map((source) => source.source_id) : [source_id]
      for (const one of asked) ingest.ask(one, true)
      return { ok: true, value: { sources: asked.flatMap((one) => records.get(one) ?? []).map(shown) } }
    },
    kb_cancel({ source_id }) {
      const source = known(source_id)
      if (!source.ok) return source
      ingest.cancel(source_id)
      return { ok: true, value: { source: shown(records.get(source_id) ?? source.value) } }
    },
    async kb_remove({ source_id }) {
      const removed = await sources.remove(source_id)
      return removed.ok ? { ok: true, value: { removed: shown(removed.value) } } : removed
    },
    async kb_search({ agent_id, conversation_id, changed_after, ...query }) {
      if (agent_id !== undefined && !hasAgent(agent_id)) return agentNotFound(agent_id)
      const conversation = conversation_id === undefined ? undefined : journal.conversations.get(conversation_id)
      if (conversation_id !== undefined && !conversation) return conversationNotFound(conversation_id)
      const reader = agent_id === undefined ? null : await readerOf(agent_id, conversation?.workspace ?? null)
      const after = changed_after === undefined ? {} : { changed_after: Date.parse(changed_after) }
      return { ok: true, value: await search.search({ ...query, ...after }, reader) }
    },
    async kb_passage({ passage_id, run_id }) {
      const run = run_id === undefined ? undefined : journal.run(run_id)
      const place = run ? found.get(run.no, passage_id) : null
      const read = await readable(calls.call('passage', [passage_id, place?.fingerprint ?? null]))
      if (!read) return readAgain
      const passage = read.value
      const source = passage && records.get(passage.source)
      if (!source) {
        return {
          ok: false,
          code: 'not_found',
          message: 'there is no passage with this id in the knowledge base',
          remedy: 'Its text may have changed, or its source was removed. Search again.',
        }
      }
      return { ok: true, value: { passage: await toPassage(passage, source, place?.lines_below ?? null) } }
    },
    kb_passages_of_run({ run_id }) {
      const run = journal.run(run_id)
      if (!run) return { ok: false, code: 'not_found', message: `there is no run ${run_id}` }
      return { ok: true, value: { passages: [...found.of(run.no)] } }
    },
  }
}

async function toPassage(passage: ShownPassage, source: SourceRecord, lines_below: number | null) {
  const { id: passage_id, document: document_id, path, format, position, before, text, after, stats } = passage
  const name = documentName(source, passage.name)
  const { first_line, last_line } = position
  const lines = before.split('\n').length - 1
  const isCopy = source.origin.kind === 'url' || source.origin.kind === 'text'
  return {
    ...{ passage_id, source_id: source.source_id, document_id, name, format, position, before, text, after },
    source_name: source.name,
    path: isCopy ? null : path,
    url: source.origin.kind === 'url' ? source.origin.url : null,
    citation: citationOf(name, position),
    from_line: position.first_line === null ? null : Math.max(1, position.first_line - lines),
    cited_line: first_line === null || lines_below === null ? null : Math.min(first_line + lines_below, last_line ?? first_line),
    outdated: !isCopy && path !== null && (await isOutdated(path, stats)),
  }
}

async function isOutdated(path: string, { size, mtime }: ShownPassage['stats']): Promise<boolean> {
  const now = await stat(path).catch(() => null)
  return !now || now.size !== size || now.mtimeMs !== mtime
}
