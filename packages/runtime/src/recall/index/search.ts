// One search: candidates of all channels, ranked, picked, and each hit with the reason why.
import type { RecallHit, RecallQuery } from '../answer.ts'
import { excerptOf } from '../rule/excerpt.ts'
import { type Picked, picked } from '../rule/pick.ts'
import { namedSpeakers } from '../rule/query.ts'
import { type Candidate, ranked, type Weights } from '../rule/rank.ts'
import { filterSql, type LexicalFound, lexical, type WordFacts } from './lexical.ts'
import type { Statements } from './statements.ts'
import type { Near, Vectors } from './vectors.ts'
import { wordsOf } from './words.ts'

export interface SearchParts {
  readonly sql: Statements
  readonly facts: WordFacts
  readonly vectors: Vectors
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

interface Row {
  readonly no: number
  readonly id: string
  readonly scope: number
  readonly grp: number | null
  readonly previous: number | null
  readonly following: number | null
  readonly speaker: string | null
}

export function search(parts: SearchParts, space: number, asked: RecallQuery, meant: QueryVector | null, weights?: Weights): Searched {
  const { sql, facts } = parts
  const { query, filters = {}, channels = ['lexical', 'semantic'] } = asked
  const names = [...new Set(asked.scope)]
  const scopes = names.flatMap((name) => sql.get<{ no: number }>('SELECT no FROM scopes WHERE name = ?', name)?.no ?? [])
  if (scopes.length === 0) return { hits: [], isCompared: false }
  const found = channels.includes('lexical') ? lexical(sql, facts, { space, scopes, query, filters }) : nothing
  const isCompared = meant !== null && channels.includes('semantic') && isEmbedded(parts, scopes, meant)
  const near = isCompared ? nearTexts(parts, scopes, meant, filters) : []
  const candidates = candidatesOf(sql, scopes, query, found, near)
  const ranking = ranked(candidates, found.groups, weights)
  const textOf = (no: number) => sql.get<{ text: string }>('SELECT text FROM texts WHERE no = ?', no)?.text ?? ''
  const { k = asked.max_tokens === undefined ? usualHits : mostHits, max_tokens = Number.POSITIVE_INFINITY, diverse = false } = asked
  const hits = picked(ranking, textOf, { k: Math.min(k, mostHits), max_tokens, diverse })
  const similarity = new Map(near.map((one) => [one.no, one.similarity]))
  return { hits: explained(parts, hits, found, similarity), isCompared }
}

/** Meaning is scaled over the texts that have a vector: while only some have one, these would win against all others. */
function isEmbedded({ sql, vectors }: SearchParts, scopes: readonly number[], { model }: QueryVector): boolean {
  const texts = scopes.reduce(
    (sum, scope) => sum + (sql.get<{ n: number }>('SELECT count(*) AS n FROM texts WHERE scope = ?', scope)?.n ?? 0),
    0,
  )
  return texts > 0 && vectors.count(scopes, model) >= 0.9 * texts
}

const nothing: LexicalFound = { text: new Map(), characters: new Map(), groups: new Map(), words: [], parts: [], total: 0 }

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

function candidatesOf(sql: Statements, scopes: readonly number[], query: string, found: LexicalFound, near: readonly Near[]): Candidate[] {
  const meaning = new Map(near.map(({ no, similarity }) => [no, similarity]))
  const nos = [...new Set([...found.text.keys(), ...found.characters.keys(), ...meaning.keys()])]
  const rows = sql.all<Row>(
    'SELECT no, id, scope, grp, previous, following, speaker FROM texts WHERE no IN (SELECT value FROM json_each(?))',
    JSON.stringify(nos),
  )
  const named = namedSpeakers(query, speakersIn(sql, scopes))
  const of = <Name extends string>(name: Name, value: number | undefined) =>
    (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, number>>
  return rows
    .filter(({ scope }) => scopes.includes(scope))
    .map(({ no, id, grp, previous, following, speaker }) => ({
      ...{ no, id, group: grp, before: previous, after: following },
      ...of('text', found.text.get(no)),
      ...of('characters', found.characters.get(no)),
      ...of('meaning', meaning.get(no)),
      isNamedSpeaker: speaker !== null && named.has(speaker),
    }))
}

/** From one name to the next, so that a hundred thousand texts of two people are two steps. */
function speakersIn(sql: Statements, scopes: readonly number[]): readonly string[] {
  const all = new Set<string>()
  for (const scope of scopes) {
    for (let last = ''; ; ) {
      const next = sql.get<{ speaker: string | null }>(
        'SELECT min(speaker) AS speaker FROM texts WHERE scope = ? AND speaker > ?',
        scope,
        last,
      )
      if (!next?.speaker || all.size > 500) break
      last = next.speaker
      all.add(last)
    }
  }
  return [...all]
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
      ...{ score, shares, duplicates },
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
  return wordsOf(facts.termsOf, texts).map((words) => {
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
