// Reads what is in brackets, also over several lines: an object or a list of YAML, or a whole JSON document.
import type { TextEnd, TextEntry, TextPath } from './text-outline.ts'

type Frame = { readonly path: TextPath } & (
  | { readonly kind: 'object'; name: string; expects: 'field' | 'value' }
  | { readonly kind: 'list'; index: number }
)

export class FlowReader {
  isClosed = false
  readonly #path: TextPath
  readonly #entries: TextEntry[]
  readonly #frames: Frame[] = []
  /** What is written since the last bracket, comma or colon. */
  #token = ''
  #quote: TextEnd['quote'] = ''
  #isEscaped = false
  /** Whether the token was in quotes, which are closed. */
  #isQuoted = false

  constructor(path: TextPath, entries: TextEntry[]) {
    this.#path = path
    this.#entries = entries
  }

  read(text: string): void {
    for (let at = 0; at < text.length && !this.isClosed; at += 1) {
      if (this.#quote !== '') this.#readQuoted(text.charAt(at))
      else this.#readPlain(text.charAt(at), text[at + 1] ?? ' ')
    }
  }

  get end(): TextEnd {
    const top = this.#frames.at(-1)
    if (!top || this.#isQuoted) return { expects: 'nothing', path: this.#path, written: '', quote: '', isFlow: true }
    const place = { written: this.#quote === '' ? this.#token.trimStart() : this.#token, quote: this.#quote, isFlow: true }
    return top.kind === 'object' && top.expects === 'field'
      ? { expects: 'field', path: top.path, ...place }
      : { expects: 'value', path: this.#inside(), ...place }
  }

  #readQuoted(char: string): void {
    if (char === this.#quote && !this.#isEscaped) {
      this.#quote = ''
      this.#isQuoted = true
      return
    }
    this.#isEscaped = char === '\\' && this.#quote === '"' && !this.#isEscaped
    this.#token += char
  }

  #readPlain(char: string, next: string): void {
    const isBlank = this.#token.trim() === '' && !this.#isQuoted
    const top = this.#frames.at(-1)
    if ((char === '"' || char === "'") && isBlank) {
      this.#token = ''
      this.#quote = char
    } else if ((char === '{' || char === '[') && isBlank) this.#open(char)
    else if (char === '}' || char === ']') this.#close()
    else if (char === ',') this.#next()
    else if (char === ':' && top?.kind === 'object' && top.expects === 'field' && (this.#isQuoted || /\s/.test(next))) {
      top.name = this.#token.trim()
      top.expects = 'value'
      this.#forget()
    } else if (!this.#isQuoted) this.#token += char
  }

  #open(bracket: '{' | '['): void {
    const path = this.#inside()
    if (this.#frames.length > 0) this.#entries.push({ path, value: '' })
    this.#frames.push(bracket === '{' ? { kind: 'object', path, name: '', expects: 'field' } : { kind: 'list', path, index: 0 })
    this.#forget()
  }

  #close(): void {
    this.#keep()
    this.#frames.pop()
    this.isClosed = this.#frames.length === 0
    // What was closed is the whole value of what it is in.
    this.#isQuoted = true
  }

  #next(): void {
    this.#keep()
    const top = this.#frames.at(-1)
    if (top?.kind === 'list') top.index += 1
    else if (top) top.expects = 'field'
    this.#forget()
  }

  #keep(): void {
    const top = this.#frames.at(-1)
    const value = this.#token.trim()
    if (value !== '' && top && (top.kind === 'list' || top.expects === 'value')) this.#entries.push({ path: this.#inside(), value })
    this.#token = ''
  }

  #forget(): void {
    this.#token = ''
    this.#isQuoted = false
  }

  /** The value that comes next. */
  #inside(): TextPath {
    const top = this.#frames.at(-1)
    if (!top) return this.#path
    return [...top.path, top.kind === 'object' ? top.name : top.index]
  }
}
