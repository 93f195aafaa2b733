// A step as it is stored, and as it was written.
import type { RunStep, ToolOutcome } from '@tandem/contract/run'
import type { Store } from '../store/store.ts'
import { markedFoldersOf, showStep } from './marked-step.ts'
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
