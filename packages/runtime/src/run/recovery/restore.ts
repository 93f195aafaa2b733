// `restore_run_checkpoint()`: restores files, calls and approvals, and leaves the run paused. Nothing in the journal is deleted.
import { existsSync } from 'node:fs'
import type { BackgroundSelection, ConflictChoice, RestoreCounts, RestorePreviewEntry, RestoreScope } from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import type { Checkpoints } from '../../checkpoint/checkpoints.ts'
import type { RestoreChoices, RestoreFacts } from '../../checkpoint/restore/restore-files.ts'
import { invalidField, type Outcome } from '../../feature/outcome.ts'
import { currentSteps } from '../../journal/current-steps.ts'
import type { JournaledStep } from '../../journal/recorded-step.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { LoopPorts } from '../ports.ts'
import { type OpenCall, runProgressOf } from '../run-progress.ts'
import { writeStatus } from '../status-messages.ts'
import { keepInterruptedText } from '../turn/streamed-text.ts'
import { cancelWaits } from '../waiting.ts'
import { cursorOf } from './checkpointing.ts'
import { type FileRestoreKind, openFileRestores } from './file-restores.ts'

export interface Restored {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly counts: RestoreCounts
  /** Paths that changed while background commands ran. */
  readonly background: { readonly restored: number; readonly left: number }
  readonly set_aside_message_ids: readonly string[]
  readonly safety_checkpoint_id: string
  readonly cursor_seq: number
  readonly left_alone: readonly RestorePreviewEntry[]
  readonly failure_contract?: FailureContract
}

export interface RestoreOptions {
  /** Where the folder of the run is now; by default, where it was. */
  readonly workspace?: string | undefined
  /** Which changes of background commands are restored as well; none by default. */
  readonly background?: BackgroundSelection | undefined
  /** With `files`, the run and its messages stay as they are. */
  readonly scope?: RestoreScope | undefined
  /** Only these files; the run and its messages stay as they are. */
  readonly chosen?: RestoreChoices['chosen'] | undefined
}

export type RestorePorts = Pick<LoopPorts, 'store' | 'journal' | 'events' | 'approvals' | 'registry' | 'log'> & {
  readonly checkpoints: Checkpoints
}

export type RunRestoreOutcome = { readonly ok: true; readonly value: Restored } | Extract<RestoreFailure, { readonly ok: false }>
type RestoreFailure = { readonly ok: false } & Omit<Extract<Awaited<ReturnType<Checkpoints['restore']>>, { outcome: 'failed' }>, 'outcome'>

/** The caller has checked that the run is not running. */
export async function restoreRunCheckpoint(
  ports: RestorePorts,
  run: RunRecord,
  checkpoint_id: string,
  on_conflict: ConflictChoice,
  { workspace = run.workspace, background: selection = 'none', scope = 'run', chosen }: RestoreOptions = {},
): Promise<RunRestoreOutcome> {
  const { journal, approvals, checkpoints } = ports
  const before = runProgressOf(currentSteps(journal.steps(run.run_id)))
  let set_aside_message_ids: readonly string[] = []
  const now = cursorOf({ approvals, journal }, { ...run, workspace }, before, run.next_seq - 1)
  const cursor = {
    ...now,
    recovery_hints: [`Created before the recovery point ${checkpoint_id} was restored. Restore this one to undo that.`],
  }
  const goingBack = (facts: RestoreFacts) => {
    set_aside_message_ids = recordRestore(ports, run, { checkpoint_id, ...facts })
  }
  const fileRestores = openFileRestores(ports.store)
  if (chosen || scope === 'files') fileRestores.begin(checkpoint_id, chosen ? 'chosen' : 'all')
  else fileRestores.end(checkpoint_id)
  const restored = await checkpoints.restore(checkpoint_id, on_conflict, cursor, goingBack, selection, chosen)
  if (restored.outcome === 'failed') {
    // A restore that is stuck is finished at the next start.
    if (!checkpoints.isStuck(run.run_id)) fileRestores.end(checkpoint_id)
    const { outcome: _outcome, ...failure } = restored
    return { ok: false, ...failure }
  }
  const { counts, background, safety_checkpoint_id, cursor_seq, left_alone, failure_contract } = restored
  const facts = {
    run_id: run.run_id,
    checkpoint_id,
    counts,
    background,
    set_aside_message_ids,
    safety_checkpoint_id,
    cursor_seq,
    left_alone,
  }
  return { ok: true, value: { ...facts, ...(failure_contract ? { failure_contract } : {}) } }
}

