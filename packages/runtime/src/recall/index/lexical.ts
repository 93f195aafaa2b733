// What the words and characters of a query find, with the raw signals that the ranking combines.
import type { RecallFilters } from '../answer.ts'
import { characterParts, type QueryWord, telling, weightOf } from '../rule/query.ts'
import type { Statements } from './statements.ts'
import { wordsOf } from './words.ts'

/** So many of the best by words and by characters are ranked. */
const most = 300
const mostGroups = 1_000

export interface LexicalQuery {
  readonly space: number
  readonly scopes: readonly number[]
  readonly query: string
  readonly filters: RecallFilters
}

export interface LexicalFound {
  readonly text: ReadonlyMap<number, number>
  readonly characters: ReadonlyMap<number, number>
  readonly groups: ReadonlyMap<number, number>
  /** The words that were looked up, and what each says. */
  readonly words: readonly WeighedWord[]
  /** The parts that were compared by their characters. */
  readonly parts: readonly string[]
  /** The weight of all words of the query that are not common, in the index or not. */
  readonly total: number
}

export interface WeighedWord {
  readonly term: string
  readonly weight: number
}

interface Scored {
  readonly no: number
  readonly score: number
}

/** `termsOf`: the words of a text as the index knows them. `textsWith`: in how many texts of the space one occurs. */
export interface WordFacts {
  termsOf(text: string): readonly string[]
  textsWith(space: number, term: string): number
  total(space: number): number
}

export function lexical(sql: Statements, facts: WordFacts, { space, scopes, query, filters }: LexicalQuery): LexicalFound {
  const total = facts.total(space)
  const asked = askedWords(facts, space, query)
  const words = telling(asked, total).map((word) => ({ term: word.term, weight: weightOf(word, total), written: word.written }))
  const missing = asked.filter(({ texts }) => texts === 0).map((word) => weightOf(word, total))
  const { parts, short } = characterParts(query)
  const within = { scopes, filtered: filterSql(filters) }
  // As written: the tokenizer of the index stems it, and a stem that is stemmed again is another word.
  const anyWord = words.map(({ written }) => quoted(written)).join(' OR ')
  const text = words.length === 0 ? [] : best(sql, `words_${space}`, `{body around}:(${anyWord})`, within)
  const characters = parts.length === 0 ? [] : best(sql, `characters_${space}`, parts.map(quoted).join(' OR '), within)
  return {
    text: mapOf(text),
    groups: mapOf(words.length === 0 ? [] : bestGroups(sql, space, anyWord, scopes)),
    characters: mapOf([...characters, ...shortParts(sql, { space, short, ...within })]),
    words,
    parts: [...parts, ...short],
    total: [...words.map(({ weight }) => weight), ...missing].reduce((sum, weight) => sum + weight, 0),
  }
}

function askedWords(facts: WordFacts, space: number, query: string): readonly QueryWord[] {
  const [words = []] = wordsOf(facts.termsOf, [query])
  const byTerm = new Map(words.filter(({ term }) => term !== '').map(({ term, written }) => [term, written]))
  return [...byTerm].map(([term, written]) => ({ term, written, texts: facts.textsWith(space, term) }))
}

interface Within {
  readonly scopes: readonly number[]
  readonly filtered: FilterSql
}

/** Equal scores at the cut are decided by the id, so that the order of indexing does not matter. */
function best(sql: Statements, table: string, match: string, { scopes, filtered: { where, values } }: Within): readonly Scored[] {
  const select = (order: string, limit: number) =>
    sql.all<Scored>(
      `SELECT f.rowid AS no, -f.rank AS score FROM ${table} f CROSS JOIN texts t ON t.no = f.rowid
       WHERE ${table} MATCH ? AND t.scope IN (${scopes.join(', ')})${where} ORDER BY ${order} LIMIT ${limit}`,
      match,
      ...values,
    )
  const found = select('f.rank', most + 1)
  const isTied = found.length > most && found[most - 1]?.score === found[most]?.score
  return isTied ? select('f.rank, t.id', most) : found.slice(0, most)
}

function bestGroups(sql: Statements, space: number, anyWord: string, scopes: readonly number[]): readonly Scored[] {
  const table = `grouped_${space}`
  return sql.all<Scored>(
    `SELECT f.rowid AS no, -f.rank AS score FROM ${table} f CROSS JOIN groups g ON g.no = f.rowid
     WHERE ${table} MATCH ? AND g.scope IN (${scopes.join(', ')}) ORDER BY f.rank LIMIT ${mostGroups}`,
    `body:(${anyWord})`,
  )
}

/** One or two letters of a script without spaces: no index has them, so the texts of the scopes are looked through. */
function shortParts(
  sql: Statements,
  { space, scopes, short, filtered: { where, values } }: Within & { space: number; short: readonly string[] },
): readonly Scored[] {
  return short.flatMap((part) =>
    sql.all<Scored>(
      `SELECT t.no, 1.0 AS score FROM texts t
       WHERE t.space = ${space} AND t.scope IN (${scopes.join(', ')}) AND instr(t.text, ?) > 0${where} ORDER BY t.id LIMIT ${most}`,
      part,
      ...values,
    ),
  )
}

interface FilterSql {
  readonly where: string
  readonly values: readonly (string | number)[]
}

export function filterSql({ after, before, speaker, groups, without_groups }: RecallFilters): FilterSql {
  const all: [string, readonly (string | number)[]][] = []
  if (after !== undefined) all.push([' AND t.at >= ?', [after]])
  if (before !== undefined) all.push([' AND t.at < ?', [before]])
  if (speaker !== undefined) all.push([' AND t.speaker = ?', [speaker]])
  if (groups !== undefined) all.push([` AND t.grp IN (SELECT no FROM groups WHERE name IN (${marks(groups)}))`, groups])
  if (without_groups !== undefined && without_groups.length > 0) {
    all.push([` AND (t.grp IS NULL OR t.grp NOT IN (SELECT no FROM groups WHERE name IN (${marks(without_groups)})))`, without_groups])
  }
  return { where: all.map(([where]) => where).join(''), values: all.flatMap(([, values]) => values) }
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ')
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function mapOf(scored: readonly Scored[]): ReadonlyMap<number, number> {
  const map = new Map<number, number>()
  for (const { no, score } of scored) map.set(no, (map.get(no) ?? 0) + score)
  return map
}
