// Nearest vectors in two steps: the sign bits of a whole scope are compared first, the best are then compared exactly.
import type { Statements } from './statements.ts'

/** So many of the nearest by sign bits are compared exactly. */
const compared = 300

interface ScopeBits {
  readonly model: string
  readonly width: number
  /** Rows in the order of `bits`. */
  nos: Int32Array
  bits: Uint32Array
  count: number
  readonly place: Map<number, number>
}

export interface Near {
  readonly no: number
  readonly similarity: number
}

export class Vectors {
  readonly #sql: Statements
  readonly #scopes = new Map<number, ScopeBits>()
  /** How many vectors a scope has of a model; forgotten with every change. */
  readonly #counts = new Map<string, number>()

  constructor(sql: Statements) {
    this.#sql = sql
  }

  /** Within a transaction. */
  put(no: number, scope: number, model: string, vector: Float32Array): void {
    const blob = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    this.#sql.run('INSERT OR REPLACE INTO vectors (no, scope, model, vector) VALUES (?, ?, ?, ?)', no, scope, model, blob)
  }

  /** After the transaction: what is in memory follows. */
  added(no: number, scope: number, model: string, vector: Float32Array): void {
    this.#counts.clear()
    const held = this.#scopes.get(scope)
    if (!held) return
    if (held.model === model && held.width === widthOf(vector.length)) add(held, no, vector)
    else this.#scopes.delete(scope)
  }

  removed(no: number, scope: number): void {
    this.#counts.clear()
    const held = this.#scopes.get(scope)
    if (held) remove(held, no)
  }

  /** Another process has written, or the file is another one. */
  forget(): void {
    this.#scopes.clear()
    this.#counts.clear()
  }

  bytes(): number {
    return [...this.#scopes.values()].reduce((sum, { bits, nos }) => sum + bits.byteLength + nos.byteLength, 0)
  }

  /** How many texts of the scopes can be compared with this model. */
  count(scopes: readonly number[], model: string): number {
    return scopes.reduce((sum, scope) => sum + this.#counted(scope, model), 0)
  }

  #counted(scope: number, model: string): number {
    const key = `${scope} ${model}`
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const { n } = this.#sql.get<{ n: number }>('SELECT count(*) AS n FROM vectors WHERE scope = ? AND model = ?', scope, model) ?? { n: 0 }
    this.#counts.set(key, n)
    return n
  }

  /** Best first. `isWanted` leaves out what a filter excludes. */
  near(scopes: readonly number[], model: string, query: Float32Array, isWanted: ((no: number) => boolean) | null): readonly Near[] {
    const signs = signBits(query, new Uint32Array(widthOf(query.length)), 0)
    const rows = scopes.flatMap((scope) => nearest(this.#held(scope, model, query.length), signs, isWanted))
    // Equal distances at the cut are all compared, within reason: which of them is left out must not depend on the order of indexing.
    const best = rows.sort((left, right) => left.distance - right.distance).slice(0, 4 * compared)
    const found = this.#sql.all<{ no: number; vector: Uint8Array }>(
      'SELECT no, vector FROM vectors WHERE no IN (SELECT value FROM json_each(?))',
      // In the order of the file.
      JSON.stringify(best.map(({ no }) => no).sort((left, right) => left - right)),
    )
    return found
      .map(({ no, vector }) => ({ no, similarity: cosine(query, floats(vector)) }))
      .sort((left, right) => right.similarity - left.similarity || left.no - right.no)
  }

  #held(scope: number, model: string, dimension: number): ScopeBits {
    const known = this.#scopes.get(scope)
    if (known?.model === model && known.width === widthOf(dimension)) return known
    const held: ScopeBits = {
      model,
      width: widthOf(dimension),
      nos: new Int32Array(0),
      bits: new Uint32Array(0),
      count: 0,
      place: new Map(),
    }
    const rows = this.#sql.iterate<{ no: number; vector: Uint8Array }>(
      'SELECT no, vector FROM vectors WHERE scope = ? AND model = ? AND length(vector) = ?',
      ...[scope, model, dimension * 4],
    )
    for (const { no, vector } of rows) add(held, no, floats(vector))
    this.#scopes.set(scope, held)
    return held
  }
}

function widthOf(dimension: number): number {
  return Math.ceil(dimension / 32)
}

function floats(bytes: Uint8Array): Float32Array {
  // A view needs an offset that four divides.
  if (bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  return new Float32Array(bytes.slice().buffer)
}

function signBits(vector: Float32Array, into: Uint32Array, at: number): Uint32Array {
  for (let index = 0; index < vector.length; index += 1) {
    if ((vector[index] ?? 0) > 0) {
      const word = at + (index >>> 5)
      into[word] = (into[word] ?? 0) | (1 << (index & 31))
    }
  }
  return into
}

function grow(held: ScopeBits, capacity: number): void {
  if (capacity <= held.nos.length) return
  const room = Math.max(capacity, held.nos.length * 2, 64)
  const nos = new Int32Array(room)
  nos.set(held.nos)
  const bits = new Uint32Array(room * held.width)
  bits.set(held.bits)
  held.nos = nos
  held.bits = bits
}

function add(held: ScopeBits, no: number, vector: Float32Array): void {
  let at = held.place.get(no)
  if (at === undefined) {
    grow(held, held.count + 1)
    at = held.count
    held.count += 1
    held.place.set(no, at)
    held.nos[at] = no
  }
  held.bits.fill(0, at * held.width, (at + 1) * held.width)
  signBits(vector, held.bits, at * held.width)
}

/** The last one takes its place. */
function remove(held: ScopeBits, no: number): void {
  const at = held.place.get(no)
  if (at === undefined) return
  const last = held.count - 1
  const moved = held.nos[last] ?? 0
  held.bits.copyWithin(at * held.width, last * held.width, (last + 1) * held.width)
  held.nos[at] = moved
  held.place.set(moved, at)
  held.place.delete(no)
  held.count = last
}

interface Far {
  readonly no: number
  readonly distance: number
}

/** The nearest by sign bits: distances are small whole numbers, so they are counted instead of sorted. */
function nearest(held: ScopeBits, signs: Uint32Array, isWanted: ((no: number) => boolean) | null): readonly Far[] {
  const { bits, nos, count, width } = held
  const distances = new Uint16Array(count)
  const counts = new Uint32Array(width * 32 + 1)
  for (let row = 0, at = 0; row < count; row += 1, at += width) {
    let distance = 0
    for (let word = 0; word < width; word += 1) distance += ones((bits[at + word] ?? 0) ^ (signs[word] ?? 0))
    distances[row] = distance
    counts[distance] = (counts[distance] ?? 0) + 1
  }
  const isAny = isWanted === null
  let limit = counts.length - 1
  if (isAny) {
    let seen = 0
    for (limit = 0; limit < counts.length - 1; limit += 1) {
      seen += counts[limit] ?? 0
      if (seen >= compared) break
    }
  }
  const found: Far[] = []
  for (let row = 0; row < count; row += 1) {
    const distance = distances[row] ?? 0
    const no = nos[row] ?? 0
    if (distance <= limit && (isAny || isWanted(no))) found.push({ no, distance })
  }
  return found
}

/** The number of one bits. */
function ones(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function cosine(left: Float32Array, right: Float32Array): number {
  let product = 0
  let leftSquare = 0
  let rightSquare = 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const a = left[index] as number
    const b = right[index] as number
    product += a * b
    leftSquare += a * a
    rightSquare += b * b
  }
  return leftSquare === 0 || rightSquare === 0 ? 0 : product / Math.sqrt(leftSquare * rightSquare)
}
