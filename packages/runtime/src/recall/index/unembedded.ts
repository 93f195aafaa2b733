// Texts that have no vector of a model yet. All texts are looked through once; after that, only what has changed.
import type { Statements } from './statements.ts'

export interface Unembedded {
  readonly no: number
  readonly text: string
}

export class UnembeddedTexts {
  readonly #sql: Statements
  #asked = ''
  /** The newest last. Some may have a vector by now, or be gone: that is seen when it is their turn. Null before the first look. */
  #nos: number[] | null = null
  readonly #changed = new Set<number>()

  constructor(sql: Statements) {
    this.#sql = sql
  }

  /** Those of these spaces, the newest first. They stay until they have a vector. */
  next(model: string, spaces: readonly string[], limit: number): readonly Unembedded[] {
    const asked = JSON.stringify([model, spaces])
    if (asked !== this.#asked) this.forget()
    this.#asked = asked
    this.#nos ??= this.#all(model, spaces)
    if (this.#changed.size > 0) this.#nos = [...new Set([...this.#nos, ...this.#changed])].sort((left, right) => left - right)
    this.#changed.clear()
    const found: Unembedded[] = []
    while (found.length < limit && this.#nos.length > 0) found.push(...this.#without(model, spaces, this.#nos.splice(found.length - limit)))
    this.#nos.push(...found.map(({ no }) => no).reverse())
    return found
  }

  changed(nos: readonly number[]): void {
    if (this.#nos) for (const no of nos) this.#changed.add(no)
  }

  /** Another process has written, or a space is gone. */
  forget(): void {
    this.#nos = null
    this.#changed.clear()
  }

  /** Only indexes are read, not the vectors. */
  #all(model: string, spaces: readonly string[]): number[] {
    const rows = this.#sql.all<{ no: number }>(
      `SELECT no FROM texts WHERE space IN (SELECT no FROM spaces WHERE name IN (SELECT value FROM json_each(?)))
       AND no NOT IN (SELECT no FROM vectors WHERE model = ?) ORDER BY no`,
      JSON.stringify(spaces),
      model,
    )
    return rows.map(({ no }) => no)
  }

  #without(model: string, spaces: readonly string[], nos: readonly number[]): readonly Unembedded[] {
    return this.#sql.all<Unembedded>(
      `SELECT t.no, t.text FROM texts t JOIN spaces s ON s.no = t.space
       WHERE t.no IN (SELECT value FROM json_each(?)) AND s.name IN (SELECT value FROM json_each(?)) AND trim(t.text) <> ''
         AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.no = t.no AND v.model = ?)
       ORDER BY t.no DESC`,
      ...[JSON.stringify(nos), JSON.stringify(spaces), model],
    )
  }
}
