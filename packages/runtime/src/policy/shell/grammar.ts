// The bash grammar, loaded on first use and kept: one parser is used for all commands.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Node, Parser, Tree } from 'web-tree-sitter'

export type { Node } from 'web-tree-sitter'

let parser: Promise<Parser> | null = null

/** Calls `read` with the root of the parsed text; the tree is deleted afterwards. */
export async function withParsedTree<Answer>(text: string, read: (root: Node) => Answer): Promise<Answer | null> {
  parser ??= load()
  const tree: Tree | null = (await parser).parse(text)
  if (!tree) return null
  try {
    return read(tree.rootNode)
  } finally {
    tree.delete()
  }
}

async function load(): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter')
  await Parser.init()
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm')
  const made = new Parser()
  made.setLanguage(await Language.load(await readFile(grammar)))
  return made
}
