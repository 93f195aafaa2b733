// Applies a planned merge: all of it or nothing.
import { ToolFailure } from '../../call/failure.ts'
import { displayPath, fileFailure } from '../../sandbox/files/file-failure.ts'
import type { Store } from '../../store/store.ts'
import type { MergeCrashpoint } from './crashpoint.ts'
import {
  entryAt,
  isMadeFolder,
  isReplacedFolder,
  isSameEntry,
  isStaged,
  journalOf,
  makeFolders,
  putNew,
  removeEmptied,
  removeMade,
  removeTemps,
  restoreEmptied,
  stageNew,
  syncFolders,
  undo,
} from './merge-files.ts'
import type { JournaledOperation, MergeRecord, MergeRecords } from './merge-records.ts'
import type { MergePlan } from './plan-merge.ts'
import { HashMemory, type ReadFolder, readFolder } from './read-folder.ts'

export interface ApplyPorts {
  readonly store: Pick<Store, 'transaction' | 'newId' | 'clock'>
  readonly records: MergeRecords
  readonly crashPoint: (point: MergeCrashpoint) => void
  log(line: string): void
}

export interface AppliedBy {
  readonly run_id: string
  readonly call_id: string
  readonly signal: AbortSignal
  /** Called in the transaction that records the merge. */
  recorded(): void
}

/** Throws a `ToolFailure` that names the path if it cannot be applied; the folder is then as it was before. */
export async function applyMerge(plan: MergePlan, ports: ApplyPorts, { run_id, call_id, signal, recorded }: AppliedBy): Promise<void> {
  const { store, records, crashPoint } = ports
  const { workspace } = plan
  const journal = await journalOf(plan)
  const operations = [...journal.operations.entries()]
  const merge: Omit<MergeRecord, 'state'> = { merge_id: store.newId(), run_id, call_id, workspace, journal }
  const { merge_id } = merge
  const folder = readFolder(workspace, new HashMemory(store.clock.now))
  records.add(merge, store.clock.now())
  try {
    for (const [number, operation] of operations) {
      signal.throwIfAborted()
      const { after } = operation
      await stageNew(merge, number, operation, after?.kind === 'file' ? plan.contents.source(after.sha256) : null)
      if (!(await isStaged(merge, number, operation, folder))) throw fileFailure('changed_since_read', operation.path)
    }
    for (const [, { path, before }] of operations) if (!isReplacedFolder(merge, path, folder)) await demand(folder, path, before)
    crashPoint('merge_staged')
    signal.throwIfAborted()
    records.setState(merge_id, 'applying')
    // What is deleted first: a file may become a folder, or a folder a file.
    const [deletions, writes] = [operations.filter(([, { after }]) => after === null), operations.filter(([, { after }]) => after !== null)]
    const half = Math.floor((operations.length - 1) / 2)
    for (const [done, [number, operation]] of [...deletions, ...writes].entries()) {
      if (done === deletions.length) await replaceFolders(merge)
      if (operation.before !== null) await demand(folder, operation.path, operation.before)
      await putNew(merge, number, operation)
      if (done === half) crashPoint('merge_applying')
    }
    if (writes.length === 0) await replaceFolders(merge)
    for (const [, { path, after }] of operations) if (!isMadeFolder(merge, path, folder)) await demand(folder, path, after)
    await syncFolders(merge)
    crashPoint('merge_unrecorded')
    store.transaction(() => {
      records.setState(merge_id, 'applied')
      recorded()
    })
  } catch (error) {
    const left = await undoMerge(merge, ports)
    if (left.length > 0) throw notUndone(error, left)
    throw error
  }
  crashPoint('merge_applied')
  await finish(merge, ports)
}

async function replaceFolders(merge: Omit<MergeRecord, 'state'>): Promise<void> {
  await removeEmptied(merge)
  await makeFolders(merge)
}

/** For the start, before any run continues: undoes what a crash interrupted. Returns what could not be undone, in sentences. */
export async function recoverMerges(ports: ApplyPorts): Promise<readonly string[]> {
  const troubles: string[] = []
  for (const merge of ports.records.open()) {
    if (merge.state === 'applied') await finish(merge, ports)
    else
      for (const left of await undoMerge(merge, ports))
        troubles.push(`An interrupted merge in ${merge.workspace} was not undone completely: ${left}`)
  }
  ports.records.removeOld(ports.store.clock.now() - kept_ms)
  return troubles
}

const kept_ms = 30 * 24 * 60 * 60 * 1000

/** What could not be undone, each with its path. */
async function undoMerge(merge: Omit<MergeRecord, 'state'>, { store, records, log }: ApplyPorts): Promise<readonly string[]> {
  const left: string[] = []
  const folder = readFolder(merge.workspace, new HashMemory(store.clock.now))
  try {
    const undoAll = async (which: (operation: JournaledOperation) => boolean) => {
      for (const [number, operation] of [...merge.journal.operations.entries()].reverse()) {
        if (!which(operation)) continue
        const why = await undo(merge, number, operation, folder).catch((error: unknown) => messageOf(error))
        if (why !== null) left.push(`${displayPath(operation.path)}: ${why}`)
      }
    }
    await undoAll(({ after }) => after !== null)
    await removeMade(merge)
    await restoreEmptied(merge)
    await undoAll(({ after }) => after === null)
    // What could not be restored keeps its second name.
    if (left.length === 0) await removeTemps(merge)
  } catch (error) {
    left.push(messageOf(error))
  }
  records.setState(merge.merge_id, left.length === 0 ? 'undone' : 'stuck')
  for (const one of left) log(`a merge in ${merge.workspace} was not undone completely: ${one}`)
  return left
}

/** The merge is recorded: what is left over now is removed at the next start. */
async function finish(merge: Omit<MergeRecord, 'state'>, { records, log }: ApplyPorts): Promise<void> {
  try {
    await removeTemps(merge)
    records.setState(merge.merge_id, 'done')
  } catch (error) {
    log(`the temporary files of a merge in ${merge.workspace} were not removed: ${messageOf(error)}`)
  }
}

async function demand(folder: ReadFolder, path: string, wanted: Parameters<typeof isSameEntry>[1]): Promise<void> {
  if (!isSameEntry(await entryAt(folder, path), wanted)) throw fileFailure('changed_since_read', path)
}

function notUndone(error: unknown, left: readonly string[]): ToolFailure {
  return new ToolFailure('merge_not_undone', `The merge failed (${messageOf(error)}), and was not undone completely: ${left.join('; ')}`, {
    subject: left[0] ?? '',
    remedy: 'Check these paths. Files whose names begin with .tandem-merge- contain what was there before.',
    recoverability: 'user_action',
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
