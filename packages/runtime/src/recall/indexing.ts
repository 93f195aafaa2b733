// Brings the index up to date with the records, in small steps: a step that reads records never holds the main thread for long.
import type { Clock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { RecallIndex } from './index/recall-index.ts'
import type { RecallSource, RecallText } from './text.ts'

export interface IndexingPorts {
  readonly store: Pick<Store, 'sql' | 'relaxed'>
  readonly clock: Clock
  readonly calls: Pick<WorkerCalls<RecallIndex>, 'call'>
  sources(): ReadonlyMap<string, RecallSource>
}

interface Change {
  readonly no: number
  readonly space: string
  readonly id: string
}

/** The longest that reading records may hold the main thread. */
const step_ms = 1
const mostRead = 256

export function openIndexing({ store, clock, calls, sources }: IndexingPorts) {
  const { sql } = store
  /** How many texts are read at once: it follows how long reading takes. */
  let count = 16

  function read(source: RecallSource, ids: readonly string[]): readonly RecallText[] {
    const begun = clock.elapsed()
    const texts = source.read(ids)
    const took = clock.elapsed() - begun
    if (took > step_ms) count = Math.max(1, Math.floor(count / 2))
    else if (took < step_ms / 4) count = Math.min(mostRead, count * 2)
    return texts
  }

  /** All records of a space, from where an earlier scan has ended. */
  async function scan(source: RecallSource, from: string | null, signal: AbortSignal): Promise<void> {
    const { space } = source
    for (let through = from; ; ) {
      signal.throwIfAborted()
      const ids = source.ids(through, count)
      const texts = ids.length === 0 ? [] : read(source, ids)
      const whole = ids.length === 0
      through = ids.at(-1) ?? through
      await calls.call('apply', [{ space, texts, removed: [], scan: { through, whole } }])
      if (whole) return
      await aside()
    }
  }

  /** The last change that was applied; null when none is left. */
  async function applyChanges(through: number): Promise<number | null> {
    const changes = sql.all<Change>`SELECT no, space, id FROM recall_changes WHERE no > ${through} ORDER BY no LIMIT ${count}`
    const last = changes.at(-1)
    if (!last) return null
    const known = sources()
    for (const [space, found] of Map.groupBy(changes, ({ space }) => space)) {
      const source = known.get(space)
      if (!source) {
        // Whoever reads its records is not here. When it is back, all of them are read.
        await calls.call('drop', [space])
        continue
      }
      const ids = [...new Set(found.map(({ id }) => id))]
      const texts = read(source, ids)
      const there = new Set(texts.map(({ id }) => id))
      await calls.call('apply', [{ space, texts, removed: ids.filter((id) => !there.has(id)) }])
    }
    await calls.call('advance', [last.no])
    return last.no
  }

  return {
    async catchUp(signal: AbortSignal): Promise<void> {
      let { changes_through, spaces } = await calls.call('state', [])
      const latest = sql.get<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'recall_changes'`?.seq ?? 0
      if (changes_through > latest) {
        // The records are older than the index: they were brought back from a copy.
        await calls.call('clear', [])
        ;({ changes_through, spaces } = await calls.call('state', []))
      }
      for (const source of sources().values()) {
        const state = spaces[source.space]
        if (!state?.is_whole) await scan(source, state?.scanned_through ?? null, signal)
      }
      for (let through: number | null = changes_through; through !== null; ) {
        signal.throwIfAborted()
        const next: number | null = await applyChanges(through)
        changes_through = next ?? changes_through
        through = next
        await aside()
      }
      const isAny = sql.get`SELECT 1 FROM recall_changes WHERE no <= ${changes_through} LIMIT 1`
      if (isAny) store.relaxed(() => sql.run`DELETE FROM recall_changes WHERE no <= ${changes_through}`)
    },
  }
}

/** Lets everything else that waits come first. */
function aside(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
