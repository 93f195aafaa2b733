// Where each text stands and how long it is: its scope, its group, its neighbors. The ranking needs this of thousands of texts in every
// search, so it is kept in memory, 28 bytes for each text of a space that was searched.
import type { Statements } from './statements.ts'

interface TextRow {
  readonly no: number
  readonly scope: number
  readonly grp: number | null
  readonly previous: number | null
  readonly following: number | null
  readonly words: number
  readonly dated: number
  readonly speaker: string | null
}

const columns = 'no, scope, grp, previous, following, words, at IS NOT NULL AS dated, speaker'
const dateLength = 4

interface Group {
  texts: number
  words: number
}

export class Layouts {
  readonly #sql: Statements
  readonly #spaces = new Map<number, Layout>()

  constructor(sql: Statements) {
    this.#sql = sql
  }

  of(space: number): Layout {
    const known = this.#spaces.get(space)
    if (known) return known
    const made = new Layout()
    made.put(this.#sql.iterate<TextRow>(`SELECT ${columns} FROM texts WHERE space = ?`, space))
    this.#spaces.set(space, made)
    return made
  }

  /** After the transaction: what is in memory follows. */
  changed(space: number, nos: readonly number[]): void {
    const layout = this.#spaces.get(space)
    if (!layout || nos.length === 0) return
    for (const no of nos) layout.remove(no)
    layout.put(
      this.#sql.all<TextRow>(
        `SELECT ${columns} FROM texts WHERE no IN (SELECT value FROM json_each(?)) AND space = ?`,
        JSON.stringify(nos),
        space,
      ),
    )
  }

  /** Another process has written, or the file is another one. */
  forget(): void {
    this.#spaces.clear()
  }

  bytes(): number {
    return [...this.#spaces.values()].reduce((sum, layout) => sum + layout.bytes(), 0)
  }
}

/** Everything is found by the number of a text. Zero is none: numbers start at one. */
export class Layout {
  #scope = new Int32Array(0)
  #group = new Int32Array(0)
  #previous = new Int32Array(0)
  #following = new Int32Array(0)
  /** Without its date. */
  #words = new Int32Array(0)
  /** With its date and its neighbors. */
  #length = new Int32Array(0)
  #speaker = new Int32Array(0)
  #total = 0
  #lengths = 0
  #groupedWords = 0
  readonly #groups = new Map<number, Group>()
  readonly #scopes = new Map<number, number>()
  readonly #speakers: string[] = ['']
  readonly #speakerNos = new Map<string, number>()

  /** Rows that are not there yet. */
  put(rows: Iterable<TextRow>): void {
    const dated: [number, number][] = []
    for (const row of rows) {
      const { no, scope, words } = row
      this.#grow(no + 1)
      this.#scope[no] = scope
      this.#group[no] = row.grp ?? 0
      this.#previous[no] = row.previous ?? 0
      this.#following[no] = row.following ?? 0
      this.#words[no] = words
      this.#speaker[no] = row.speaker === null ? 0 : this.#speakerNo(row.speaker)
      this.#total += 1
      this.#scopes.set(scope, this.inScope(scope) + 1)
      if (row.grp !== null) this.#count(row.grp, 1, words)
      dated.push([no, row.dated * dateLength])
    }
    // Only now the neighbors are known.
    for (const [no, date] of dated) {
      const length = date + this.#wordsOf(no) + this.#wordsOf(this.previous(no)) + this.#wordsOf(this.following(no))
      this.#length[no] = length
      this.#lengths += length
    }
  }

  remove(no: number): void {
    const scope = this.scope(no)
    if (scope === 0) return
    this.#total -= 1
    this.#lengths -= this.#length[no] ?? 0
    this.#scopes.set(scope, this.inScope(scope) - 1)
    if (this.group(no) !== 0) this.#count(this.group(no), -1, -this.#wordsOf(no))
    this.#scope[no] = 0
  }

  /** Zero when the text is not there. */
  scope(no: number): number {
    return this.#scope[no] ?? 0
  }

  group(no: number): number {
    return this.#group[no] ?? 0
  }

  previous(no: number): number {
    return this.#previous[no] ?? 0
  }

  following(no: number): number {
    return this.#following[no] ?? 0
  }

  speaker(no: number): string {
    return this.#speakers[this.#speaker[no] ?? 0] ?? ''
  }

  /** Compared with the average. */
  relativeLength(no: number): number {
    return ((this.#length[no] ?? 0) * this.#total) / Math.max(1, this.#lengths)
  }

  relativeGroupLength(group: number): number {
    return ((this.#groups.get(group)?.words ?? 0) * this.#groups.size) / Math.max(1, this.#groupedWords)
  }

  texts(): number {
    return this.#total
  }

  groups(): number {
    return this.#groups.size
  }

  inScope(scope: number): number {
    return this.#scopes.get(scope) ?? 0
  }

  bytes(): number {
    return 7 * this.#scope.byteLength
  }

  #wordsOf(no: number): number {
    return no === 0 ? 0 : (this.#words[no] ?? 0)
  }

  #count(no: number, texts: number, words: number): void {
    const group = this.#groups.get(no) ?? { texts: 0, words: 0 }
    group.texts += texts
    group.words += words
    this.#groupedWords += words
    if (group.texts === 0) this.#groups.delete(no)
    else this.#groups.set(no, group)
  }

  #speakerNo(name: string): number {
    const known = this.#speakerNos.get(name)
    if (known !== undefined) return known
    this.#speakerNos.set(name, this.#speakers.length)
    return this.#speakers.push(name) - 1
  }

  #grow(size: number): void {
    if (size <= this.#scope.length) return
    const room = Math.max(size, this.#scope.length * 2, 64)
    const grown = (old: Int32Array) => {
      const made = new Int32Array(room)
      made.set(old)
      return made
    }
    this.#scope = grown(this.#scope)
    this.#group = grown(this.#group)
    this.#previous = grown(this.#previous)
    this.#following = grown(this.#following)
    this.#words = grown(this.#words)
    this.#length = grown(this.#length)
    this.#speaker = grown(this.#speaker)
  }
}
