// The index as the thread offers it: every method is one call. A damaged file is replaced by an empty one, which its owner fills again.
import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { RecallQuery } from '../answer.ts'
import type { Weights } from '../rule/rank.ts'
import { type RecallText, spaceOf } from '../text.ts'
import { Layouts } from './layout.ts'
import type { WordFacts } from './lexical.ts'
import { type FurtherTables, isDamage, openIndexFile, removeIndexFile, wordTables } from './schema.ts'
import { type QueryVector, type Searched, search } from './search.ts'
import { openStatements, type Statements } from './statements.ts'
import { type Unembedded, UnembeddedTexts } from './unembedded.ts'
import { Vectors } from './vectors.ts'
import { Words } from './words.ts'
import { dropSpace, type Space, spaceNamed, write } from './write.ts'

export interface Batch {
  readonly space: string
  readonly texts: readonly RecallText[]
  readonly removed: readonly string[]
  /** From where to where a scan of the space has come with it; `whole` when it has ended. */
  readonly scan?: { readonly from: string | null; readonly through: string | null; readonly whole: boolean }
  /** From where to where the changes of the records are applied with it. */
  readonly changes?: { readonly from: number; readonly through: number }
}

export interface SpaceState {
  readonly scanned_through: string | null
  readonly is_whole: boolean
  readonly changes_through: number
}

export interface IndexFigures {
  readonly texts: number
  readonly vectors: number
  readonly file_bytes: number
  /** What is kept in memory for searches. */
  readonly vector_bytes: number
  readonly layout_bytes: number
}

/** Thrown by a call that found the file damaged. The file is empty by then, if the index owns it. */
class IndexLost extends Error {
  override readonly name = 'IndexLost'
}

const nothingFound: Searched = { hits: [], isCompared: false }

export class RecallIndex {
  readonly #path: string
  readonly #further: FurtherTables | undefined
  /** Only its owner replaces the file. Others, who only search, open the one that took its place. */
  readonly #isOwner: boolean
  #database: DatabaseSync
  #ino = 0
  #sql: Statements
  #vectors: Vectors
  #layouts: Layouts
  #unembedded: UnembeddedTexts
  readonly #words = new Words((words) => this.#termsOf(words))
  /** In how many texts a word occurs; forgotten with every change. */
  readonly #counts = new Map<string, number>()
  #version = -1
  /** False while the log beside the file may have what was removed. */
  #isLogEmpty = true

  constructor(path: string, further?: FurtherTables, isOwner = true) {
    this.#path = path
    this.#further = further
    this.#isOwner = isOwner
    this.#database = this.#opened()
    this.#sql = openStatements(this.#database)
    this.#vectors = new Vectors(this.#sql)
    this.#layouts = new Layouts(this.#sql)
    this.#unembedded = new UnembeddedTexts(this.#sql)
  }