/** Records a restore in its run, in one transaction. Also used to finish a restore after a crash. */
export function recordRestore(
  ports: RestorePorts,
  run: RunRecord,
  { checkpoint_id, cursor_seq, failure_contract, workspace, ...facts }: RestoreFacts & { readonly checkpoint_id: string },
): readonly string[] {
  const { store, journal, events, approvals, checkpoints } = ports
  return store.transaction(() => {
    const fileRestores = openFileRestores(store)
    const kind = fileRestores.kindOf(checkpoint_id)
    if (kind !== null) {
      fileRestores.end(checkpoint_id)
      return recordFiles(kind)
    }
    // Before the restore, because it belongs to what is removed.
    keepInterruptedText(run, ports)
    // The folder was moved and the user specified its new path: the run continues there.
    if (workspace !== run.workspace) journal.conversations.settle(run.conversation_id, workspace, run.workspace)
    const { standing, back, kept, set_aside_message_ids } = stepsAfterRestore(journal.steps(run.run_id), cursor_seq)
    const restore = { checkpoint_id, cursor_seq, failure_contract }
    journal.append(run.run_id, { kind: 'checkpoint.restored', ...restore, set_aside_message_ids: [...set_aside_message_ids] })
    journal.messages.setAside(set_aside_message_ids, true)
    journal.messages.setAside(messagesOf(back), false)
    const undone = standing.filter(({ step }) => !kept.has(step.seq))
    approvals.withdrawCalls(
      run.no,
      undone.flatMap(({ step }) => (step.kind === 'approval.requested' ? [step.approval.call_id] : [])),
    )
    checkpoints.releaseFromApproval(run.run_id)
    cancelWaits(ports, run)
    const { restore_kind = null } = checkpoints.get(checkpoint_id) ?? {}
    const data = { checkpoint_id, restore_kind, from_state: run.state, ...facts }
    const { restored_paths, conflicts, unrecoverable, background_left } = facts
    writeStatus(journal, run, { kind: 'restored', restored_paths, conflicts, unrecoverable, background_left })
    events.emit('checkpoint_restored', { run }, data, failure_contract ?? undefined)
    for (const call of runProgressOf(back).open) askAgain(call)
    return set_aside_message_ids
  })

  function recordFiles(kind: FileRestoreKind): readonly string[] {
    if (workspace !== run.workspace) journal.conversations.settle(run.conversation_id, workspace, run.workspace)
    const { restore_kind = null } = checkpoints.get(checkpoint_id) ?? {}
    const { restored_paths, conflicts, unrecoverable, background_left } = facts
    writeStatus(journal, run, {
      kind: kind === 'chosen' ? 'chosen_restored' : 'files_restored',
      restored_paths,
      conflicts,
      unrecoverable,
      background_left,
    })
    events.emit(
      'checkpoint_restored',
      { run },
      { checkpoint_id, restore_kind, from_state: run.state, ...facts },
      failure_contract ?? undefined,
    )
    return []
  }

  /** A call is settled once under its id: if it may be made again, it gets a new one. */
  function askAgain({ call_id, tool, asked, arguments: args, arguments_file, wire_id, leaves }: OpenCall): void {
    const file = arguments_file === null ? {} : { arguments_file_id: arguments_file }
    const made_up = asked === tool ? {} : { tool: asked }
    journal.append(
      run.run_id,
      { kind: 'tool.call', call_id: store.newId(), tool, arguments: args, ...file, replaces: call_id },
      { wire_id, ...made_up, ...(leaves ? { leaves } : {}) },
    )
  }
}

/** What remains after a restore to a cursor, and what is removed. */
export function stepsAfterRestore(all: readonly JournaledStep[], cursor_seq: number) {
  const standing = currentSteps(all)
  const back = currentSteps(all.filter(({ step }) => step.seq <= cursor_seq))
  const kept = new Set(back.map(({ step }) => step.seq))
  return { standing, back, kept, set_aside_message_ids: messagesOf(all.filter(({ step }) => !kept.has(step.seq))) }
}

function messagesOf(steps: readonly JournaledStep[]): readonly string[] {
  return steps.flatMap(({ step }) => (step.kind === 'message.completed' || step.kind === 'message.received' ? [step.message_id] : []))
}

/** Only a workspace that was moved can be restored elsewhere: a copy next to it would belong to no run. */
export function workspaceNotMoved<Value>({ run_id, workspace }: RunRecord, given: string): Outcome<Value> | null {
  if (given === workspace || !existsSync(workspace)) return null
  const message = `run ${run_id} works in ${workspace}, which still exists: restore without another workspace`
  return invalidField('workspace', 'must not be set: the folder of this run still exists', message)
}

/** Continuing on partially restored files would make both states unrecoverable. */
export function restoreInterrupted<Value>(run_id: string): Outcome<Value> {
  const remedy = 'Free disk space and start Tandem again: it finishes or undoes the restore.'
  return { ok: false, code: 'restore_failed', message: `a restore of run ${run_id} was interrupted`, remedy }
}
