// Recovery points around the calls of a run: planned for the approval, taken before the intent, settled after the call.
import { dirname, resolve } from 'node:path'
import type { LoopPhase } from '@tandem/contract/checkpoint'
import { grouped } from '@tandem/contract/text'
import type { Approvals } from '../../approval/approvals.ts'
import type { BackgroundPoints, BackgroundProcess } from '../../checkpoint/background-points.ts'
import type { CheckpointCursor } from '../../checkpoint/checkpoint-row.ts'
import type { Checkpoints } from '../../checkpoint/checkpoints.ts'
import type { FileCount } from '../../checkpoint/file-count.ts'
import { type CheckpointPlan, hasNoRecoveryPoint } from '../../checkpoint/plan.ts'
import { type PlannedCall, scopeOf } from '../../checkpoint/scan/scope.ts'
import { unprotectedText } from '../../checkpoint/unprotected.ts'
import { timestamp } from '../../clock/clock.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { Planning } from '../../pipeline/pipeline.ts'
import type { CallingRun, CallStatus, ReadyCall } from '../../pipeline/prepared-call.ts'
import type { RunCheckpoints } from '../ports.ts'
import type { RunProgress } from '../run-progress.ts'

export interface CursorPorts {
  readonly approvals: Approvals
  readonly journal: Pick<Journal, 'steps' | 'flushMark'>
}

/** The position of a run, as stored in a checkpoint. Everything in it is a position in the journal, not a copy. */
export function cursorOf({ approvals, journal }: CursorPorts, run: RunRecord, progress: RunProgress, seq: number): CheckpointCursor {
  const { run_id, agent_id, conversation_id, state, title, device_id, model, sandbox_mode, workspace } = run
  const pending = approvals.pending(run.no)
  const step_id = journal.steps(run_id, { after: seq - 1, limit: 1 })[0]?.step.step_id ?? null
  return {
    run_id,
    agent_id,
    conversation_id,
    run_metadata: { state, title, device_id, model, sandbox_mode, workspace, started_at: timestamp(run.started_at) },
    run_loop_cursor: { seq, turn: progress.turn, phase: phaseOf(progress, pending.length), step_id },
    conversation_slice: { from_seq: Math.min(firstGiven(run, progress), seq), through_seq: seq },
    tool_state: { through_seq: seq, open_call_ids: progress.open.map(({ call_id }) => call_id) },
    approval_queue: pending.map(({ approval_id, call_id, prompt, asked_at }) => ({
      approval_id,
      call_id,
      tool: prompt.tool,
      seq: progress.open.find((call) => call.call_id === call_id)?.seq ?? seq,
      requested_at: timestamp(asked_at),
    })),
    memory_flush_markers: journal.flushMark(run.no),
    // Added when the checkpoint is taken: only then is it known what a restore will not restore.
    recovery_hints: [],
  }
}

export function phaseOf({ open, modelOpen }: RunProgress, pendingApprovals: number): LoopPhase {
  if (pendingApprovals > 0) return 'approval'
  if (open.length > 0) return 'tool_call'
  return modelOpen ? 'model_call' : 'between_turns'
}

/** The first step of this run that the model still gets in full; what is before it was summarized. */
function firstGiven({ no }: RunRecord, { summarizedThrough }: RunProgress): number {
  return summarizedThrough?.run === no ? summarizedThrough.seq + 1 : 0
}

export interface PlanText {
  readonly protected: readonly string[]
  readonly unprotected: readonly string[]
  readonly notes: readonly string[]
}

/** The plan as an approval shows it, with each path formatted by `written`. */
export function planText(plan: CheckpointPlan | null, background: boolean, written: (path: string) => string): PlanText {
  if (!plan) return { protected: [], unprotected: [], notes: [] }
  const unprotected = plan.unprotected.map((one) => unprotectedText({ ...one, paths: one.paths.map(written) }))
  if (hasNoRecoveryPoint(plan)) return { protected: [], unprotected, notes: [] }
  const whole = plan.kept_files === plan.files ? 'all of them with their content' : `${plan.kept_files} of them with their content`
  const folders = [plan.scope.root, ...plan.scope.folders].map(written).join(' and ')
  const scope = plan.scope.reach === 'tree' ? [`${folders}: ${plan.files} files, ${whole}`] : []
  const notes = plan.scope.opaque ? [editsNote, ...(background ? [backgroundNote] : [])] : []
  return { protected: [...scope, ...plan.protected_targets.map(written)], unprotected, notes }
}

const editsNote =
  'Changes that you make in the folder of the command while it runs cannot be distinguished from its own. A restore undoes them too; undo the restore to bring them back.'

const backgroundNote =
  'The command keeps running after the call. Its recovery point records changes until the process ends. What changes in that time is a separate group in the restore preview, and a restore leaves it untouched unless you select it.'

/** Whether the call returns immediately and leaves a command running. */
export function isBackground(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'background' in input && input.background === true
}

