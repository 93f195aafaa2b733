// YAML 1.2 with the core schema: no tags, no merge keys, no directives, and one document.
import type { CST, Document, Node, Scalar, YAMLMap } from 'yaml'
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
import { quotePlaceholder, yamlErrorText } from './yaml-error.ts'
import { yaml } from './yaml-library.ts'

export function parseYamlText(text: string): ParsedText {
  const { tokens, problem } = tokensOf(text)
  if (problem) return { ok: false, problems: [problem] }
  const documents = [
    ...new (yaml().Composer)({ version: '1.2', schema: 'core', merge: false, uniqueKeys: false }).compose(tokens, true, text.length),
  ]
  const [document] = documents
  const syntax = syntaxProblems(text, documents)
  if (syntax.length > 0) return { ok: false, problems: syntax }
  if (!document?.contents) {
    return { ok: false, problems: [{ pointer: '', offset: 0, message: 'is empty; write a workflow with `name` and `nodes`' }] }
  }
  return new YamlReader(text, document).read()
}

/** The parser of the library has no limits, so its steps are counted here. */
const mostLexemes = 200_000
/** What the parser has open at a time; a level of the text can take two. */
const deepestStack = 2 * textLimits.depth + 20
const harmless = new Set<string>(['byte-order-mark', 'space', 'newline', 'comment', 'doc-mode', 'document', 'doc-end'])

function tokensOf(text: string): { readonly tokens: readonly CST.Token[]; readonly problem?: TextProblem } {
  const { Lexer, Parser } = yaml()
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let [lexemes, read, documents, unexpected] = [0, 0, 0, 0]
  const problem = (offset: number, message: string) => ({ tokens, problem: { pointer: '', offset, message } })
  const parsed = function* () {
    for (const lexeme of new Lexer().lex(text)) {
      yield* parser.next(lexeme)
      lexemes += 1
      read = Math.min(read + lexeme.length, text.length)
      yield null
    }
    yield* parser.end()
  }
  for (const token of parsed()) {
    if (lexemes > mostLexemes) return problem(read, 'has too many parts for a workflow; make it shorter, or write it as JSON')
    if (parser.stack.length > deepestStack) return problem(read, tooDeep)
    if (!token) continue
    if (token.type === 'directive') return problem(token.offset, 'must not contain directives; remove the line that starts with %')
    if (token.type === 'document') documents += 1
    if (documents > 1) return problem(token.offset, 'must be one YAML document; remove the line ---')
    if (!harmless.has(token.type)) unexpected += 1
    tokens.push(token)
    if (unexpected > textLimits.problems) break
  }
  return { tokens }
}

/** One mistake per line: those that follow are mostly caused by the first. */
function syntaxProblems(text: string, documents: readonly Document[]): TextProblem[] {
  const found = new Map<number, TextProblem>()
  for (const error of documents.flatMap(({ errors }) => errors)) {
    const [offset] = error.pos
    const line = text.lastIndexOf('\n', Math.max(offset - 1, 0))
    if (!found.has(line)) found.set(line, { pointer: '', offset, message: yamlErrorText(text, error) })
  }
  return [...found.values()].slice(0, textLimits.problems)
}

class YamlReader {
  readonly #text: string
  readonly #document: Document
  readonly #problems: TextProblem[] = []
  /** By their names; null while the node is read, because an alias in it would contain itself. */
  readonly #anchored = new Map<string, TextNode | null>()
  #aliases = 0

  constructor(text: string, document: Document) {
    this.#text = text
    this.#document = document
  }

  read(): ParsedText {
    const root = this.#read(this.#document.contents, '', 0)
    if (root.depth > textLimits.depth) this.#report('', 0, tooDeep)
    else if (root.size > textLimits.values) this.#report('', 0, 'has aliases that expand to too many values; write the values out')
    const problems = this.#problems.slice(0, textLimits.problems)
    return problems.length === 0 ? { ok: true, root } : { ok: false, problems }
  }

