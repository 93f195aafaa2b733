// What a model is asked about a run, and what its answer may name. Pure. Both consist of fields of the records and of sentences of our own:
// what a program or a page wrote is in neither, not even with its variable parts removed, so it cannot speak to the model.
import { describe } from '../pattern/description.ts'
import type { FailureFact } from '../pattern/failures.ts'
import type { Outcome } from '../rule/outcome.ts'
import { rootCause } from '../rule/reflect.ts'
import { type CallFact, isFailedCall, type JudgedRun } from '../rule/run-facts.ts'

export interface Question {
  readonly text: string
  /** The ids of the calls of the run. */
  readonly calls: ReadonlySet<string>
  /** The fields that an answer may take names from. */
  readonly evidence: readonly string[]
}

export interface AskedAbout {
  readonly facts: JudgedRun
  /** By rules. */
  readonly outcome: Outcome
  readonly failures: readonly FailureFact[]
  readonly root: FailureFact | null
  /** The last failure that was repaired. */
  readonly repaired: FailureFact | null
}

const mostCalls = 60

export function questionAbout(about: AskedAbout): Question {
  const { facts, outcome } = about
  const { trigger, turns, corrected, open_todos, calls } = facts
  const root_cause = causeText(about)
  const asked = {
    ...{ ended: trigger, turns, corrected_by_user: corrected, open_todos },
    calls: calls.slice(-mostCalls).map(callOf),
    ...{ evaluation: outcome.scores, root_cause },
  }
  return { text: JSON.stringify(asked), calls: new Set(calls.map(({ call_id }) => call_id)), evidence: evidenceOf(about, root_cause) }
}

/** As the reflection says it, without the text of the error. */
function causeText({ facts, root, repaired }: AskedAbout): string {
  const failure = root ?? repaired
  return rootCause(facts, failure && { summary: describe(failure).summary, repaired: failure.repair !== null })
}

function callOf(call: CallFact) {
  const { call_id, tool, outcome, command, failure_contract, approval } = call
  return {
    ...{ call_id, tool, outcome, failed: isFailedCall(call) },
    ...(command ? { exit_code: command.exit_code, timed_out: command.timed_out } : {}),
    ...(failure_contract ? { stage: failure_contract.stage, reason_code: failure_contract.reason_code } : {}),
    ...(approval ? { answer: approval.answer, edited: approval.edited } : {}),
  }
}

function evidenceOf({ facts, outcome, failures }: AskedAbout, root_cause: string): readonly string[] {
  const { calls, failure_contract, errors } = facts
  const contracts = [failure_contract, ...errors.map((error) => error.failure_contract), ...calls.map((call) => call.failure_contract)]
  return [
    root_cause,
    ...outcome.scores.map(({ reason }) => reason),
    ...calls.flatMap(({ tool, command }) => [tool, command?.exit_code === undefined ? '' : `exit code ${command.exit_code}`]),
    ...failures.flatMap(({ program }) => program ?? []),
    ...contracts.flatMap((contract) => (contract ? [contract.reason_code, contract.stage, contract.source] : [])),
    `${calls.length} calls, ${facts.turns} turns, ${facts.open_todos} todos, ${facts.restores} restores`,
  ]
}
