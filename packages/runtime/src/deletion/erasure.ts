// Erases deleted conversations from this device, in stages that are on disk: one that was killed continues where it ended, and a stage that
// is repeated changes nothing. When it has begun, the conversation cannot be restored any more.
import { join } from 'node:path'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import { removeFolder } from '../cooperation/copy/remove-folder.ts'
import type { Recall } from '../recall/recall.ts'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import { eraseRows } from './erase-rows.ts'
import { deleteFiles, filesOf } from './files.ts'

export interface ErasurePorts {
  readonly store: Store
  /** A larger database is only rewritten in a quiet minute. */
  readonly most_rewritten_bytes?: number
  readonly checkpoints: Pick<Checkpoints, 'eraseRuns'>
  readonly recall: Pick<Recall, 'indexed'>
  /** Their copies of folders: those with changes that were not merged stay, the others are deleted. */
  endCopies(run_ids: readonly string[]): Promise<void>
  /** Removes the words of a conversation from what was remembered, and memories that only apply in it. In a transaction. */
  clearMemories(conversation_id: string): void
  /** Rewriting the database holds up everything, so it waits until no run is active. */
  isRunActive(): boolean
  log(line: string): void
}

export interface Erasure {
  /** Begins to erase these, each list as one, and continues what was begun before. */
  run(due: readonly (readonly string[])[], signal: AbortSignal): Promise<void>
}

interface ErasureRow {
  readonly conversation_id: string
  readonly stage: 'chosen' | 'rows' | 'files' | 'erased'
  readonly run_ids: string
  readonly begun_at: number
}

/** Takes about a second. */
const rewritten_bytes = 24 * 1024 * 1024
const latest_ms = 60 * 60 * 1_000

export function openErasure(ports: ErasurePorts): Erasure {
  const { store, checkpoints, recall, endCopies, clearMemories, isRunActive, log } = ports
  const mostRewritten = ports.most_rewritten_bytes ?? rewritten_bytes
  const { sql, clock, home } = store
  let lastChanges = -1
  /** What was logged last, by conversation: the same every minute would fill the log. */
  const reported = new Map<string, string>()

  const open = () => sql.all<ErasureRow>`SELECT * FROM erased_conversations WHERE stage <> 'erased' ORDER BY begun_at, conversation_id`

  /** Runs were stopped since it was chosen: the user may have restored it meanwhile. */
  function isDue(conversation_id: string): boolean {
    return (
      sql.get`
        SELECT 1 FROM conversations
        WHERE conversation_id = ${conversation_id} AND deleted_at IS NOT NULL AND erase_at <= ${clock.now()}` !== undefined
    )
  }

  /** Together: a branch that is restored without the conversation it continues could not be read. */
  function begin(family: readonly string[]): void {
    store.transaction(() => {
      if (!family.every(isDue)) return
      for (const conversation_id of family) {
        const runs = sql.all<{ run_id: string }>`
          SELECT r.run_id FROM runs r JOIN conversations c ON c.no = r.conversation WHERE c.conversation_id = ${conversation_id}`
        sql.run`
          INSERT OR IGNORE INTO erased_conversations (conversation_id, stage, run_ids, files, begun_at)
          VALUES (${conversation_id}, 'chosen', ${JSON.stringify(runs.map(({ run_id }) => run_id))}, '[]', ${clock.now()})`
      }
    })
    crashPoint('erase:chosen')
  }

  function reach(conversation_id: string, stage: ErasureRow['stage']): void {
    sql.run`UPDATE erased_conversations SET stage = ${stage} WHERE conversation_id = ${conversation_id}`
  }

  /** False if a recovery point is still in use. */
  async function points({ conversation_id, run_ids }: ErasureRow): Promise<boolean> {
    const runs: readonly string[] = JSON.parse(run_ids)
    await endCopies(runs)
    if (!(await checkpoints.eraseRuns(runs))) return false
    crashPoint('erase:points')
    reach(conversation_id, 'rows')
    return true
  }

  function rows({ conversation_id }: ErasureRow): void {
    // Deleted rows are overwritten, not only released.
    sql.run`PRAGMA secure_delete = ON`
    store.applying(() => {
      // Now, because one may have been downloaded since it was chosen.
      const found = JSON.stringify(filesOf(store, conversation_id))
      sql.run`UPDATE erased_conversations SET files = ${found} WHERE conversation_id = ${conversation_id}`
      eraseRows(store, conversation_id, clearMemories)
      reach(conversation_id, 'files')
    })
    crashPoint('erase:rows')
  }

  async function files({ conversation_id, run_ids }: ErasureRow): Promise<void> {
    const row = sql.get<{ files: string }>`SELECT files FROM erased_conversations WHERE conversation_id = ${conversation_id}`
    await deleteFiles(store, JSON.parse(row?.files ?? '[]'))
    for (const run_id of JSON.parse(run_ids) as string[]) {
      const isKept = sql.get`SELECT 1 FROM workspace_copies WHERE run_id = ${run_id}` !== undefined
      if (!isKept) await removeFolder(join(home, 'copies', run_id))
    }
    crashPoint('erase:files')
  }

  async function one(row: ErasureRow): Promise<boolean> {
    if (row.stage === 'chosen' && !(await points(row))) return false
    if (row.stage !== 'files') rows(row)
    await files(row)
    return true
  }

  /** False if it is not finished. What fails for one does not hold up the others. */
  async function isErased(row: ErasureRow): Promise<boolean> {
    const { conversation_id } = row
    try {
      const done = await one(row)
      reported.delete(conversation_id)
      return done
    } catch (error) {
      const line = `the deleted conversation ${conversation_id} is not erased completely, and is tried again in a minute: ${String(error)}`
      if (reported.get(conversation_id) !== line) log(line)
      reported.set(conversation_id, line)
      return false
    }
  }

  /** Whether nothing was written since the last time: the user does not wait for anything. */
  function isQuiet(): boolean {
    const { changes = -1 } = sql.get<{ changes: number }>`SELECT total_changes() AS changes` ?? {}
    const isSame = changes === lastChanges
    lastChanges = changes
    return isSame
  }

  function isLarge(): boolean {
    const { bytes = 0 } = sql.get<{ bytes: number }>`SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size` ?? {}
    return bytes > mostRewritten
  }

  /** What earlier versions of rows left in released pages and inside of others, and in the log of the database. */
  function scrub(): void {
    sql.run`VACUUM`
    sql.get`PRAGMA wal_checkpoint(TRUNCATE)`
    crashPoint('erase:scrubbed')
  }

  return {
    async run(due, signal) {
      for (const family of due) begin(family)
      const done: string[] = []
      let begun = Number.POSITIVE_INFINITY
      for (const row of open()) {
        if (signal.aborted) return
        if (!(await isErased(row))) continue
        done.push(row.conversation_id)
        begun = Math.min(begun, row.begun_at)
      }
      if (done.length === 0 || signal.aborted) return
      await recall.indexed()
      crashPoint('erase:index')
      // Some devices are never quiet.
      const isLate = clock.now() - begun > latest_ms
      const isCalm = isQuiet() || !isLarge() || isLate
      if (isRunActive() || !isCalm || signal.aborted) return
      scrub()
      store.transaction(() => {
        for (const id of done) {
          sql.run`
            UPDATE erased_conversations SET stage = 'erased', run_ids = '[]', files = '[]', erased_at = ${clock.now()}
            WHERE conversation_id = ${id}`
        }
      })
      crashPoint('erase:done')
    },
  }
}
