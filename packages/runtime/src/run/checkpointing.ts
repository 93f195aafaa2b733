// Recovery points around the calls of a run: planned for the approval, taken before the intent, settled after the call.
import { dirname, resolve } from 'node:path'
import type { Approvals } from '../approval/approvals.ts'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { CheckpointPlan } from '../checkpoint/plan.ts'
import { type PlannedCall, scopeOf } from '../checkpoint/scope.ts'
import type { CheckpointCursor } from '../checkpoint/store.ts'
import { unprotectedText } from '../checkpoint/unprotected.ts'
import { timestamp } from '../clock/clock.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Planning, ReadyCall } from '../tools/pipeline.ts'
import type { Course } from './course.ts'
import type { RunCheckpoints } from './ports.ts'

/** Runs have no memory yet, so nothing of one was ever written out. */
const neverFlushed: CheckpointCursor['memory_flush_markers'] = { flushed_through_seq: 0, last_flush_at: null }

/** Where a run stands, as a checkpoint keeps it. Everything in it is a position in the journal, not a copy. */
export function cursorOf(run: RunRecord, course: Course, approvals: Approvals, at: { readonly seq: number }): CheckpointCursor {
  const { run_id, agent_id, conversation_id, state, title, device_id, model, sandbox_mode, workspace } = run
  return {
    run_id,
    agent_id,
    conversation_id,
    run_metadata: { state, title, device_id, model, sandbox_mode, workspace, started_at: timestamp(run.started_at) },
    run_loop_cursor: { seq: at.seq, turn: course.turn, phase: course.open.length > 0 ? 'tool_call' : 'between_turns', step_id: null },
    conversation_slice: { from_seq: 0, through_seq: at.seq },
    tool_state: { through_seq: at.seq, open_call_ids: course.open.map(({ call_id }) => call_id) },
    approval_queue: approvals.pending(run.no).map(({ approval_id, call_id, prompt, asked_at }) => ({
      approval_id,
      call_id,
      tool: prompt.tool,
      seq: course.open.find((call) => call.call_id === call_id)?.seq ?? at.seq,
      requested_at: timestamp(asked_at),
    })),
    memory_flush_markers: neverFlushed,
    recovery_hints: [],
  }
}

/** What an approval says of a plan. */
export function planText(plan: CheckpointPlan | null): { readonly protected: readonly string[]; readonly unprotected: readonly string[] } {
  if (!plan) return { protected: [], unprotected: [] }
  const whole = plan.kept_files === plan.files ? 'all of them with their content' : `${plan.kept_files} of them with their content`
  const scope = plan.scope.reach === 'tree' ? [`${plan.scope.root}: ${plan.files} files, ${whole}`] : []
  return { protected: [...scope, ...plan.protected_targets], unprotected: plan.unprotected.map(unprotectedText) }
}

/** The loop's way to the checkpoints, and the pipeline's. */
export function openRunCheckpoints({ checkpoints, approvals, log }: CheckpointingPorts): RunCheckpoints & {
  plan(call: ReadyCall, workspace: string): Promise<Planning>
} {
  return {
    async plan(call, workspace) {
      const planned = await checkpoints.plan(plannedCall(call, workspace))
      if (planned.outcome === 'planned') return { ok: true, plan: planned.plan }
      return { ok: false, failure_contract: planned.failure_contract }
    },
    async take(run, course, call, ready) {
      const planned = plannedCall(ready, run.workspace)
      const scope = scopeOf(planned)
      if (!scope) return null
      // A restore goes back to before anybody was asked about the call, so that they are asked anew.
      const cursor = cursorOf(run, course, approvals, { seq: call.before ?? run.next_seq - 1 })
      const taken = await checkpoints.take({ call_id: planned.call_id, tool: planned.tool, scope }, cursor)
      if (taken.outcome === 'failed') return { ok: false, failure_contract: taken.failure_contract }
      const { checkpoint_id, restore_kind, artifact_count, artifact_bytes } = taken.checkpoint
      return { ok: true, checkpoint_id, restore_kind, artifact_count, artifact_bytes, duration_ms: taken.duration_ms }
    },
    approvalsChanged({ no, run_id }) {
      if (approvals.pending(no).length > 0) checkpoints.holdForApproval(run_id)
      else checkpoints.releaseFromApproval(run_id)
    },
    async settle(checkpoint_id, failure) {
      const unsettled = await checkpoints.settle(checkpoint_id)
      if (unsettled) log(`checkpoint ${checkpoint_id}: ${unsettled.failure_contract.details.message}`)
      if (failure && failure.taxonomy !== 'none') checkpoints.markFailure(checkpoint_id, failure)
    },
  }
}

export interface CheckpointingPorts {
  readonly checkpoints: Checkpoints
  readonly approvals: Approvals
  log(line: string): void
}

function plannedCall({ call_id, tool, effects, input }: ReadyCall, workspace: string): PlannedCall {
  const script = tool === 'script.run' ? (input as { readonly path?: unknown }).path : undefined
  const script_folder = typeof script === 'string' ? { script_folder: dirname(resolve(workspace, script)) } : {}
  return { call_id, tool, effects, workspace, ...script_folder }
}
