// A search in both channels: memories that mean the same, and the exact words of memories and messages.
import type { CommandResult } from '@tandem/contract/command'
import type { Memory, MemoryKind } from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { RecallHit } from '../recall/answer.ts'
import type { Recall } from '../recall/recall.ts'
import type { RecallSource, RecallText } from '../recall/text.ts'
import type { Memories } from './record/memories.ts'
import { containsAll } from './rule/repeated.ts'
import { isVisible, type Reader, scopesFor } from './rule/visible.ts'
import { messageScope } from './sources.ts'

export type SearchResult = CommandResult<'memory_search'>

export interface SearchRequest extends Reader {
  readonly query: string
  readonly memory_kinds?: readonly MemoryKind[]
  readonly channels?: readonly ('semantic_recall' | 'exact_evidence')[]
  readonly limit: number
  /** Only what may be used: of memories in conflict the one that ranks highest, and nothing that has expired. */
  readonly is_for_agent?: boolean
  /** How long it may wait for an index that is behind, and for an embedder that is not warm. */
  readonly patience_ms: number
}

export interface MemorySearch {
  search(request: SearchRequest): Promise<SearchResult>
}

/** How many more hits are fetched than needed, because some are not visible; and how many where kinds are filtered afterwards. */
const surplus = 3
const mostOfKinds = 200

export interface MemorySearchPorts {
  readonly recall: Recall
  readonly memories: Memories
  /** The messages that may be found now. */
  readonly messages: Pick<RecallSource, 'read'>
  isRecallable(memory: Memory): boolean
  /** The conversation and those that it continues. */
  continues(conversation_id: string): readonly string[]
}

export function openMemorySearch({ recall, memories, messages, isRecallable, continues }: MemorySearchPorts): MemorySearch {
  function visible(
    hits: readonly RecallHit[],
    { memory_kinds, is_for_agent = false, ...reader }: SearchRequest,
  ): readonly (readonly [RecallHit, Memory])[] {
    const ids = hits.flatMap(({ id, duplicates }) => [id, ...duplicates])
    const byId = new Map(memories.all(ids).map((memory) => [memory.id, memory]))
    return hits.flatMap((hit) => {
      // The same words about two subjects are two memories.
      const subjects = new Set<string>()
      return [hit.id, ...hit.duplicates].flatMap((id) => {
        const memory = byId.get(id)
        // The index may be behind: the record decides.
        if (memory?.state !== 'active' || !isVisible(memory, reader) || subjects.has(memory.subject)) return []
        if (is_for_agent && !isRecallable(memory)) return []
        if (memory_kinds && memory_kinds.length > 0 && !memory_kinds.includes(memory.memory_kind)) return []
        subjects.add(memory.subject)
        return [[hitOf(hit, memory), memory] as const]
      })
    })
  }

  /** For an agent, without the words of what applies only in another conversation: quoted, or said in a message of it. */
  function withoutOthers(found: ReadonlyMap<string, RecallText>, { is_for_agent = false, continues: own = [] }: SearchRequest) {
    if (!is_for_agent || found.size === 0) return found
    const others = [...new Set([...found.values()].map(({ group }) => group))].filter((id) => id !== null && !own.includes(id))
    const ids = others.flatMap((id) => id ?? [])
    const quoted = memories.quotedOnlyIn(ids)
    const only = Map.groupBy(memories.onlyIn(ids), ({ conversation_id }) => conversation_id)
    return new Map(
      [...found].filter(([id, { group, text }]) => !quoted.has(id) && !only.get(group)?.some(({ content }) => containsAll(text, content))),
    )
  }

  return {
    async search(asked) {
      const { conversation_id } = asked
      const request = conversation_id === null ? asked : { ...asked, continues: continues(conversation_id) }
      const { query, channels = ['semantic_recall', 'exact_evidence'], limit, patience_ms, agent_id } = request
      const k = request.memory_kinds?.length ? Math.max(mostOfKinds, limit * surplus) : limit * surplus
      const scope = scopesFor(request)
      const [meant, exact, said] = await Promise.all([
        channels.includes('semantic_recall') ? recall.search({ scope, query, k, patience_ms }) : null,
        channels.includes('exact_evidence') ? recall.search({ scope, query, k, channels: ['lexical'], patience_ms }) : null,
        channels.includes('exact_evidence')
          ? recall.search({ scope: [messageScope(agent_id)], query, k: limit, channels: ['lexical'], patience_ms })
          : null,
      ])
      const best = meant?.hits[0]?.score ?? 1
      // The index may be behind: what was hidden or removed since is not shown.
      const there = withoutOthers(new Map(messages.read(said?.hits.map(({ id }) => id) ?? []).map((text) => [text.id, text])), request)
      const evidence = [
        ...visible(exact?.hits ?? [], request)
          .filter(([{ words }]) => words.length > 0)
          .map(([hit, memory]) => ({
            evidence: { source: 'memory' as const, id: memory.id, excerpt: line(hit.excerpt) },
            memory_id: memory.id,
            matched: hit.words.map(line),
            ts: memory.created_at,
            why: because(hit),
            rank: hit.coverage,
          })),
        ...(said?.hits ?? [])
          .filter(({ id, words }) => there.has(id) && words.length > 0)
          .map((hit) => ({
            evidence: { source: 'message' as const, id: hit.id, ...conversationOf(there.get(hit.id)?.group), excerpt: line(hit.excerpt) },
            memory_id: null,
            matched: hit.words.map(line),
            ts: timestamp(hit.at ?? 0),
            why: because(hit),
            rank: hit.coverage,
          })),
      ].toSorted((left, right) => right.rank - left.rank || (left.ts < right.ts ? 1 : -1))
      return {
        semantic_recall: visible(meant?.hits ?? [], request)
          .slice(0, limit)
          .map(([hit, memory]) => ({
            memory,
            is_used: isRecallable(memory),
            score: share(hit.score / Math.max(best, Number.EPSILON)),
            why: because(hit),
          })),
        exact_evidence: evidence.slice(0, limit).map(({ rank: _rank, ...one }) => one),
        semantic: meant?.semantic ?? 'not_asked',
        late: [meant, exact, said].some((answer) => answer?.isLate),
      }
    },
  }
}

/** Nearly the same words are evidence only as far as the memory itself has them. */
function hitOf(hit: RecallHit, { id, content }: Memory): RecallHit {
  if (id === hit.id) return hit
  return { ...hit, id, excerpt: content, words: hit.words.filter((word) => content.includes(word)), duplicates: [] }
}

function because({ shares, words, similarity, score }: RecallHit): SearchResult['semantic_recall'][number]['why'] {
  const signals = Object.entries(shares)
    .filter(([, value]) => value > 0)
    .map(([signal, value]) => ({ signal, share: share(value / Math.max(score, Number.EPSILON)) }))
    .toSorted((left, right) => right.share - left.share)
  return { signals, words: words.map(line), similarity }
}

function conversationOf(conversation_id: string | null | undefined): { conversation_id?: string } {
  return conversation_id ? { conversation_id } : {}
}

const share = (number: number) => Math.min(1, Math.max(0, number))
const line = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500) || '…'
