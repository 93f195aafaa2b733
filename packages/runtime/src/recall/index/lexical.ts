// What the words and characters of a query find, with the raw signals that the ranking combines.
import type { RecallFilters } from '../answer.ts'
import { frequency, rarity } from '../rule/bm25.ts'
import { characterParts, type QueryWord, type TellingWords, telling, weightOf } from '../rule/query.ts'
import type { Layout } from './layout.ts'
import type { Statements } from './statements.ts'
import type { Words } from './words.ts'

/** So many of the best by words and by characters are ranked. */
const most = 300
/** A word of a neighbor counts so much. */
const neighborWeight = 0.5

export interface LexicalQuery {
  readonly space: number
  readonly scopes: readonly number[]
  readonly query: string
  readonly filters: RecallFilters
}

export interface LexicalFound {
  /** The texts to rank. */
  readonly nos: readonly number[]
  /** Of these, and of others that have one of the words. */
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

/** `textsWith`: in how many texts of the space a word occurs. */
export interface WordFacts {
  readonly words: Words
  textsWith(space: number, term: string): number
}

export interface LexicalParts {
  readonly sql: Statements
  readonly facts: WordFacts
  readonly layout: Layout
}

export function lexical(parts: LexicalParts, { space, scopes, query, filters }: LexicalQuery): LexicalFound {
  const { sql, facts, layout } = parts
  const total = layout.texts()
  const asked = askedWords(facts, space, query)
  const { finding, ordering } = telling(asked, total)
  const words = [...finding, ...ordering].map((word) => ({ term: word.term, weight: weightOf(word, total) }))
  const missing = asked.filter(({ texts }) => texts === 0).map((word) => weightOf(word, total))
  const { parts: pieces, short } = characterParts(query)
  const within = { scopes, filtered: filterSql(filters) }
  const { texts, groups } = wordScores(parts, space, scopes, { finding, ordering })
  const text = filtered(sql, texts, within.filtered)
  const byWords = best(sql, text)
  const byPieces = pieces.length === 0 ? [] : byCharacters(sql, space, pieces, within, byWords)
  const characters = mapOf([...byPieces, ...shortParts(sql, { space, short, ...within })])
  return {
    nos: [...new Set([...byWords, ...characters.keys()])],
    text,
    groups,
    characters,
    words,
    parts: [...pieces, ...short],
    total: [...words.map(({ weight }) => weight), ...missing].reduce((sum, weight) => sum + weight, 0),
  }
}

/** A word as it is written in the query: only this can be asked of FTS5, which makes the term of it. */
interface AskedWord extends QueryWord {
  readonly written: string
}

function askedWords({ words, textsWith }: WordFacts, space: number, query: string): readonly AskedWord[] {
  const [found = []] = words.of([query])
  const writtenOf = new Map(found.filter(({ term }) => term !== '').map(({ term, written }) => [term, written]))
  return [...writtenOf].map(([term, written]) => ({ term, written, texts: textsWith(space, term) }))
}

type Counts = Map<number, number>

/**
 * BM25 of each text with its date and its neighbors, and of each group as if it were one text. Both are computed from where the words occur:
 * a text need not be written again when a neighbor or its group changes.
 */
function wordScores(
  { sql, layout }: LexicalParts,
  space: number,
  scopes: readonly number[],
  { finding, ordering }: TellingWords<AskedWord>,
): { readonly texts: Counts; readonly groups: Counts } {
  const wanted = new Set(scopes)
  const [texts, groups]: [Counts, Counts] = [new Map(), new Map()]
  for (const { term } of finding) {
    const { inTexts, inGroups } = occurrences(sql, layout, space, term)
    const [rare, rareGroup] = [rarity(inTexts.size, layout.texts()), rarity(inGroups.size, layout.groups())]
    const seen = new Set<number>()
    for (const [no, count] of inTexts) {
      if (!wanted.has(layout.scope(no))) continue
      add(texts, no, rare * frequency(count, layout.relativeLength(no)))
      seen.add(layout.group(no))
    }
    for (const group of seen) {
      const count = inGroups.get(group)
      if (count !== undefined) add(groups, group, rareGroup * frequency(count, layout.relativeGroupLength(group)))
    }
  }
  for (const word of ordering) {
    const rare = rarity(word.texts, layout.texts())
    for (const no of textsWithBoth(sql, space, word, finding)) {
      if (texts.has(no)) add(texts, no, rare * frequency(1, layout.relativeLength(no)))
    }
  }
  return { texts, groups }
}

/** FTS5 skips the texts that have only one of them, so a common word takes little more time than a rare one. */
function textsWithBoth(sql: Statements, space: number, word: AskedWord, others: readonly AskedWord[]): readonly number[] {
  const found = sql.get<{ nos: string | null }>(
    `SELECT group_concat(rowid) AS nos FROM words_${space} WHERE words_${space} MATCH ?`,
    `${quoted(word.written)} AND (${others.map(({ written }) => quoted(written)).join(' OR ')})`,
  )
  return numbers(found?.nos)
}

/** How often a word occurs in each text with its date and its neighbors, and in each group. */
function occurrences(
  sql: Statements,
  layout: Layout,
  space: number,
  term: string,
): { readonly inTexts: Counts; readonly inGroups: Counts } {
  const found = sql.get<{ bodies: string | null; days: string | null }>(
    `SELECT group_concat(doc) FILTER (WHERE col = 'body') AS bodies, group_concat(doc) FILTER (WHERE col = 'day') AS days
     FROM places_${space} WHERE term = ?`,
    term,
  )
  const [inTexts, inGroups]: [Counts, Counts] = [new Map(), new Map()]
  for (const no of numbers(found?.bodies)) {
    add(inTexts, no, 1)
    const [previous, following, group] = [layout.previous(no), layout.following(no), layout.group(no)]
    if (previous !== 0) add(inTexts, previous, neighborWeight)
    if (following !== 0) add(inTexts, following, neighborWeight)
    if (group !== 0) add(inGroups, group, 1)
  }
  // The texts of a conversation mostly have the same date: for the group it counts once.
  const onDay = new Set<number>()
  for (const no of numbers(found?.days)) {
    add(inTexts, no, 1)
    onDay.add(layout.group(no))
  }
  onDay.delete(0)
  for (const group of onDay) add(inGroups, group, 1)
  return { inTexts, inGroups }
}

function numbers(list: string | null | undefined): readonly number[] {
  return list ? list.split(',').map(Number) : []
}

function add(counts: Counts, key: number, value: number): void {
  counts.set(key, (counts.get(key) ?? 0) + value)
}

function filtered(sql: Statements, scores: Counts, { where, values }: FilterSql): Counts {
  if (where === '' || scores.size === 0) return scores
  const left = sql.all<{ no: number }>(
    `SELECT t.no FROM texts t WHERE t.no IN (SELECT value FROM json_each(?))${where}`,
    JSON.stringify([...scores.keys()]),
    ...values,
  )
  return new Map(left.map(({ no }) => [no, scores.get(no) ?? 0]))
}

/** Equal scores at the cut are decided by the id, so that the order of indexing does not matter. */
function best(sql: Statements, scores: Counts): readonly number[] {
  if (scores.size <= most) return [...scores.keys()]
  const least = Float64Array.from(scores.values()).sort().at(-most) ?? 0
  const [above, level]: [number[], number[]] = [[], []]
  for (const [no, score] of scores) {
    if (score > least) above.push(no)
    else if (score === least) level.push(no)
  }
  const kept = sql.all<{ no: number }>(
    'SELECT no FROM texts WHERE no IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?',
    JSON.stringify(level),
    most - above.length,
  )
  return [...above, ...kept.map(({ no }) => no)]
}

interface Within {
  readonly scopes: readonly number[]
  readonly filtered: FilterSql
}

/** The best by their characters, and those of `others` that have the characters too. */
function byCharacters(
  sql: Statements,
  space: number,
  parts: readonly string[],
  { scopes, filtered: { where, values } }: Within,
  others: readonly number[],
): readonly Scored[] {
  const table = `characters_${space}`
  const wanted = parts.map(quoted).join(' OR ')
  const select = (order: string, limit: number) =>
    sql.all<Scored>(
      `SELECT f.rowid AS no, -f.rank AS score FROM ${table} f CROSS JOIN texts t ON t.no = f.rowid
       WHERE ${table} MATCH ? AND t.scope IN (${scopes.join(', ')})${where} ORDER BY ${order} LIMIT ${limit}`,
      wanted,
      ...values,
    )
  const found = select('f.rank', most + 1)
  if (found.length <= most) return found
  const isTied = found[most - 1]?.score === found[most]?.score
  const kept = isTied ? select('f.rank, t.id', most) : found.slice(0, most)
  const isKept = new Set(kept.map(({ no }) => no))
  // With the plus sign, the characters are looked up once, not once for each number.
  const beside = sql.all<Scored>(
    `SELECT rowid AS no, -rank AS score FROM ${table} WHERE ${table} MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
    wanted,
    JSON.stringify(others.filter((no) => !isKept.has(no))),
  )
  return [...kept, ...beside]
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

/** However many: their names are one value. */
const groupsNamed = 'SELECT no FROM groups WHERE name IN (SELECT value FROM json_each(?))'

export function filterSql({ after, before, speaker, groups, without_groups }: RecallFilters): FilterSql {
  const all: [string, readonly (string | number)[]][] = []
  if (after !== undefined) all.push([' AND t.at >= ?', [after]])
  if (before !== undefined) all.push([' AND t.at < ?', [before]])
  if (speaker !== undefined) all.push([' AND t.speaker = ?', [speaker]])
  if (groups !== undefined) all.push([` AND t.grp IN (${groupsNamed})`, [JSON.stringify(groups)]])
  if (without_groups !== undefined && without_groups.length > 0) {
    all.push([` AND (t.grp IS NULL OR t.grp NOT IN (${groupsNamed}))`, [JSON.stringify(without_groups)]])
  }
  return { where: all.map(([where]) => where).join(''), values: all.flatMap(([, values]) => values) }
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function mapOf(scored: readonly Scored[]): Counts {
  const map: Counts = new Map()
  for (const { no, score } of scored) add(map, no, score)
  return map
}
