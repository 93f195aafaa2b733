// Maps the output of the highlighter to the few colors of the window.

export const highlightColors = ['keyword', 'string', 'comment', 'number', 'name', 'meta', 'added', 'removed'] as const
export type HighlightColor = (typeof highlightColors)[number]

export interface HighlightPiece {
  readonly text: string
  readonly tint: HighlightColor | null
}

/** Longer code stays plain. */
export const maxHighlightedLength = 60_000

const tintOf: Readonly<Record<string, HighlightColor>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  literal: 'keyword',
  operator: 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  'template-tag': 'string',
  link: 'string',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  title: 'name',
  section: 'name',
  name: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  'selector-class': 'name',
  'selector-id': 'name',
  built_in: 'meta',
  type: 'meta',
  meta: 'meta',
  variable: 'meta',
  params: 'meta',
  addition: 'added',
  deletion: 'removed',
}

/** The part of the highlighter's tree that is used here. */
export interface CodeNode {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly CodeNode[]
}

/** The texts of the tree in order; together they are exactly the code. */
export function highlightPiecesOf(node: CodeNode, around: HighlightColor | null = null): readonly HighlightPiece[] {
  if (node.type === 'text') return node.value ? [{ text: node.value, tint: around }] : []
  const [scope = ''] = Array.isArray(node.properties?.className) ? node.properties.className.map(String) : []
  const tint = tintOf[scope.replace(/^hljs-/, '')] ?? around
  return (node.children ?? []).flatMap((child) => highlightPiecesOf(child, tint))
}
