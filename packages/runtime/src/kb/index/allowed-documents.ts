// Which documents of the sources a query may find: by what the reader may read, by format, by time. Judging each path takes a while for a
// large folder, so the answers of the last readers are kept until something is written.
import type { Statements } from '../../recall/index/statements.ts'
import { type AccessScope, accessRule } from '../../sandbox/files/access-rule.ts'
import type { PassageQuery } from './search-passages.ts'

interface DocumentPlace {
  readonly id: string
  readonly path: string | null
}

/** Different readers whose answers are kept. */
const mostKept = 8

export class AllowedDocuments {
  readonly #kept = new Map<string, readonly string[]>()
  #version = 0
  #sql: Statements | null = null

  /** This connection has written. */
  forget(): void {
    this.#kept.clear()
  }

  /** Null for all of them. */
  documents(sql: Statements, { sources, access, formats, changed_after }: PassageQuery): readonly string[] | null {
    if (access === undefined && formats === undefined && changed_after === undefined) return null
    const version = sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0
    // Another connection has written, or the file is another one.
    if (version !== this.#version || sql !== this.#sql) this.forget()
    this.#version = version
    this.#sql = sql
    const key = JSON.stringify([sources, access, formats, changed_after])
    const known = this.#kept.get(key)
    if (known) return known
    const places = sql.all<DocumentPlace>(
      `SELECT id, path FROM documents
       WHERE source IN (SELECT value FROM json_each(?1)) AND problem IS NULL
         AND (?2 IS NULL OR format IN (SELECT value FROM json_each(?2))) AND (?3 IS NULL OR mtime >= ?3) ORDER BY no`,
      ...[JSON.stringify(sources), formats === undefined ? null : JSON.stringify(formats), changed_after ?? null],
    )
    const allowed = judged(places, access)
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size >= mostKept) this.#kept.delete(oldest)
    this.#kept.set(key, allowed)
    return allowed
  }
}

/** A page or a pasted text has no path. */
function judged(places: readonly DocumentPlace[], access: AccessScope | undefined): readonly string[] {
  const rule = access && accessRule(access)
  return places
    .filter(({ path }) => rule === undefined || path === null || rule.judge(path, 'read', 'file').is !== 'closed')
    .map(({ id }) => id)
}
