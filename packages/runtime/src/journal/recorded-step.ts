// A step as it is recorded and as it is read. Paths in its fields are recorded with markers; texts, arguments and outputs are never changed.
import type { FailureContract } from '@tandem/contract/failure'
import { type MarkedFolders, markPath, rewriteEffectLine, rewritePathList, showPath } from '@tandem/contract/marked-path'
import type { ApprovalPrompt, RunStep, ToolOutcome } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { Store } from '../store/store.ts'
import type { RunRecord } from './run-record.ts'
import { type DeviceOnlyFields, type NewStep, placed } from './step.ts'

export interface JournaledStep {
  readonly step: RunStep
  readonly here: DeviceOnlyFields
}

export interface StepRow {
  readonly seq: number
  readonly step_id: string
  readonly ts: number
  readonly kind: RunStep['kind']
  readonly body: string
  readonly here: string | null
  readonly marked: number
  readonly known: number
  /** How the call ended, for the step of its result; null for others. */
  readonly outcome: ToolOutcome | null
  readonly output: string | null
  readonly output_file: string | null
  readonly truncated: number | null
  readonly failure: string | null
}

export function toStep(store: Store, run: RunRecord, row: StepRow): JournaledStep {
  if (row.known === 0) return { step: placed(run, row, { kind: 'unknown', unknown_kind: row.kind, fields: row.body }), here: {} }
  const recorded = { kind: row.kind, ...restored(row) } as NewStep
  const places = markedFoldersOf(store, run)
  // Paths recorded here by an older Tandem have no markers.
  const step = places === null || row.marked === 1 ? showStep(recorded, places) : recorded
  return { step: placed(run, row, step), here: row.here === null ? {} : JSON.parse(row.here) }
}

/** The output of a call is stored once, in its `tool_calls` record. */
function restored({ body, outcome, output, output_file, truncated, failure }: StepRow): Record<string, unknown> {
  const said = JSON.parse(body) as Record<string, unknown>
  if (outcome === null) return said
  return {
    ...said,
    outcome,
    output: JSON.parse(output ?? 'null'),
    ...(output_file === null ? {} : { output_file_id: output_file }),
    truncated: truncated === 1,
    failure_contract: failure === null ? null : JSON.parse(failure),
  }
}

interface PlacedRun {
  readonly device_id: string
  readonly workspace: string
}

/** The folders that the markers of a run stand for; null for runs of other devices. */
export function markedFoldersOf({ device_id, user_homes }: Pick<Store, 'device_id' | 'user_homes'>, run: PlacedRun): MarkedFolders | null {
  return run.device_id === device_id ? { workspace: run.workspace, homes: user_homes } : null
}

/** The maximum length of a subject in the contract. */
const longestSubject = 500

export function markFailure(failure: FailureContract, places: MarkedFolders): FailureContract {
  return withSubject(failure, (subject) => markPath(subject, places).slice(0, longestSubject))
}

/** An approval already has marked paths: only the code that creates it knows where in a line a path is. */
export function markStep(step: NewStep, places: MarkedFolders): NewStep {
  if (!('failure_contract' in step) || step.failure_contract === null) return step
  return { ...step, failure_contract: markFailure(step.failure_contract, places) }
}

export function showFailure(failure: FailureContract, places: MarkedFolders | null): FailureContract {
  return withSubject(failure, (subject) => showPath(subject, places))
}

export function showStep<Step extends NewStep | RunStep>(step: Step, places: MarkedFolders | null): Step {
  if ('failure_contract' in step && step.failure_contract !== null)
    return { ...step, failure_contract: showFailure(step.failure_contract, places) }
  return step.kind === 'approval.requested' ? { ...step, approval: showApproval(step.approval, places) } : step
}

function showApproval(approval: ApprovalPrompt, places: MarkedFolders | null): ApprovalPrompt {
  const show = (path: string) => showPath(path, places)
  return {
    ...approval,
    working_directory: approval.working_directory === null ? null : show(approval.working_directory),
    touches: approval.touches.map((line) => rewriteEffectLine(line, show)),
    protected: approval.protected.map((line) => rewritePathList(line, show)),
    unprotected: approval.unprotected.map((line) => rewritePathList(line, show)),
    remembers: approval.remembers.map((rule) => withRulePath(rule, show)),
  }
}

export function withRulePath(rule: ApprovalRule, rewrite: (path: string) => string): ApprovalRule {
  if (rule.kind === 'path') return { ...rule, path: rewrite(rule.path) }
  if (rule.kind === 'command' && rule.folder !== undefined) return { ...rule, folder: rewrite(rule.folder) }
  return rule
}

function withSubject(failure: FailureContract, rewrite: (subject: string) => string): FailureContract {
  const { subject } = failure.details
  return subject === undefined ? failure : { ...failure, details: { ...failure.details, subject: rewrite(subject) } }
}