/** The checkpoints for the loop and the pipeline. */
export function openRunCheckpoints({
  checkpoints,
  approvals,
  journal,
  background,
  processOf,
  isRestricted,
  log,
}: CheckpointingPorts): RunCheckpoints & {
  plan(call: ReadyCall, run: Pick<CallingRun, 'workspace' | 'status'>): Promise<Planning>
} {
  /** Points that are not settled and whose calls execute something: only these may leave a process running. */
  const executing = new Set<string>()

  return {
    async plan(call, { workspace, status }) {
      const planned = await counting(status, 'Checking what can be restored', (counted) =>
        checkpoints.plan(plannedCall(call, workspace, isRestricted), { counted }),
      )
      if (planned.outcome === 'planned') return { ok: true, plan: planned.plan }
      return { ok: false, failure_contract: planned.failure_contract }
    },
    async take(run, progress, call, ready, status) {
      const planned = plannedCall(ready, run.workspace, isRestricted)
      const scope = scopeOf(planned)
      if (!scope) return null
      // A restore goes back to before the approval of the call was requested, so that it is requested again.
      const cursor = cursorOf({ approvals, journal }, run, progress, call.before ?? run.next_seq - 1)
      const { call_id, tool } = planned
      const taken = await counting(status, 'Saving a recovery point', (counted) =>
        checkpoints.take({ call_id, tool, scope }, cursor, counted),
      )
      if (taken.outcome !== 'taken') {
        const { failure_contract } = taken
        return { ok: false, failure_contract, plan: taken.outcome === 'store_full' ? taken.plan : null }
      }
      const { checkpoint_id, restore_kind, artifact_count, artifact_bytes } = taken.checkpoint
      if (scope.opaque) executing.add(checkpoint_id)
      return { ok: true, checkpoint_id, restore_kind, artifact_count, artifact_bytes, duration_ms: taken.duration_ms }
    },
    beginUnprotected({ run_id, workspace }, ready) {
      const scope = scopeOf(plannedCall(ready, workspace, isRestricted))
      if (!scope) return () => undefined
      const id = checkpoints.unprotected.begin({ run_id, workspace, scope })
      // A background command may change something until its end, which only the next start is sure of.
      return () => (processOf(ready.call_id) ? undefined : checkpoints.unprotected.end(id))
    },
    approvalsChanged({ no, run_id }) {
      if (approvals.pending(no).length > 0) checkpoints.holdForApproval(run_id)
      else checkpoints.releaseFromApproval(run_id)
    },
    async settle(checkpoint_id, call_id, failure, status) {
      const process = executing.has(checkpoint_id) ? processOf(call_id) : null
      const unsettled = process
        ? await background.follow(checkpoint_id, process)
        : await counting(status, 'Recording what changed', (counted) => checkpoints.settle(checkpoint_id, counted))
      if (unsettled) log(`checkpoint ${checkpoint_id}: ${unsettled.failure_contract.details.message}`)
      else executing.delete(checkpoint_id)
      if (failure && failure.taxonomy !== 'none') checkpoints.markFailure(checkpoint_id, failure)
      return unsettled?.failure_contract ?? null
    },
  }
}

/** Reports how many files were handled, while there is work that takes long enough to be noticed. */
async function counting<Result>(
  status: CallStatus | undefined,
  doing: string,
  work: (counted: FileCount | undefined) => Promise<Result>,
): Promise<Result> {
  if (!status) return await work(undefined)
  let isShown = false
  try {
    return await work((files, total) => {
      isShown = true
      status(`${doing}… ${total > 0 ? `${grouped(files)} of ${fileCount(total)}` : fileCount(files)}`)
    })
  } finally {
    if (isShown) status('')
  }
}

function fileCount(files: number): string {
  return `${grouped(files)} ${files === 1 ? 'file' : 'files'}`
}

export interface CheckpointingPorts {
  readonly checkpoints: Checkpoints
  readonly approvals: Approvals
  readonly journal: Pick<Journal, 'steps' | 'flushMark'>
  readonly background: Pick<BackgroundPoints, 'follow'>
  /** The background command that a call left running. */
  processOf(call_id: string): BackgroundProcess | null
  /** Whether the operating system restricts the commands of the call to what they may write. */
  isRestricted(call: ReadyCall): boolean
  log(line: string): void
}

function plannedCall(call: ReadyCall, workspace: string, isRestricted: CheckpointingPorts['isRestricted']): PlannedCall {
  const { call_id, tool, effects, input } = call
  const claims = call.writable && isRestricted(call) ? { writable: call.writable } : {}
  const planned = { call_id, tool, effects, workspace, ...claims }
  return tool === 'script.run' ? { ...planned, ...scriptOf(input as ScriptInput, workspace) } : planned
}

interface ScriptInput {
  readonly language?: unknown
  readonly source?: unknown
  readonly path?: unknown
  readonly args?: unknown
}

function scriptOf(
  { language, source, path, args }: ScriptInput,
  workspace: string,
): Pick<PlannedCall, 'script_folder' | 'args' | 'shell_source'> {
  const isShell = language === 'bash' || language === 'sh'
  return {
    ...(typeof path === 'string' ? { script_folder: dirname(resolve(workspace, path)) } : {}),
    ...(Array.isArray(args) ? { args: args.map(String) } : {}),
    ...(isShell && typeof source === 'string' ? { shell_source: source } : {}),
  }
}
