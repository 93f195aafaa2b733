// `restore_run_checkpoint()`: files, calls and approvals as they were, the run paused. The journal goes on; nothing in it is deleted.
import type { ConflictChoice, RestoreCounts, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { FailureContract } from '@tandem/contract/failure'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { JournaledStep } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { cursorOf } from './checkpointing.ts'
import { courseOf, type OpenCall } from './course.ts'
import type { LoopPorts } from './ports.ts'
import { standingSteps } from './standing.ts'

export interface Restored {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly counts: RestoreCounts
  readonly set_aside_message_ids: readonly string[]
  readonly safety_checkpoint_id: string
  readonly cursor_seq: number
  readonly left_alone: readonly RestorePreviewEntry[]
  readonly failure_contract?: FailureContract
}

type RestorePorts = Pick<LoopPorts, 'store' | 'journal' | 'events' | 'approvals' | 'questions' | 'hooks' | 'log'> & {
  readonly checkpoints: Checkpoints
}

export type RestoreEnd = { readonly ok: true; readonly value: Restored } | Extract<RestoreFailure, { readonly ok: false }>
type RestoreFailure = { readonly ok: false } & Omit<Extract<Awaited<ReturnType<Checkpoints['restore']>>, { outcome: 'failed' }>, 'outcome'>

/** The caller has seen to it that the run is not going on. */
export async function restoreRunCheckpoint(
  ports: RestorePorts,
  run: RunRecord,
  checkpoint_id: string,
  on_conflict: ConflictChoice,
): Promise<RestoreEnd> {
  const { journal, approvals, checkpoints } = ports
  const before = courseOf(standingSteps(journal.steps(run.run_id)))
  let set_aside_message_ids: readonly string[] = []
  const cursor = cursorOf(run, before, approvals, { seq: run.next_seq - 1 })
  const restored = await checkpoints.restore(checkpoint_id, on_conflict, cursor, (cursor_seq, failure_contract) => {
    set_aside_message_ids = goBack(ports, run, { checkpoint_id, cursor_seq, failure_contract })
  })
  if (restored.outcome === 'failed') {
    const { outcome: _outcome, ...failure } = restored
    return { ok: false, ...failure }
  }
  const { counts, safety_checkpoint_id, cursor_seq, left_alone, failure_contract } = restored
  ports.events.emit(
    'checkpoint_restored',
    { run },
    {
      checkpoint_id,
      restore_kind: checkpoints.get(checkpoint_id)?.restore_kind ?? null,
      from_state: run.state,
      restored_paths: restored.restored_paths,
      conflicts: counts.conflict,
      unrecoverable: counts.unrecoverable,
      duration_ms: restored.duration_ms,
    },
    failure_contract,
  )
  const now = journal.run(run.run_id) ?? run
  await ports.hooks.checkpointRestored(now, checkpoint_id).catch((error: unknown) => ports.log(`after a restore: ${String(error)}`))
  const facts = { run_id: run.run_id, checkpoint_id, counts, set_aside_message_ids, safety_checkpoint_id, cursor_seq, left_alone }
  return { ok: true, value: { ...facts, ...(failure_contract ? { failure_contract } : {}) } }
}

/** The run's side of a restore, in one transaction. Also what a crash in the middle is finished with. */
export function goBack(
  { store, journal, approvals, questions }: Pick<RestorePorts, 'store' | 'journal' | 'approvals' | 'questions'>,
  run: RunRecord,
  restore: { readonly checkpoint_id: string; readonly cursor_seq: number; readonly failure_contract: FailureContract | null },
): readonly string[] {
  return store.transaction(() => {
    const all = journal.steps(run.run_id)
    const standing = standingSteps(all)
    const back = standingSteps(all.filter(({ step }) => step.seq <= restore.cursor_seq))
    const kept = new Set(back.map(({ step }) => step.seq))
    const set_aside_message_ids = messagesOf(all.filter(({ step }) => !kept.has(step.seq)))
    journal.append(run.run_id, { kind: 'checkpoint.restored', ...restore, set_aside_message_ids: [...set_aside_message_ids] })
    journal.messages.setAside(set_aside_message_ids, true)
    journal.messages.setAside(messagesOf(back), false)
    const undone = standing.filter(({ step }) => !kept.has(step.seq))
    approvals.forget(
      run.no,
      undone.flatMap(({ step }) => (step.kind === 'approval.requested' ? [step.approval.call_id] : [])),
    )
    questions.withdraw(run.no)
    for (const call of courseOf(back).open) askAgain(call)
    return set_aside_message_ids
  })

  /** A call is settled once under its id: one that may be made again gets a new one. */
  function askAgain({ call_id, tool, asked, arguments: args, arguments_file, wire_id }: OpenCall): void {
    const file = arguments_file === null ? {} : { arguments_file_id: arguments_file }
    const made_up = asked === tool ? {} : { tool: asked }
    journal.append(
      run.run_id,
      { kind: 'tool.call', call_id: store.newId(), tool, arguments: args, ...file, replaces: call_id },
      { wire_id, ...made_up },
    )
  }
}

function messagesOf(steps: readonly JournaledStep[]): readonly string[] {
  return steps.flatMap(({ step }) => (step.kind === 'message.completed' ? [step.message_id] : []))
}
