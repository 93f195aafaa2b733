// One of the compared libraries, or our own index, with the same passages and queries. The last line of the output is the result.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RecallIndex } from '../packages/runtime/src/recall/index/recall-index.ts'
import { median } from './bench.ts'
import { peerModule, peerTexts } from './kb-peers.ts'

interface Opened {
  search(query: string): Promise<unknown> | unknown
  close(): void
}

const [, , folder = '', name = ''] = process.argv
const { texts, queries } = peerTexts()
const began = performance.now()
const opened = await { tandem: openOurs, Orama: openOrama, MiniSearch: openMiniSearch }[name as 'tandem']()
const indexing_ms = performance.now() - began
const took: number[] = []
for (const query of queries) {
  const from = performance.now()
  await opened.search(query)
  took.push(performance.now() - from)
}
opened.close()
console.log(JSON.stringify({ indexing_ms, search_ms: median(took.slice(10)) }))

/** On disk, with a transaction for each thousand. */
async function openOurs(): Promise<Opened> {
  const place = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const index = new RecallIndex(join(place, 'index.db'))
  for (let at = 0; at < texts.length; at += 1_000) {
    const some = texts.slice(at, at + 1_000).map((text, number) => ({
      ...{
        id: `${at + number}`,
        scope: 'kb/source',
        text,
        at: null,
        speaker: null,
        group: `${Math.floor((at + number) / 20)}`,
        position: number,
      },
    }))
    index.apply({ space: 'kb', texts: some, removed: [] })
  }
  return {
    search: (query) => index.search({ scope: ['kb/source'], query, k: 10, channels: ['lexical'] }, null),
    close() {
      index.close()
      rmSync(place, { recursive: true, force: true })
    },
  }
}

async function openOrama(): Promise<Opened> {
  const { create, insertMultiple, search } = (await peerModule(folder, '@orama/orama')) as {
    create(options: unknown): unknown
    insertMultiple(database: unknown, documents: readonly unknown[], batch: number): Promise<unknown>
    search(database: unknown, query: unknown): Promise<unknown>
  }
  const database = await create({ schema: { text: 'string' }, components: { tokenizer: { language: 'english', stemming: true } } })
  await insertMultiple(
    database,
    texts.map((text) => ({ text })),
    1_000,
  )
  return { search: (query) => search(database, { term: query, properties: ['text'], limit: 10, threshold: 1 }), close: () => undefined }
}

async function openMiniSearch(): Promise<Opened> {
  const { default: MiniSearch } = (await peerModule(folder, 'minisearch')) as {
    default: new (options: unknown) => { addAll(documents: readonly unknown[]): void; search(query: string): readonly unknown[] }
  }
  const index = new MiniSearch({ fields: ['text'] })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return { search: (query) => index.search(query).slice(0, 10), close: () => undefined }
}
