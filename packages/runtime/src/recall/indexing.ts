// Brings the index up to date with the records, in small steps: a step that reads records never holds the main thread for long.
import type { Clock } from '../clock/clock.ts'
import { othersFirst } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import type { WorkerCalls } from '../thread/worker-calls.ts'
import type { RecallIndex, SpaceState } from './index/recall-index.ts'
import { type RecallSource, type RecallText, textProblem } from './text.ts'

export interface IndexingPorts {
  readonly store: Pick<Store, 'sql' | 'relaxed'>
  readonly clock: Clock
  readonly calls: Pick<WorkerCalls<RecallIndex>, 'call'>
  log(line: string): void
}

interface Change {
  readonly no: number
  readonly id: string
}

/** Reading records ends after this much time or text, so that it does not hold the main thread. One text may still take longer. */
const step_ms = 1
const step_characters = 64 * 1_024
const mostRead = 256
/** The first records are read one by one: their size is not known. */
const readAtOnce = 16
const mostDeleted = 1_000

export function openIndexing({ store, clock, calls, log }: IndexingPorts) {
  const { sql } = store
  /** Before any write of this process: a copy of the records that was brought back is behind the index at this moment. */
  const latestAtOpening = latestChange()
  const isChecked = new Set<string>()
  /** Texts that were logged as left out. */
  const leftOut = new Set<string>()

  /** As many as a step allows, in the order given. A text that cannot be read or indexed is left out, so that it keeps no other out. */
  function read({ space, read: readTexts }: RecallSource, ids: readonly string[]): { texts: readonly RecallText[]; taken: number } {
    function readEach(some: readonly string[]): readonly RecallText[] {
      try {
        return readTexts(some)
      } catch (error) {
        if (some.length > 1) return some.flatMap((id) => readEach([id]))
        leaveOut(`${some[0]} of ${space}`, error instanceof Error ? error.message : String(error))
        return []
      }
    }
    const begun = clock.elapsed()
    const texts: RecallText[] = []
    let [taken, characters] = [0, 0]
    for (let size = 1; taken < ids.length; size = Math.min(readAtOnce, size * 2)) {
      const some = readEach(ids.slice(taken, taken + size))
      taken = Math.min(ids.length, taken + size)
      texts.push(...some)
      characters += some.reduce((sum, { text }) => sum + text.length, 0)
      if (clock.elapsed() - begun >= step_ms || characters >= step_characters) break
    }
    const indexable = texts.filter((text) => {
      const problem = textProblem(text, space)
      if (problem !== null) leaveOut(`${text.id} of ${space}`, problem)
      return problem === null
    })
    return { texts: indexable, taken }
  }

  function leaveOut(name: string, problem: string): void {
    if (!leftOut.has(name)) log(`recall: the text ${name} is not indexed: ${problem}`)
    leftOut.add(name)
  }

  /** All records of a space, from where an earlier scan has ended. */
  async function scan(source: RecallSource, first: string | null, signal: AbortSignal): Promise<void> {
    const { space } = source
    for (let from = first; ; ) {
      signal.throwIfAborted()
      const ids = source.ids(from, mostRead)
      const whole = ids.length === 0
      const { texts, taken } = whole ? { texts: [], taken: 0 } : read(source, ids)
      const through = ids[taken - 1] ?? from
      if (!whole && from !== null && (through === null || through <= from))
        throw new Error(`the ids of ${space} are not in ascending order`)
      await calls.call('apply', [{ space, texts, removed: [], scan: { from, through, whole } }])
      if (whole) return
      from = through
      await othersFirst()
    }
  }

  /** The last change that was applied; null when none is left. */
  async function applyChanges(source: RecallSource, from: number): Promise<number | null> {
    const { space } = source
    const changes = sql.all<Change>`SELECT no, id FROM recall_changes WHERE space = ${space} AND no > ${from} ORDER BY no LIMIT ${mostRead}`
    if (changes.length === 0) return null
    const wanted = [...new Set(changes.map(({ id }) => id))]
    const { texts, taken } = read(source, wanted)
    const ids = wanted.slice(0, taken)
    const unread = new Set(wanted.slice(taken))
    const next = changes.findIndex(({ id }) => unread.has(id))
    const through = (next === -1 ? changes : changes.slice(0, next)).at(-1)?.no ?? from
    const there = new Set(texts.map(({ id }) => id))
    await calls.call('apply', [{ space, texts, removed: ids.filter((id) => !there.has(id)), changes: { from, through } }])
    return through
  }

  /** What is applied is not needed any more. How far that goes is kept: an index that is behind it has missed changes. */
  async function forget(space: string, through: number): Promise<void> {
    const name = `recall_applied ${space}`
    for (;;) {
      const deleted = store.relaxed(() => {
        sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${name}, ${String(through)})`
        return sql.run`DELETE FROM recall_changes WHERE no IN (
          SELECT no FROM recall_changes WHERE space = ${space} AND no <= ${through} LIMIT ${mostDeleted})`
      })
      if (Number(deleted.changes) < mostDeleted) return
      await othersFirst()
    }
  }

  /** How far the changes were applied, to this index or to one that was lost since. */
  function appliedThrough(space: string): number {
    return Number(sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${`recall_applied ${space}`}`?.value ?? 0)
  }

  /** The records and the index do not belong together: one of them was brought back from a copy, or lost by a power failure. */
  function isStrange(space: string, { changes_through, is_whole, scanned_through }: SpaceState): boolean {
    const latest = isChecked.has(space) ? latestChange() : latestAtOpening
    isChecked.add(space)
    const isBegun = is_whole || scanned_through !== null
    return changes_through > latest || (isBegun && changes_through < appliedThrough(space))
  }

  function latestChange(): number {
    return sql.get<{ seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'recall_changes'`?.seq ?? 0
  }

  /** A scan that begins now reads records that have all the changes that were applied before. */
  async function begin(space: string, { changes_through: from }: SpaceState): Promise<void> {
    const through = appliedThrough(space)
    if (through > from) await calls.call('apply', [{ space, texts: [], removed: [], changes: { from, through } }])
  }

  return {
    async catchUp(source: RecallSource, signal: AbortSignal): Promise<void> {
      const { space } = source
      signal.throwIfAborted()
      let state = await calls.call('state', [space])
      if (isStrange(space, state)) {
        await calls.call('drop', [space])
        state = await calls.call('state', [space])
      }
      if (!state.is_whole && state.scanned_through === null) {
        await begin(space, state)
        state = await calls.call('state', [space])
      }
      if (!state.is_whole) await scan(source, state.scanned_through, signal)
      let last = state.changes_through
      for (let next: number | null = last; next !== null; ) {
        signal.throwIfAborted()
        last = next
        next = await applyChanges(source, last)
        await othersFirst()
      }
      if (last > state.changes_through) await forget(space, last)
    },
  }
}
