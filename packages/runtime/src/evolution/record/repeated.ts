// What is repeated, or may be: sequences, constraints and remediations, each with the runs it occurred in.
import type { Store } from '../../store/store.ts'
import type { Repeated } from '../rule/gap.ts'

export type PatternKind = Repeated['what']

export interface PatternMember {
  readonly repetitions: number
  readonly forbids: boolean
  readonly words: string | null
  readonly message_ids: readonly string[]
  readonly keys: readonly string[]
}

export interface PatternTotals {
  readonly signature: string
  readonly what: PatternKind
  readonly runs: number
  readonly repetitions: number
  /** From here on, of the latest runs. */
  readonly days: number
  readonly latest: readonly number[]
  readonly forbids: boolean
  readonly message_ids: readonly string[]
  readonly trace_ids: readonly string[]
  /** What a person asked for in these runs, the latest first. */
  readonly requests: readonly string[]
}

export interface RepeatedPatterns {
  /** Patterns of this kind that have one of these keys, the most frequent first. */
  having(
    what: PatternKind,
    keys: readonly string[],
  ): readonly { readonly no: number; readonly runs: number; readonly keys: ReadonlyMap<string, number> }[]
  /** Created if there is none of this signature. */
  ensure(what: PatternKind, signature: string): number
  /** A run counts once; another occurrence in it adds to its repetitions. */
  add(pattern: number, run: number, member: PatternMember): void
  isMember(pattern: number, run: number): boolean
  /** The keys of a sequence: the shapes that its runs have now. */
  setKeys(pattern: number, keys: ReadonlyMap<string, number>): void
  totals(pattern: number): PatternTotals
  /** The run is no occurrence of it after all. */
  remove(pattern: number, run: number): void
  /** Before a run is mined again. */
  forget(run: number): void
}

const [mostPatterns, mostLatest] = [30, 50]

interface MemberRow {
  readonly pattern: number
  readonly run: number
  readonly repetitions: number
  readonly forbids: number
  readonly words: string | null
  readonly message_ids: string
  readonly keys: string
}

