// A search in the sources that a reader may find, with citations.
import type { CommandResult } from '@tandem/contract/command'
import { citationOf, type DocumentFormat, type KnowledgeHit } from '@tandem/contract/knowledge'
import type { Clock } from '../clock/clock.ts'
import { late, withinTime } from '../clock/time-limit.ts'
import type { MeantQuery } from '../recall/embedding.ts'
import type { AccessScope } from '../sandbox/files/access-rule.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { KnowledgeIndex } from './index/knowledge-index.ts'
import type { FoundPassage } from './index/search-passages.ts'
import { excerptOf, lineOfMarks } from './rule/excerpt.ts'
import { belongsTo, type KnowledgeReader, reachOf } from './rule/visible.ts'
import type { SourceRecord, SourceRecords } from './source-records.ts'

export interface KnowledgeQuery {
  readonly query: string
  readonly source_ids?: readonly string[]
  readonly formats?: readonly DocumentFormat[]
  readonly changed_after?: number
  readonly limit?: number
  readonly max_tokens?: number
}

/** Who asks: an agent with what its policy allows it to read; null for the user, who finds everything. */
export interface AgentReader extends KnowledgeReader {
  readonly access: AccessScope
}

export type KnowledgeResult = CommandResult<'kb_search'>

export interface KnowledgeSearch {
  search(query: KnowledgeQuery, reader: AgentReader | null): Promise<KnowledgeResult>
  /** The sources that belong to the reader and of which it may read something. Others do not exist for it. */
  sourcesOf(reader: AgentReader): readonly SourceRecord[]
}

export interface SearchPorts {
  readonly clock: Clock
  readonly records: SourceRecords
  readonly calls: Pick<WorkerCalls<KnowledgeIndex>, 'call'>
  /** The file of the knowledge base is damaged. */
  lost(): void
  /** The query by its meaning. */
  meant(query: string): Promise<MeantQuery>
}

/** Hits beside each other become one, so more are asked for. */
const surplus = 2
const usual = 10
const limit_ms = 5_000
const nothing: KnowledgeResult = { hits: [], semantic: 'not_asked', late: false }

export function openKnowledgeSearch({ clock, records, calls, lost, meant }: SearchPorts): KnowledgeSearch {
  async function found(query: KnowledgeQuery, reader: AgentReader | null): Promise<KnowledgeResult> {
    const sources = records
      .list()
      .filter(({ source_id }) => query.source_ids === undefined || query.source_ids.includes(source_id))
      .filter(({ owner, origin }) => reader === null || (belongsTo(owner, reader) && reachOf(origin, reader.access) !== 'none'))
    if (sources.length === 0) return nothing
    const { state, vector } = await meant(query.query)
    const { limit = query.max_tokens === undefined ? usual : 200, source_ids: _ids, ...wanted } = query
    const isPartial = sources.some(({ origin }) => reader && reachOf(origin, reader.access) === 'some')
    const asked = {
      ...wanted,
      sources: sources.map(({ source_id }) => source_id),
      ...(reader !== null && isPartial ? { access: reader.access } : {}),
      k: Math.min(200, query.max_tokens === undefined ? limit * surplus : limit),
    }
    const { hits, isCompared } = await calls.call('find', [asked, vector])
    const named = new Map(sources.map((source) => [source.source_id, source]))
    const best = Math.max(Number.EPSILON, ...hits.map(({ score }) => score))
    return {
      hits: hits.slice(0, limit).flatMap((hit) => {
        const source = named.get(hit.source)
        return source ? [toHit(hit, source, best)] : []
      }),
      semantic: vector !== null && !isCompared ? 'no_vectors' : state,
      late: false,
    }
  }

  return {
    async search(query, reader) {
      const searching = found(query, reader).catch((error: unknown) => {
        // The file was damaged, or emptied a moment ago.
        const name = error instanceof Error ? error.name : ''
        if (name !== 'IndexLost' && name !== 'ThreadEnded') throw error
        if (name === 'IndexLost') lost()
        return { ...nothing, late: true }
      })
      const answer = await withinTime(clock.after, limit_ms, searching)
      return answer === late ? { ...nothing, late: true } : answer
    },
    sourcesOf: (reader) =>
      records.list().filter(({ owner, origin }) => belongsTo(owner, reader) && reachOf(origin, reader.access) !== 'none'),
  }
}

function toHit(hit: FoundPassage, source: SourceRecord, best: number): KnowledgeHit {
  const { id: passage_id, document: document_id, position, text, best: part, words, score, shares, similarity } = hit
  const name = documentName(source, hit.name)
  const matched = text.slice(part.from, part.to)
  const excerpt = excerptOf(matched, words)
  const { first_line } = part.position
  return {
    ...{ passage_id, source_id: source.source_id, document_id, name, position, text, similarity },
    citation: citationOf(name, { ...part.position, first_line: first_line === null ? null : first_line + lineOfMarks(matched, excerpt) }),
    excerpt: matched.slice(excerpt.from, excerpt.to),
    marks: [...excerpt.marks],
    score: share(score / best),
    signals: Object.entries(shares)
      .filter(([, value]) => value > 0)
      .map(([signal, value]) => ({ signal, share: share(value / Math.max(score, Number.EPSILON)) })),
  }
}

/** As in citations: names of sources are unique, so that each document has one of its own. */
export function documentName({ name, origin }: Pick<SourceRecord, 'name' | 'origin'>, document: string): string {
  return origin.kind === 'folder' ? `${name}/${document}` : name
}

function share(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 1_000) / 1_000))
}
