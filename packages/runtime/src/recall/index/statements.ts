// Statements prepared once per text.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

export interface Statements {
  run(sql: string, ...values: readonly SQLInputValue[]): { readonly lastInsertRowid: number | bigint; readonly changes: number | bigint }
  get<Row>(sql: string, ...values: readonly SQLInputValue[]): Row | undefined
  all<Row>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[]
  /** Of thousands of rows: each is a list of its values, in the order of the columns, which is several times faster than an object. */
  lists<Row extends readonly unknown[]>(sql: string, ...values: readonly SQLInputValue[]): readonly Row[]
  iterate<Row>(sql: string, ...values: readonly SQLInputValue[]): Iterable<Row>
  transaction<Result>(work: () => Result): Result
}

/** A JavaScript number is bound as a float, and FTS5 ignores `rowid = 2.0` beside a MATCH. */
function whole(values: readonly SQLInputValue[]): SQLInputValue[] {
  return values.map((value) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value))
}

/** More texts than this are not kept prepared: those with a list of scopes vary. */
const most = 200

export function openStatements(database: DatabaseSync): Statements {
  const prepared = new Map<string, StatementSync>()

  function statement(sql: string): StatementSync {
    const known = prepared.get(sql)
    if (known) return known
    if (prepared.size >= most) prepared.clear()
    const made = database.prepare(sql)
    prepared.set(sql, made)
    return made
  }

  return {
    run: (sql, ...values) => statement(sql).run(...whole(values)),
    get: <Row>(sql: string, ...values: readonly SQLInputValue[]) => statement(sql).get(...whole(values)) as Row | undefined,
    all: <Row>(sql: string, ...values: readonly SQLInputValue[]) => statement(sql).all(...whole(values)) as unknown as readonly Row[],
    lists<Row extends readonly unknown[]>(sql: string, ...values: readonly SQLInputValue[]) {
      const made = database.prepare(sql)
      made.setReturnArrays(true)
      return made.all(...whole(values)) as unknown as readonly Row[]
    },
    iterate: <Row>(sql: string, ...values: readonly SQLInputValue[]) => statement(sql).iterate(...whole(values)) as Iterable<Row>,
    transaction(work) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    },
  }
}
