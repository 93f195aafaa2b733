// The names of the specification, and of the shapes that cross devices, that nothing in this version implements or writes yet. The list only
// shrinks: packages/runtime/test/conformance.test.ts fails when a listed name is built, and when a name that is not listed is missing.
import type { CommandName } from '../command/index.ts'
import type { EventName } from '../event/index.ts'
import type { FailureStage } from '../failure/index.ts'
import type { ApprovalAnswer, MessageAuthor, PauseReason, StepKind } from '../run/index.ts'
import type { StoreName } from '../store/index.ts'
import type { BuiltinToolName } from '../tool/index.ts'
import type { WorkflowRunEventKind } from '../workflow-run/index.ts'

interface NotBuilt {
  readonly tools: readonly BuiltinToolName[]
  readonly commands: readonly CommandName[]
  readonly events: readonly EventName[]
  readonly stores: readonly StoreName[]
  /** From here on: accepted, stored, forwarded and shown, but not written by this version. */
  readonly step_kinds: readonly StepKind[]
  readonly workflow_event_kinds: readonly WorkflowRunEventKind[]
  readonly message_authors: readonly MessageAuthor[]
  readonly pause_reasons: readonly PauseReason[]
  readonly approval_answers: readonly ApprovalAnswer[]
  readonly failure_stages: readonly FailureStage[]
}

export const notBuilt: NotBuilt = {
  tools: [],
  commands: [],
  events: [],
  stores: [],
  step_kinds: [],
  workflow_event_kinds: [],
  message_authors: [],
  pause_reasons: [],
  approval_answers: [],
  failure_stages: ['memory', 'knowledge'],
}

export type BuiltSubject = keyof NotBuilt

export function isBuilt(subject: BuiltSubject, name: string): boolean {
  return !(notBuilt[subject] as readonly string[]).includes(name)
}