  state(name: string): SpaceState {
    return this.#guarded(() => {
      const space = this.#sql.get<Space>('SELECT no, scanned_through, is_whole, changes_through FROM spaces WHERE name = ?', name)
      if (!space) return { scanned_through: null, is_whole: false, changes_through: 0 }
      return { ...space, is_whole: space.is_whole === 1 }
    })
  }

  /** Continues exactly where the last batch has ended: a file that was replaced in between is not taken for one that has the rest. */
  apply(batch: Batch): void {
    this.applyWith(batch, () => undefined)
  }

  /** `beside` is done in the same transaction. */
  protected applyWith({ space: name, texts, removed, scan, changes }: Batch, beside: (sql: Statements) => void): void {
    const { space, stale, changed } = this.#guarded(() =>
      this.#sql.transaction(() => {
        const space = spaceNamed(this.#database, this.#sql, name)
        if (scan && (space.scanned_through !== scan.from || space.is_whole === 1)) throw new IndexLost('the index was replaced')
        if (changes && space.changes_through !== changes.from) throw new IndexLost('the index was replaced')
        const written = write(this.#sql, space.no, texts, removed)
        if (scan)
          this.#sql.run('UPDATE spaces SET scanned_through = ?, is_whole = ? WHERE no = ?', scan.through, scan.whole ? 1 : 0, space.no)
        if (changes) this.#sql.run('UPDATE spaces SET changes_through = ? WHERE no = ?', changes.through, space.no)
        beside(this.#sql)
        return { ...written, space: space.no }
      }),
    )
    this.#counts.clear()
    this.#guarded(() => this.#layouts.changed(space, changed))
    this.#unembedded.changed(changed)
    for (const { no, scope } of stale) this.#vectors.removed(no, scope)
    this.#isLogEmpty &&= stale.length === 0
    if (!this.#isLogEmpty) this.#emptyLog()
  }

  /** Everything of a space goes, to be scanned again. */
  drop(name: string): void {
    this.#guarded(() => {
      const space = this.#sql.get<{ no: number }>('SELECT no FROM spaces WHERE name = ?', name)
      if (!space) return
      this.#sql.transaction(() => dropSpace(this.#database, this.#sql, space.no))
    })
    this.#emptyLog()
    this.#forget()
  }

  search(query: RecallQuery, meant: QueryVector | null, weights?: Weights): Searched {
    const [first] = query.scope
    if (first === undefined) return nothingFound
    const name = spaceOf(first)
    for (const scope of query.scope) if (spaceOf(scope) !== name) throw new Error('a search is about the scopes of one space')
    return this.#guarded(() => {
      this.#noticeOthers()
      const space = this.#sql.get<{ no: number }>('SELECT no FROM spaces WHERE name = ?', name)
      if (!space) return nothingFound
      const parts = { sql: this.#sql, facts: this.#facts(), vectors: this.#vectors, layout: this.#layouts.of(space.no) }
      return search(parts, space.no, query, meant, weights)
    })
  }

  /** Texts that have no vector of this model yet, in these spaces. */
  unembedded(model: string, spaces: readonly string[], limit: number): readonly Unembedded[] {
    return this.#guarded(() => {
      this.#noticeOthers()
      return this.#unembedded.next(model, spaces, limit)
    })
  }

  /** `text` is what was embedded: one that has changed since gets no vector. An empty vector marks a text that the model rejects. */
  putVectors(model: string, embedded: readonly (Unembedded & { readonly vector: Float32Array })[]): void {
    const put = this.#guarded(() =>
      this.#sql.transaction(() =>
        embedded.flatMap(({ no, text, vector }) => {
          const row = this.#sql.get<{ scope: number }>('SELECT scope FROM texts WHERE no = ? AND text = ?', no, text)
          if (!row) return []
          this.#vectors.put(no, row.scope, model, vector)
          return [{ no, scope: row.scope, vector }]
        }),
      ),
    )
    for (const { no, scope, vector } of put) this.#vectors.added(no, scope, model, vector)
  }

  figures(): IndexFigures {
    return this.#guarded(() => {
      const one = (sql: string) => Number(this.#sql.get<{ n: number }>(sql)?.n ?? 0)
      return {
        texts: one('SELECT count(*) AS n FROM texts'),
        vectors: one('SELECT count(*) AS n FROM vectors'),
        file_bytes: one('SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()'),
        vector_bytes: this.#vectors.bytes(),
        layout_bytes: this.#layouts.bytes(),
      }
    })
  }

  /** Everything is read again from the records. */
  clear(): void {
    this.#replace()
  }

  /**
   * Merges the parts of the index: searches are faster then, and beginnings of removed words that separated the parts are gone. For idle
   * times: it takes seconds for a large index.
   */
  tidy(most: number): void {
    this.#guarded(() => {
      for (const { no } of this.#sql.all<{ no: number }>('SELECT no FROM spaces')) {
        if (this.#total(no) > most) continue
        for (const table of wordTables.map((name) => `${name}_${no}`)) {
          this.#sql.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
        }
      }
    })
    this.#emptyLog()
  }

  close(): void {
    this.#database.close()
  }

  /** For further tables. Without a transaction. */
  protected read<Result>(work: (sql: Statements) => Result): Result {
    return this.#guarded(() => work(this.#sql))
  }

  protected write<Result>(work: (sql: Statements) => Result): Result {
    return this.#guarded(() => this.#sql.transaction(() => work(this.#sql)))
  }

  /** Gives the space of what was removed back to the disk. */
  protected vacuum(): void {
    this.#guarded(() => this.#database.exec('VACUUM'))
    this.#emptyLog()
  }

  #facts(): WordFacts {
    return {
      words: this.#words,
      textsWith: (space, term) => this.#textsWith(space, term),
    }
  }

  #total(space: number): number {
    return this.#sql.get<{ n: number }>('SELECT count(*) AS n FROM texts WHERE space = ?', space)?.n ?? 0
  }

  #textsWith(space: number, term: string): number {
    const key = `${space} ${term}`
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const count = this.#sql.get<{ doc: number }>(`SELECT doc FROM words_of_${space} WHERE term = ?`, term)?.doc ?? 0
    this.#counts.set(key, count)
    return count
  }

  /** By the tokenizer of the index itself: the term of each word. */
  #termsOf(words: readonly string[]): readonly string[] {
    const terms = words.map(() => '')
    this.#sql.run("INSERT INTO temp.tokenized (tokenized) VALUES ('delete-all')")
    this.#sql.run('INSERT INTO temp.tokenized (rowid, body) SELECT key, value FROM json_each(?)', JSON.stringify(words))
    for (const { doc, term } of this.#sql.all<{ doc: number; term: string }>(
      'SELECT doc, term FROM temp.tokenized_terms WHERE offset = 0',
    )) {
      terms[doc] = term
    }
    return terms
  }

  /** Another process may have written: what is in memory is about the state before. */
  #noticeOthers(): void {
    const version = Number(this.#sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version)
    if (version === this.#version) return
    if (this.#version !== -1) this.#forget()
    this.#counts.clear()
    this.#version = version
  }

  #forget(): void {
    this.#vectors.forget()
    this.#layouts.forget()
    this.#unembedded.forget()
    this.#counts.clear()
  }

  /** What was replaced or removed must not stay readable in the log. A log that is in use is emptied after the next batch, or at the next start. */
  #emptyLog(): void {
    this.#guarded(() => {
      const { busy } = this.#sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)') ?? { busy: 1 }
      this.#isLogEmpty = busy === 0
    })
  }

  #guarded<Result>(work: () => Result): Result {
    // The file could not be opened again when it was replaced.
    if (!this.#database.isOpen || this.#isReplaced()) this.#reopen()
    try {
      return work()
    } catch (error) {
      if (!isDamage(error)) throw error
      if (this.#isOwner) this.#replace()
      else this.#close()
      throw new IndexLost('the search index was damaged and is being rebuilt')
    }
  }

  #replace(): void {
    this.#close()
    removeIndexFile(this.#path)
    this.#reopen()
  }

  #close(): void {
    try {
      this.#database.close()
    } catch {
      // It is closed, or it is deleted next.
    }
  }

  #isReplaced(): boolean {
    return !this.#isOwner && statSync(this.#path, { throwIfNoEntry: false })?.ino !== this.#ino
  }

  #opened(): DatabaseSync {
    try {
      const database = openIndexFile(this.#path, this.#further, this.#isOwner)
      this.#ino = statSync(this.#path).ino
      return database
    } catch (error) {
      throw isDamage(error) ? new IndexLost('the search index is damaged') : error
    }
  }

  #reopen(): void {
    this.#close()
    this.#database = this.#opened()
    this.#sql = openStatements(this.#database)
    this.#vectors = new Vectors(this.#sql)
    this.#layouts = new Layouts(this.#sql)
    this.#unembedded = new UnembeddedTexts(this.#sql)
    this.#counts.clear()
    this.#version = -1
  }
}
