// JSON with the place of every value. `JSON.parse` reports neither places nor fields that occur twice.
import {
  listNode,
  mapNode,
  numberProblem,
  type ParsedText,
  pointerTo,
  scalarNode,
  type TextEntry,
  type TextNode,
  type TextProblem,
  textLimits,
  tooDeep,
} from './text-node.ts'

/** Stops at the first mistake of syntax. */
export function parseJsonText(text: string): ParsedText {
  const reader = new JsonReader(text)
  try {
    const root = reader.document()
    const problems = reader.problems.slice(0, textLimits.problems)
    return problems.length === 0 ? { ok: true, root } : { ok: false, problems }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return {
      ok: false,
      problems: [...reader.problems.slice(0, textLimits.problems - 1), { pointer: '', offset: error.offset, message: error.message }],
    }
  }
}

class JsonSyntaxError extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

class JsonReader {
  readonly problems: TextProblem[] = []
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): TextNode {
    const root = this.#value('', 0)
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#fail('the text must end after the closing }')
    return root
  }

  #value(pointer: string, depth: number): TextNode {
    this.#skipSpace()
    if (depth > textLimits.depth) throw new JsonSyntaxError(this.#at, tooDeep)
    const char = this.#text[this.#at]
    if (char === '{') return this.#map(pointer, depth)
    if (char === '[') return this.#list(pointer, depth)
    const offset = this.#at
    if (char === '"') return scalarNode(offset, this.#string())
    const word = this.#match(/true|false|null/y)
    if (word !== undefined) return scalarNode(offset, word === 'null' ? null : word === 'true')
    return this.#number(pointer)
  }

  #map(pointer: string, depth: number): TextNode {
    const offset = this.#at
    const entries: TextEntry[] = []
    const seen = new Set<string>()
    for (let more = this.#open('}'); more; more = this.#next('}')) {
      this.#skipSpace()
      const keyOffset = this.#at
      if (this.#text[this.#at] !== '"') this.#fail('the name of a field in double quotes is expected')
      const key = this.#string()
      const inner = pointerTo(pointer, key)
      if (seen.has(key)) this.problems.push({ pointer: inner, offset: keyOffset, message: 'occurs twice; remove one of them' })
      seen.add(key)
      this.#skipSpace()
      if (this.#text[this.#at] !== ':') this.#fail('a colon is expected after the name of a field')
      this.#at += 1
      entries.push({ key, keyOffset, node: this.#value(inner, depth + 1) })
    }
    return mapNode(offset, entries)
  }

  #list(pointer: string, depth: number): TextNode {
    const offset = this.#at
    const items: TextNode[] = []
    for (let more = this.#open(']'); more; more = this.#next(']')) items.push(this.#value(pointerTo(pointer, items.length), depth + 1))
    return listNode(offset, items)
  }

  /** Whether the list or object that starts here contains anything. */
  #open(end: string): boolean {
    this.#at += 1
    this.#skipSpace()
    if (this.#text[this.#at] !== end) return true
    this.#at += 1
    return false
  }

  /** Whether another item follows. */
  #next(end: string): boolean {
    this.#skipSpace()
    const char = this.#text[this.#at]
    if (char !== ',' && char !== end) this.#fail(`a comma or ${end} is expected`)
    this.#at += 1
    if (char === end) return false
    this.#skipSpace()
    if (this.#text[this.#at] === end) this.#fail(`remove the comma before ${end}`)
    return true
  }

  #string(): string {
    const start = this.#at
    let end = start + 1
    while (end < this.#text.length && this.#text[end] !== '"' && this.#text[end] !== '\n') end += this.#text[end] === '\\' ? 2 : 1
    if (this.#text[end] !== '"') this.#fail('a closing quote is missing')
    this.#at = end + 1
    try {
      return JSON.parse(this.#text.slice(start, end + 1)) as string
    } catch {
      throw new JsonSyntaxError(start, notJson('the text has an invalid escape; write \\\\ for a backslash'))
    }
  }

  #number(pointer: string): TextNode {
    const offset = this.#at
    const source = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
    if (source === undefined) this.#fail('a value is expected; text must be in double quotes')
    const value = Number(source)
    const message = numberProblem(source, value)
    if (message !== null) this.problems.push({ pointer, offset, message })
    return scalarNode(offset, value)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #skipSpace(): void {
    this.#match(/[ \t\r\n]*/y)
  }

  #fail(problem: string): never {
    throw new JsonSyntaxError(this.#at, notJson(problem))
  }
}

function notJson(problem: string): string {
  return `is not valid JSON: ${problem}`
}
