// The same texts and queries in a bare FTS5 table and in Orama.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RecallText } from '../packages/runtime/src/recall/text.ts'
import { installPeer } from './peer.ts'

export interface Searcher {
  search(query: string, k: number): Promise<readonly string[]> | readonly string[]
  close(): void
}

export function bareFts5(texts: readonly RecallText[]): Searcher {
  const database = new DatabaseSync(':memory:')
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, body, tokenize = 'porter unicode61 remove_diacritics 2')")
  const insert = database.prepare('INSERT INTO texts (id, body) VALUES (?, ?)')
  database.exec('BEGIN')
  for (const { id, text } of texts) insert.run(id, text)
  database.exec('COMMIT')
  const select = database.prepare('SELECT id FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?')
  return {
    search(query, k) {
      const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`)
      return words.length === 0 ? [] : select.all(words.join(' OR '), k).map(({ id }) => String(id))
    },
    close: () => database.close(),
  }
}

interface Orama {
  create(options: unknown): unknown
  insertMultiple(database: unknown, documents: readonly unknown[], batch?: number): Promise<unknown>
  search(database: unknown, query: unknown): Promise<{ readonly hits: readonly { readonly document: { readonly text_id: string } }[] }>
}

export interface OramaPeer {
  readonly folder: string
  open(texts: readonly RecallText[]): Promise<Searcher>
  remove(): void
}

export async function orama(): Promise<OramaPeer> {
  const peer = installPeer({ '@orama/orama': '3.1.18' })
  return { ...(await oramaAt(peer.folder)), ...peer }
}

/** Where it is installed already. */
export async function oramaAt(folder: string): Promise<Pick<OramaPeer, 'open'>> {
  const { create, insertMultiple, search } = (await import(
    createRequire(join(folder, 'package.json')).resolve('@orama/orama')
  )) as unknown as Orama
  return {
    async open(texts) {
      const database = await create({
        schema: { text_id: 'string', text: 'string' },
        components: { tokenizer: { language: 'english', stemming: false } },
      })
      await insertMultiple(
        database,
        texts.map(({ id, text }) => ({ text_id: id, text })),
        1_000,
      )
      return {
        async search(query, k) {
          const { hits } = await search(database, { term: query, properties: ['text'], limit: k, threshold: 1 })
          return hits.map(({ document }) => document.text_id)
        },
        close: () => undefined,
      }
    },
  }
}
