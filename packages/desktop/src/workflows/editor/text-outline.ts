// What a half-written YAML or JSON text contains, and what can follow at its end. A parser stops at the first mistake; this reads on, line by
// line and by the indentation.
import { FlowReader } from './flow-reader.ts'
import { isClosed, scalarValue } from './scalar.ts'

/** The way from the root to a value: names of fields, and positions in lists. */
export type TextPath = readonly (string | number)[]

/** A field or an item. `value` is empty if there is none yet, or if it contains others. */
export interface TextEntry {
  readonly path: TextPath
  readonly value: string
}

export interface TextEnd {
  /**
   * `field`: the name of a field of `path`, or a value that is written in its place. `value`: the value of `path`. `text`: a line of a long
   * text, which is the value of `path`.
   */
  readonly expects: 'field' | 'value' | 'text' | 'nothing'
  readonly path: TextPath
  /** What is written of it so far. */
  readonly written: string
  /** The quote in which it is. */
  readonly quote: '' | '"' | "'"
  /** Whether it is in brackets. */
  readonly isFlow: boolean
}

export interface TextOutline {
  readonly entries: readonly TextEntry[]
  readonly end: TextEnd
}

export function readOutline(text: string): TextOutline {
  const reader = new OutlineReader()
  for (const line of text.split('\n')) reader.readLine(line.replace(/\r$/, ''))
  return reader
}

/** An object or a list, and the field or the item that was read last. */
type Frame = { readonly indent: number; readonly path: TextPath } & (
  | { readonly kind: 'object'; last: string }
  | { readonly kind: 'list'; last: number }
)

const itemStart = /^-(?: +|$)/
const fieldStart = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'[\]{},#&*!|>%@`].*?))\s*:(?:(\s+)(.*)|)$/
const longText = /^[|>][-+\d]*\s*(?:#.*)?$/

class OutlineReader implements TextOutline {
  readonly entries: TextEntry[] = []
  end: TextEnd = { expects: 'field', path: [], written: '', quote: '', isFlow: false }
  #frames: Frame[] = []
  #text: { readonly indent: number; readonly path: TextPath } | null = null
  #flow: FlowReader | null = null

  readLine(line: string): void {
    if (this.#flow) this.#readFlow(this.#flow, `\n${line}`)
    else this.#readBlockLine(line)
  }

  #readBlockLine(line: string): void {
    const indent = line.search(/[^ ]|$/)
    const content = line.slice(indent)
    if (this.#text && (content === '' || indent > this.#text.indent)) {
      if (indent > this.#text.indent) this.#expect('text', this.#text.path, line)
      else this.#expectField(indent)
      return
    }
    this.#text = null
    if (content === '') this.#expectField(indent)
    else if (content.startsWith('#')) this.#expect('nothing', [], '')
    else this.#readContent(indent, content, indent)
  }

  /** `outer` is the indentation of the item that the content begins, or its own. */
  #readContent(indent: number, content: string, outer: number): void {
    const item = itemStart.exec(content)
    if (item) {
      this.#readItem(indent, content, item[0].length)
      return
    }
    this.#leave(indent, 'field')
    const field = fieldStart.exec(content)
    const isName = this.#frames.at(-1)?.indent === indent
    if (field) this.#readField(indent, field)
    else this.#readValue(this.#pathAt(indent), content, outer, isName ? 'name' : 'item')
  }

  #readItem(indent: number, content: string, length: number): void {
    this.#leave(indent, 'item')
    const top = this.#frames.at(-1)
    const isNext = top?.kind === 'list' && top.indent === indent
    const list: Frame = isNext ? top : { kind: 'list', indent, path: this.#inside(), last: -1 }
    if (!isNext) this.#frames.push(list)
    list.last += 1
    const path = [...list.path, list.last]
    const rest = content.slice(length)
    this.entries.push({ path, value: '' })
    if (rest === '') this.#expect(length === 1 ? 'nothing' : 'field', path, '')
    else this.#readContent(indent + length, rest, indent)
  }

  #readField(indent: number, [, double, single, plain, space, value = '']: RegExpExecArray): void {
    const name = double ?? single ?? plain ?? ''
    const top = this.#frames.at(-1)
    const isNext = top?.kind === 'object' && top.indent === indent
    const object: Frame = isNext ? top : { kind: 'object', indent, path: this.#pathAt(indent), last: name }
    if (!isNext) this.#frames.push(object)
    object.last = name
    const path = [...object.path, name]
    if (space === undefined) {
      this.entries.push({ path, value: '' })
      this.#expect('nothing', path, '')
    } else this.#readValue(path, value, indent, 'field')
  }

  /** The value of a field, an item of a list, or the beginning of the name of a field. */
  #readValue(path: TextPath, value: string, indent: number, of: 'field' | 'item' | 'name'): void {
    if (of !== 'name') this.entries.push({ path, value: scalarValue(value) })
    if (longText.test(value)) {
      this.#text = { indent, path }
      this.#expect('nothing', path, '')
    } else if (/^[[{]/.test(value) && !value.startsWith('{{')) {
      this.#flow = new FlowReader(path, this.entries)
      this.#readFlow(this.#flow, value)
    } else if (isClosed(value)) this.#expect('nothing', path, '')
    else {
      const quote = value.startsWith('"') ? '"' : value.startsWith("'") ? "'" : ''
      this.#expect(of === 'field' ? 'value' : 'field', path, value.slice(quote.length), quote)
    }
  }

  #readFlow(flow: FlowReader, text: string): void {
    flow.read(text)
    this.end = flow.end
    if (flow.isClosed) this.#flow = null
  }

  #expect(expects: TextEnd['expects'], path: TextPath, written: string, quote: TextEnd['quote'] = ''): void {
    this.end = { expects, path, written, quote, isFlow: false }
  }

  /** At the end of an empty line, without leaving anything: the next line may be further in. */
  #expectField(indent: number): void {
    const frames = this.#frames
    this.#frames = [...frames]
    this.#leave(indent, 'field')
    this.#expect('field', this.#pathAt(indent), '')
    this.#frames = frames
  }

  /** Leaves what a line with this indentation is no longer in. Items may have the indentation of the field that they belong to. */
  #leave(indent: number, before: 'field' | 'item'): void {
    for (let top = this.#frames.at(-1); top; top = this.#frames.at(-1)) {
      const isOver = top.indent > indent || (top.indent === indent && top.kind === 'list' && before === 'field')
      if (!isOver) return
      this.#frames.pop()
    }
  }

  #inside(): TextPath {
    const top = this.#frames.at(-1)
    return top ? [...top.path, top.last] : []
  }

  #pathAt(indent: number): TextPath {
    const top = this.#frames.at(-1)
    return top?.kind === 'object' && top.indent === indent ? top.path : this.#inside()
  }
}
