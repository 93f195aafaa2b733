// What a YAML or JSON text contains, with the place of every part, so that a mistake can be reported with its line.

/** `size` is the number of values in it, `depth` how deep they are nested. Aliases of YAML share nodes, so both count what is shared. */
interface Measured {
  readonly offset: number
  readonly size: number
  readonly depth: number
}

export interface TextEntry {
  readonly key: string
  readonly keyOffset: number
  readonly node: TextNode
}

export type TextNode = Measured &
  (
    | { readonly form: 'scalar'; readonly value: string | number | boolean | null }
    | { readonly form: 'list'; readonly items: readonly TextNode[] }
    | { readonly form: 'map'; readonly entries: readonly TextEntry[] }
  )

export interface TextProblem {
  readonly pointer: string
  readonly offset: number
  readonly message: string
}

export type ParsedText = { readonly ok: true; readonly root: TextNode } | { readonly ok: false; readonly problems: readonly TextProblem[] }

export const textLimits = {
  characters: 1_000_000,
  depth: 100,
  /** More values than a text of this length can have, unless it uses aliases. */
  values: 1_000_000,
  aliases: 50,
  /** How many mistakes are reported: of the syntax, and of anything else. */
  problems: 20,
  issues: 100,
}

export const tooDeep = `is nested too deeply; at most ${textLimits.depth} levels are allowed`

export function scalarNode(offset: number, value: string | number | boolean | null): TextNode {
  return { form: 'scalar', offset, value, size: 1, depth: 0 }
}

export function listNode(offset: number, items: readonly TextNode[]): TextNode {
  return { form: 'list', offset, items, ...measure(items) }
}

export function mapNode(offset: number, entries: readonly TextEntry[]): TextNode {
  return { form: 'map', offset, entries, ...measure(entries.map(({ node }) => node)) }
}

function measure(parts: readonly TextNode[]): { size: number; depth: number } {
  let [size, depth] = [1, 0]
  for (const part of parts) {
    size += part.size
    depth = Math.max(depth, part.depth)
  }
  return { size, depth: depth + 1 }
}

export function plainOf(node: TextNode): unknown {
  if (node.form === 'scalar') return node.value
  if (node.form === 'list') return node.items.map(plainOf)
  // A field may be named __proto__.
  return Object.fromEntries(node.entries.map(({ key, node: value }) => [key, plainOf(value)]))
}

export interface Place {
  readonly offset: number
  readonly node: TextNode
}

/** The part that a JSON pointer leads to; undefined if there is none. The place of a field is that of its name. */
export function placeAt(root: TextNode, pointer: string): Place | undefined {
  let place: Place = { offset: root.offset, node: root }
  for (const step of pointerSteps(pointer)) {
    const { node } = place
    if (node.form === 'scalar') return undefined
    if (node.form === 'list') {
      const item = /^\d+$/.test(step) ? node.items[Number(step)] : undefined
      if (!item) return undefined
      place = { offset: item.offset, node: item }
    } else {
      const entry = node.entries.find(({ key }) => key === step)
      if (!entry) return undefined
      place = { offset: entry.keyOffset, node: entry.node }
    }
  }
  return place
}

function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Lines and columns count from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Why a number would be changed by reading it; null if it is kept. */
export function numberProblem(source: string, value: number): string | null {
  if (!Number.isFinite(value)) return 'is not a number that JSON can contain'
  const digits = source.replace(/^\+/, '')
  if (!/^-?\d+$/.test(digits) || String(value) === digits || BigInt(digits) === BigInt(value)) return null
  return 'has too many digits to be kept exactly; put it in quotes'
}
