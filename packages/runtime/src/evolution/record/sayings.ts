// What a person said in the latest runs that may be a demand or a correction, and the group it is in.
import type { Store } from '../../store/store.ts'

export type SaidKind = 'constraint' | 'corrected_agent'

export interface NewSaying {
  readonly text: string
  readonly message_id: string
  readonly asks: boolean
  readonly forbids: boolean
}

export interface Saying extends NewSaying {
  readonly no: number
  readonly run: number
  readonly pattern: number | null
}

export interface Sayings {
  add(what: SaidKind, run: number, saying: NewSaying): void
  /** Oldest first. Older ones than these are removed. */
  latest(what: SaidKind): readonly Saying[]
  setPattern(no: number, pattern: number): void
  of(pattern: number, run: number): readonly Saying[]
  /** How many of the group ask for a way of working, and how many different tasks they come with: runs of one routine are one task. */
  figures(pattern: number): { readonly sayings: number; readonly asking: number; readonly tasks: number }
  /** Before a run is mined again. */
  forget(run: number): void
  /** The user has forgotten words of these messages. */
  eraseOf(message_ids: readonly string[]): void
}

/** Older ones are not compared: the cost of a run must not grow, and a demand that matters is said again. */
const mostCompared = 200

type SayingRow = Omit<Saying, 'asks' | 'forbids'> & { readonly asks: number; readonly forbids: number }

export function openSayings({ sql }: Pick<Store, 'sql'>): Sayings {
  return {
    add(what, run, { text, message_id, asks, forbids }) {
      sql.run`
        INSERT INTO evolution_sayings (run, what, text, message_id, asks, forbids)
        VALUES (${run}, ${what}, ${text}, ${message_id}, ${asks ? 1 : 0}, ${forbids ? 1 : 0})`
    },
    latest(what) {
      sql.run`
        DELETE FROM evolution_sayings WHERE what = ${what}
          AND no <= (SELECT no FROM evolution_sayings WHERE what = ${what} ORDER BY no DESC LIMIT 1 OFFSET ${mostCompared})`
      return sql.all<SayingRow>`SELECT * FROM evolution_sayings WHERE what = ${what} ORDER BY no`.map(toSaying)
    },
    setPattern: (no, pattern) => void sql.run`UPDATE evolution_sayings SET pattern = ${pattern} WHERE no = ${no}`,
    of: (pattern, run) =>
      sql.all<SayingRow>`SELECT * FROM evolution_sayings WHERE pattern = ${pattern} AND run = ${run} ORDER BY no`.map(toSaying),
    figures(pattern) {
      const said = sql.get<{ sayings: number; asking: number }>`
        SELECT count(*) AS sayings, coalesce(sum(asks), 0) AS asking FROM evolution_sayings WHERE pattern = ${pattern}`
      const done = sql.get<{ tasks: number }>`
        SELECT count(DISTINCT coalesce((
          SELECT min(s.pattern) FROM evolution_pattern_runs s JOIN evolution_patterns p ON p.no = s.pattern AND p.what = 'sequence'
          WHERE s.run = r.run), -r.run)) AS tasks
        FROM (SELECT DISTINCT run FROM evolution_sayings WHERE pattern = ${pattern}) r`
      return { sayings: said?.sayings ?? 0, asking: said?.asking ?? 0, tasks: done?.tasks ?? 0 }
    },
    eraseOf(message_ids) {
      const list = JSON.stringify(message_ids)
      sql.run`
        DELETE FROM evolution_vectors WHERE text IN (
          SELECT text FROM evolution_sayings WHERE message_id IN (SELECT value FROM json_each(${list})))`
      sql.run`DELETE FROM evolution_sayings WHERE message_id IN (SELECT value FROM json_each(${list}))`
    },
    forget: (run) => void sql.run`DELETE FROM evolution_sayings WHERE run = ${run}`,
  }
}

function toSaying({ no, run, text, message_id, asks, forbids, pattern }: SayingRow): Saying {
  return { no, run, text, message_id, asks: asks === 1, forbids: forbids === 1, pattern }
}
