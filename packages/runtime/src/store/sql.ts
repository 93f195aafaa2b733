// The one typed door to the database: SQL as a tagged template, and the shape of its rows said where they are asked for.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

/** A row nobody gave a shape: each value is looked at before it is used. */
type Anything = Record<string, unknown>

export interface Sql {
  all<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Row[]
  get<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Row | undefined
  iterate<Row = Anything>(text: TemplateStringsArray, ...values: SQLInputValue[]): Iterable<Row>
  run(
    text: TemplateStringsArray,
    ...values: SQLInputValue[]
  ): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
}

/** The same text is prepared once. The columns of a statement are its author's promise: they stand beside the type. */
export function openSql(database: DatabaseSync): Sql {
  const tags = database.createTagStore(1_000)
  return {
    all: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.all(text, ...values) as Row[],
    get: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.get(text, ...values) as Row | undefined,
    iterate: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) => tags.iterate(text, ...values) as Iterable<Row>,
    run: (text, ...values) => tags.run(text, ...values),
  }
}