export function openRepeated({ sql }: Pick<Store, 'sql'>): RepeatedPatterns {
  const read = (list: string): readonly string[] => JSON.parse(list)

  function whatOf(pattern: number): string {
    return sql.get<{ what: string }>`SELECT what FROM evolution_patterns WHERE no = ${pattern}`?.what ?? ''
  }

  function keysOf(pattern: number): ReadonlyMap<string, number> {
    const rows = sql.all<{ key: string; runs: number }>`SELECT key, runs FROM evolution_pattern_keys WHERE pattern = ${pattern}`
    return new Map(rows.map(({ key, runs }) => [key, runs]))
  }

  function leave({ pattern, run, repetitions, keys }: MemberRow): void {
    sql.run`UPDATE evolution_patterns SET runs = runs - 1, repetitions = repetitions - ${repetitions} WHERE no = ${pattern}`
    for (const key of read(keys)) sql.run`UPDATE evolution_pattern_keys SET runs = runs - 1 WHERE pattern = ${pattern} AND key = ${key}`
    sql.run`DELETE FROM evolution_pattern_runs WHERE pattern = ${pattern} AND run = ${run}`
  }

  return {
    having(what, keys) {
      const found = new Map<number, number>()
      for (const key of keys) {
        const rows = sql.all<{ pattern: number }>`
          SELECT pattern FROM evolution_pattern_keys WHERE what = ${what} AND key = ${key} ORDER BY runs DESC, pattern DESC LIMIT ${mostPatterns}`
        for (const { pattern } of rows) found.set(pattern, (found.get(pattern) ?? 0) + 1)
      }
      const best = [...found].toSorted(([left, a], [right, b]) => b - a || left - right).slice(0, mostPatterns)
      return best.map(([no]) => {
        const runs = sql.get<{ runs: number }>`SELECT runs FROM evolution_patterns WHERE no = ${no}`?.runs ?? 0
        return { no, runs, keys: keysOf(no) }
      })
    },
    ensure(what, signature) {
      sql.run`INSERT OR IGNORE INTO evolution_patterns (what, signature, runs, repetitions) VALUES (${what}, ${signature}, 0, 0)`
      return sql.get<{ no: number }>`SELECT no FROM evolution_patterns WHERE signature = ${signature}`?.no ?? 0
    },
    add(pattern, run, { repetitions, forbids, words, message_ids, keys }) {
      const known = sql.get<MemberRow>`SELECT * FROM evolution_pattern_runs WHERE pattern = ${pattern} AND run = ${run}`
      if (known) {
        const ids = [...new Set([...read(known.message_ids), ...message_ids])]
        sql.run`
          UPDATE evolution_pattern_runs SET repetitions = repetitions + ${repetitions}, message_ids = ${JSON.stringify(ids)}
          WHERE pattern = ${pattern} AND run = ${run}`
        sql.run`UPDATE evolution_patterns SET repetitions = repetitions + ${repetitions} WHERE no = ${pattern}`
        return
      }
      sql.run`
        INSERT INTO evolution_pattern_runs (pattern, run, repetitions, forbids, words, message_ids, keys)
        VALUES (${pattern}, ${run}, ${repetitions}, ${forbids ? 1 : 0}, ${words}, ${JSON.stringify(message_ids)}, ${JSON.stringify(keys)})`
      sql.run`UPDATE evolution_patterns SET runs = runs + 1, repetitions = repetitions + ${repetitions} WHERE no = ${pattern}`
      for (const key of keys)
        sql.run`
          INSERT INTO evolution_pattern_keys (what, key, pattern, runs) VALUES (${whatOf(pattern)}, ${key}, ${pattern}, 1)
          ON CONFLICT (pattern, key) DO UPDATE SET runs = runs + 1`
    },
    isMember: (pattern, run) => sql.get`SELECT 1 FROM evolution_pattern_runs WHERE pattern = ${pattern} AND run = ${run}` !== undefined,
    setKeys(pattern, keys) {
      const what = whatOf(pattern)
      sql.run`DELETE FROM evolution_pattern_keys WHERE pattern = ${pattern}`
      for (const [key, runs] of keys)
        sql.run`INSERT INTO evolution_pattern_keys (what, key, pattern, runs) VALUES (${what}, ${key}, ${pattern}, ${runs})`
    },
    totals(pattern) {
      const row = sql.get<Pick<PatternTotals, 'signature' | 'what' | 'runs' | 'repetitions'>>`
        SELECT signature, what, runs, repetitions FROM evolution_patterns WHERE no = ${pattern}`
      if (!row) throw new Error(`there is no pattern ${pattern}`)
      const members = sql.all<MemberRow & { day: string; request: string | null; trace_id: string | null }>`
        SELECT m.*, r.day AS day, r.request AS request, t.id AS trace_id FROM evolution_pattern_runs m JOIN evolution_runs r ON r.no = m.run
          LEFT JOIN runtime_behavior_traces t ON t.run_id = r.run_id
        WHERE m.pattern = ${pattern} ORDER BY m.run DESC LIMIT ${mostLatest}`
      return {
        ...row,
        days: new Set(members.map(({ day }) => day)).size,
        latest: members.map(({ run }) => run),
        forbids: 2 * members.filter(({ forbids }) => forbids === 1).length > members.length,
        message_ids: members.flatMap(({ message_ids }) => read(message_ids)).slice(0, 100),
        trace_ids: members.flatMap(({ trace_id }) => trace_id ?? []),
        requests: members.flatMap(({ request }) => request ?? []),
      }
    },
    remove(pattern, run) {
      const member = sql.get<MemberRow>`SELECT * FROM evolution_pattern_runs WHERE pattern = ${pattern} AND run = ${run}`
      if (member) leave(member)
    },
    forget(run) {
      for (const member of sql.all<MemberRow>`SELECT * FROM evolution_pattern_runs WHERE run = ${run}`) leave(member)
    },
  }
}
