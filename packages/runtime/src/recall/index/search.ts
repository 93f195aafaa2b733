// One search: candidates of all channels, ranked, picked, and each hit with the reason why.
import type { RecallHit, RecallQuery } from '../answer.ts'
import { excerptOf } from '../rule/excerpt.ts'
import { type Picked, picked } from '../rule/pick.ts'
import { namedSpeakers } from '../rule/query.ts'
import { type Candidate, ranked, type Weights } from '../rule/rank.ts'
import type { Layout } from './layout.ts'
import { filterSql, type LexicalFound, lexical, type WordFacts } from './lexical.ts'
import type { Statements } from './statements.ts'
import type { Near, Vectors } from './vectors.ts'

export interface SearchParts {
  readonly sql: Statements
  readonly facts: WordFacts
  readonly vectors: Vectors
  readonly layout: Layout
}

/** The query as the model sees it. */
export interface QueryVector {
  readonly model: string
  readonly vector: Float32Array
}

export interface Searched {
  readonly hits: readonly RecallHit[]
  /** Whether the texts were compared by meaning. */
  readonly isCompared: boolean
}

/** At most so many hits, whatever the budget. */
const mostHits = 200
const usualHits = 10

export function search(parts: SearchParts, space: number, asked: RecallQuery, meant: QueryVector | null, weights?: Weights): Searched {
  const { sql, layout } = parts
  const { query, filters = {}, channels = ['lexical', 'semantic'] } = asked
  const names = [...new Set(asked.scope)]
  const scopes = names.flatMap((name) => sql.get<{ no: number }>('SELECT no FROM scopes WHERE name = ?', name)?.no ?? [])
  if (scopes.length === 0) return { hits: [], isCompared: false }
  const found = channels.includes('lexical') ? lexical(parts, { space, scopes, query, filters }) : nothing
  const isCompared = meant !== null && channels.includes('semantic') && isEmbedded(parts, scopes, meant)
  const near = isCompared ? nearTexts(parts, scopes, meant, filters) : []
  const candidates = candidatesOf(layout, scopes, query, found, near)
  const idOf = knownIds(sql)
  const ranking = ranked(candidates, found.groups, idOf, weights)
  const textOf = (no: number) => sql.get<{ text: string }>('SELECT text FROM texts WHERE no = ?', no)?.text ?? ''
  const { k = asked.max_tokens === undefined ? usualHits : mostHits, max_tokens = Number.POSITIVE_INFINITY, diverse = false } = asked
  const hits = picked(ranking, textOf, { k: Math.min(k, mostHits), max_tokens, diverse })
  const similarity = new Map(near.map((one) => [one.no, one.similarity]))
  return { hits: explained(parts, hits, found, similarity, idOf), isCompared }
}

/** Ids decide between equal scores only, so they are read when they are asked for. */
function knownIds(sql: Statements): (no: number) => string {
  const known = new Map<number, string>()
  return (no) => {
    const id = known.get(no) ?? sql.get<{ id: string }>('SELECT id FROM texts WHERE no = ?', no)?.id ?? ''
    known.set(no, id)
    return id
  }
}

/** Meaning is scaled over the texts that have a vector: while only some have one, these would win against all others. */
function isEmbedded({ layout, vectors }: SearchParts, scopes: readonly number[], { model }: QueryVector): boolean {
  const texts = scopes.reduce((sum, scope) => sum + layout.inScope(scope), 0)
  return texts > 0 && vectors.count(scopes, model) >= 0.9 * texts
}

const nothing: LexicalFound = { nos: [], text: new Map(), characters: new Map(), groups: new Map(), words: [], parts: [], total: 0 }

