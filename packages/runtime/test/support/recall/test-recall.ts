// Recall over real records: a table of notes in a real store, with the real thread and its file.
import { mkdirSync } from 'node:fs'
import { type Clock, systemClock } from '../../../src/clock/clock.ts'
import type { Model } from '../../../src/model/model.ts'
import { openRecall, type Recall } from '../../../src/recall/recall.ts'
import type { RecallSource, RecallText } from '../../../src/recall/text.ts'
import { openSettings } from '../../../src/settings/settings.ts'
import { openStore, type Store } from '../../../src/store/store.ts'

export interface TestRecall {
  readonly recall: Recall
  readonly store: Store
  readonly logged: readonly string[]
  /** Writes or removes records, in one transaction. */
  write(texts: readonly RecallText[], removed?: readonly string[]): void
  choose(embeddings: 'bundled' | 'model' | 'off', model?: string): void
  stop(): Promise<void>
}

export interface TestRecallOptions {
  readonly home: string
  readonly clock?: Clock
  readonly life?: 'resident' | 'errand'
  readonly model?: Model
  readonly isEmbedded?: boolean
  /** Called for every read of records. */
  readonly onRead?: (ids: readonly string[]) => void
}

export function note(id: string, text: string, rest: Partial<RecallText> = {}): RecallText {
  return { id, scope: 'notes/a', text, at: null, speaker: null, group: null, ...rest }
}

export function openTestRecall(options: TestRecallOptions): TestRecall {
  const { home, clock = systemClock, life = 'resident', isEmbedded = false, onRead } = options
  mkdirSync(home, { recursive: true })
  const store = openStore({ home, clock })
  const { sql } = store
  sql.run`CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, note TEXT NOT NULL)`
  const settings = openSettings(home)
  const logged: string[] = []
  const recall = openRecall({
    home,
    store,
    clock,
    life,
    settings,
    model: () => options.model ?? null,
    address: () => 'http://127.0.0.1:1',
    log: (line) => logged.push(line),
  })
  const source: RecallSource = {
    space: 'notes',
    read(ids) {
      onRead?.(ids)
      return ids.flatMap((id) => {
        const row = sql.get<{ note: string }>`SELECT note FROM notes WHERE id = ${id}`
        return row ? [JSON.parse(row.note) as RecallText] : []
      })
    },
    ids: (after, limit) =>
      sql.all<{ id: string }>`SELECT id FROM notes WHERE id > ${after ?? ''} ORDER BY id LIMIT ${limit}`.map(({ id }) => id),
    isEmbedded: () => isEmbedded,
  }
  if (!isEmbedded) settings.write({ sections: [{ section: 'recall', setting: 'embeddings', value: 'off' }] })
  recall.add(source)
  return {
    recall,
    store,
    logged,
    write(texts, removed = []) {
      store.transaction(() => {
        for (const one of texts) sql.run`INSERT OR REPLACE INTO notes (id, note) VALUES (${one.id}, ${JSON.stringify(one)})`
        for (const id of removed) sql.run`DELETE FROM notes WHERE id = ${id}`
        recall.changed('notes', [...texts.map(({ id }) => id), ...removed])
      })
    },
    choose(embeddings, model = '') {
      settings.write({
        sections: [
          { section: 'recall', setting: 'embeddings', value: embeddings },
          { section: 'recall', setting: 'embeddings_model', value: model },
        ],
      })
    },
    async stop() {
      await recall.stop()
      store.close()
    },
  }
}

/** Vectors that count letters, when `asked` has ended. Each model has a dimension of its own: the length of its name, times eight. */
export function letterModel(asked: (model: string, texts: readonly string[]) => unknown = () => undefined): Model {
  return {
    turn: () => Promise.reject(new Error('not a chat model')),
    contextWindow: () => Promise.reject(new Error('not a chat model')),
    async embed(model, texts) {
      await asked(model, texts)
      return { ok: true, vectors: texts.map((text) => letters(text, 8 * model.length)) }
    },
    close: () => undefined,
  }
}

function letters(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  for (const letter of text) {
    const at = letter.charCodeAt(0) % dimension
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}
