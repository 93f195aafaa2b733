// What the words and characters of a query find, with the raw signals that the ranking combines.
import type { RecallFilters } from '../answer.ts'
import { characterParts, type QueryWord, telling, weightOf } from '../rule/query.ts'
import type { Statements } from './statements.ts'
import { scopeToken } from './write.ts'

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
  /** Whether these scopes are all of the space: then nothing has to be kept out. */
  isWhole(space: number, scopes: readonly number[]): boolean
  textsWith(space: number, term: string): number
  total(space: number): number
}

export function lexical(sql: Statements, facts: WordFacts, { space, scopes, query, filters }: LexicalQuery): LexicalFound {
  const total = facts.total(space)
  const asked: QueryWord[] = [...new Set(facts.termsOf(query))].map((term) => ({ term, texts: facts.textsWith(space, term) }))
  const known = telling(asked, total)
  const words = known.map((word) => ({ term: word.term, weight: weightOf(word, total) }))
  const missing = asked.filter(({ texts }) => texts === 0).map((word) => weightOf(word, total))
  const { parts, short } = characterParts(query)
  const filtered = filterSql(filters)
  const inScopes = facts.isWhole(space, scopes) ? '' : `(${scopes.map((scope) => `scope:"${scopeToken(scope)}"`).join(' OR ')}) AND `
  const anyWord = words.map(({ term }) => quoted(term)).join(' OR ')
  const text = words.length === 0 ? [] : best(sql, `words_${space}`, `${inScopes}{body around}:(${anyWord})`, filtered, scopes)
  const groups =
    words.length === 0
      ? []
      : sql.all<Scored>(
          `SELECT rowid AS no, -rank AS score FROM grouped_${space} WHERE grouped_${space} MATCH ? ORDER BY rank, rowid LIMIT ${mostGroups}`,
          `${inScopes}body:(${anyWord})`,
        )
  const characters =
    parts.length === 0 ? [] : best(sql, `characters_${space}`, parts.map(quoted).join(' OR '), filtered, scopes, /* isScoped */ false)
  return {
    text: mapOf(text),
    groups: mapOf(groups),
    characters: mapOf([...characters, ...shortParts(sql, { space, scopes, short, filtered })]),
    words,
    parts: [...parts, ...short],
    total: [...words.map(({ weight }) => weight), ...missing].reduce((sum, weight) => sum + weight, 0),
  }
}

/** Without filters the index sorts by itself; with them, all that match are joined first. */
function best(
  sql: Statements,
  table: string,
  match: string,
  { where, values }: FilterSql,
  scopes: readonly number[],
  isScoped = true,
): readonly Scored[] {
  if (where === '' && isScoped) {
    return sql.all<Scored>(`SELECT rowid AS no, -rank AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rank LIMIT ${most}`, match)
  }
  return sql.all<Scored>(
    `SELECT f.rowid AS no, -f.rank AS score FROM ${table} f JOIN texts t ON t.no = f.rowid
     WHERE ${table} MATCH ? AND t.scope IN (${scopes.join(', ')})${where} ORDER BY f.rank LIMIT ${most}`,
    match,
    ...values,
  )
}

/** One or two letters of a script without spaces: no index has them, so the texts of the scopes are looked through. */
function shortParts(
  sql: Statements,
  {
    space,
    scopes,
    short,
    filtered: { where, values },
  }: { space: number; scopes: readonly number[]; short: readonly string[]; filtered: FilterSql },
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