function nearTexts(
  { sql, vectors }: SearchParts,
  scopes: readonly number[],
  { model, vector }: QueryVector,
  filters: RecallQuery['filters'] = {},
): readonly Near[] {
  const { where, values } = filterSql(filters)
  if (where === '') return vectors.near(scopes, model, vector, null)
  const wanted = new Set(
    sql.all<{ no: number }>(`SELECT t.no FROM texts t WHERE t.scope IN (${scopes.join(', ')})${where}`, ...values).map(({ no }) => no),
  )
  return vectors.near(scopes, model, vector, (no) => wanted.has(no))
}

function candidatesOf(layout: Layout, scopes: readonly number[], query: string, found: LexicalFound, near: readonly Near[]): Candidate[] {
  const meaning = new Map(near.map(({ no, similarity }) => [no, similarity]))
  const nos = [...new Set([...found.nos, ...meaning.keys()])]
  const named = namedSpeakers(query, [...new Set(nos.map((no) => layout.speaker(no)))])
  return nos
    .filter((no) => scopes.includes(layout.scope(no)))
    .map((no) => ({
      no,
      group: layout.group(no) || null,
      before: layout.previous(no) || null,
      after: layout.following(no) || null,
      text: found.text.get(no),
      characters: found.characters.get(no),
      meaning: meaning.get(no),
      isNamedSpeaker: named.has(layout.speaker(no)),
    }))
}

interface HitRow {
  readonly id: string
  readonly scope: string
  readonly grp: string | null
  readonly speaker: string | null
  readonly at: number | null
  readonly text: string
}

function explained(
  { sql, facts }: SearchParts,
  hits: readonly Picked[],
  found: LexicalFound,
  similarity: ReadonlyMap<number, number>,
  idOf: (no: number) => string,
): readonly RecallHit[] {
  const rows = hits.flatMap((hit) => {
    const row = sql.get<HitRow>(
      `SELECT t.id, s.name AS scope, g.name AS grp, t.speaker, t.at, t.text
       FROM texts t JOIN scopes s ON s.no = t.scope LEFT JOIN groups g ON g.no = t.grp WHERE t.no = ?`,
      hit.no,
    )
    return row ? [{ hit, row }] : []
  })
  const weightOf = new Map(found.words.map(({ term, weight }) => [term, weight]))
  const matches = matchedWords(
    facts,
    rows.map(({ row }) => row.text),
    weightOf,
  )
  return rows.map(({ hit: { no, score, shares, duplicates }, row }, index) => {
    const { terms = new Set<string>(), marks: inWords = [] } = matches[index] ?? {}
    const marks = [...inWords, ...partMarks(row.text, found.parts)].sort(([left], [right]) => left - right)
    const weight = [...terms].reduce((sum, term) => sum + (weightOf.get(term) ?? 0), 0)
    return {
      ...{ id: row.id, scope: row.scope, group: row.grp, speaker: row.speaker, at: row.at },
      ...{ score, shares, duplicates: duplicates.map(idOf) },
      coverage: found.total === 0 ? 0 : Math.min(1, weight / found.total),
      similarity: similarity.get(no) ?? null,
      words: [...new Set(marks.map(([from, to]) => row.text.slice(from, to)))],
      excerpt: excerptOf(row.text, marks),
    }
  })
}

type Mark = readonly [number, number]

interface MatchedWords {
  readonly terms: ReadonlySet<string>
  readonly marks: readonly Mark[]
}

/** Which words of the texts the query has, and where. */
function matchedWords(facts: WordFacts, texts: readonly string[], asked: ReadonlyMap<string, number>): readonly MatchedWords[] {
  if (asked.size === 0) return []
  return facts.words.of(texts).map((words) => {
    const found = words.filter(({ term }) => asked.has(term))
    return {
      terms: new Set(found.map(({ term }) => term)),
      marks: found.map(({ at, written }) => [at, at + written.length] as const),
    }
  })
}

function partMarks(text: string, parts: readonly string[]): readonly Mark[] {
  const lower = text.toLowerCase()
  return parts.flatMap((part) => {
    const at = lower.indexOf(part.toLowerCase())
    return at === -1 ? [] : [[at, at + part.length] as const]
  })
}