  #report(pointer: string, offset: number, message: string): void {
    this.#problems.push({ pointer, offset, message })
  }

  #read(node: Node | null, pointer: string, before: number): TextNode {
    if (!node) return scalarNode(before, null)
    const offset = node.range?.[0] ?? before
    if (yaml().isAlias(node)) return this.#alias(node.source, pointer, offset)
    if (node.tag !== undefined) this.#report(pointer, offset, `must not have a tag; remove ${shortened(node.tag)}`)
    const { anchor } = node
    if (!anchor) return this.#content(node, pointer, offset)
    this.#anchored.set(anchor, null)
    const read = this.#content(node, pointer, offset)
    // A part of it may have the same anchor, which is the later one.
    if (this.#anchored.get(anchor) === null) this.#anchored.set(anchor, read)
    return read
  }

  #content(node: Node, pointer: string, offset: number): TextNode {
    if (yaml().isScalar(node)) return this.#scalar(node, pointer, offset)
    if (yaml().isMap(node)) return this.#map(node, pointer, offset)
    if (!yaml().isSeq(node)) return scalarNode(offset, null)
    return listNode(
      offset,
      node.items.map((item, at) => this.#read(item as Node | null, pointerTo(pointer, at), offset)),
    )
  }

  #scalar({ value, source }: Scalar, pointer: string, offset: number): TextNode {
    if (typeof value === 'number') {
      const message = numberProblem(source ?? '', value)
      if (message !== null) this.#report(pointer, offset, message)
      return scalarNode(offset, value)
    }
    return scalarNode(offset, typeof value === 'boolean' || value === null ? value : String(value))
  }

  #map(node: YAMLMap, pointer: string, offset: number): TextNode {
    const placeholder = node.flow && node.items.length === 1 && yaml().isMap(node.items[0]?.key)
    if (placeholder) {
      this.#report(pointer, offset, quotePlaceholder(this.#text.slice(offset, node.range?.[1])))
      return scalarNode(offset, null)
    }
    const entries: TextEntry[] = []
    const seen = new Set<string>()
    for (const { key: name, value } of node.items) {
      const keyOffset = (name as Node | null)?.range?.[0] ?? offset
      const key = this.#key(name as Node | null, pointer, keyOffset)
      if (key === undefined) continue
      const inner = pointerTo(pointer, key)
      if (seen.has(key)) this.#report(inner, keyOffset, 'occurs twice; remove one of them')
      seen.add(key)
      entries.push({ key, keyOffset, node: this.#read(value as Node | null, inner, keyOffset) })
    }
    return mapNode(offset, entries)
  }

  #key(node: Node | null, pointer: string, offset: number): string | undefined {
    const key = yaml().isScalar(node) && node.tag === undefined ? keyText(node) : ''
    if (!yaml().isScalar(node) || key === undefined) this.#report(pointer, offset, 'has a field without a name; write name: value')
    else if (node.tag !== undefined) this.#report(pointer, offset, `must not have a tag; remove ${shortened(node.tag)}`)
    else if (key === '<<' && node.type === 'PLAIN') this.#report(pointer, offset, 'must not contain merge keys (<<); write the fields out')
    else return key
    return undefined
  }

  #alias(name: string, pointer: string, offset: number): TextNode {
    this.#aliases += 1
    const read = this.#anchored.get(name)
    if (this.#aliases === textLimits.aliases + 1) this.#report(pointer, offset, `has more than ${textLimits.aliases} aliases`)
    else if (read === undefined)
      this.#report(pointer, offset, `uses the alias *${shortened(name)} without an anchor; put text that starts with * in quotes`)
    else if (read === null) this.#report(pointer, offset, `contains itself through the alias *${shortened(name)}`)
    return read && this.#aliases <= textLimits.aliases ? read : scalarNode(offset, null)
  }
}

/** A name such as 1 or true is text. */
function keyText({ value, source }: Scalar): string | undefined {
  if (typeof value === 'string') return value
  return source === undefined || source === '' ? undefined : source
}

function shortened(name: string): string {
  const text = name.replace(/^tag:yaml\.org,2002:/, '!!')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
