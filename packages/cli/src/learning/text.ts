// What runs taught, in a terminal. Summaries are made by rules; names and commands in them are untrusted.
import type { FailurePattern, OutcomeEvaluation, Reflection } from '@tandem/contract/learning'
import { type PolicyCandidate, type PolicyCandidateValidation, policyValueText } from '@tandem/contract/policy-candidate'
import { ruleText } from '../run/rule-text.ts'
import { counted, percent } from '../terminal/quantity.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'

/** `canary_ready` is "canary ready". */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

/** A kept candidate is still `canary_applied`. */
export function stateOf({ state, adopted_at }: Pick<PolicyCandidate, 'state' | 'adopted_at'>): string {
  return state === 'canary_applied' && adopted_at !== null ? 'kept' : words(state)
}

function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.round(milliseconds / 1_000)
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** All that is not perfect, the worst first. */
export function reasons({ scores }: OutcomeEvaluation): readonly string[] {
  const lost = scores.filter(({ score }) => score < 1).toSorted((one, other) => one.score - other.score)
  return lost.map(({ dimension, reason, score }) => `${words(dimension)} ${percent(score)}: ${escapeControls(reason)}`)
}

export function outcomeLines(evaluation: OutcomeEvaluation): string[] {
  const { verdict, score, trigger, evaluator, model } = evaluation
  const by = evaluator === 'model' ? `, second opinion of ${escapeControls(model ?? 'the model')}` : ''
  return [`${verdict}, ${percent(score)} (${trigger}${by})`, ...reasons(evaluation).map((line) => `  ${line}`)]
}

export function recommendationLines(reflection: Reflection): string[] {
  const { recommended_memory_writeback: memory, recommended_policy_update: policy } = reflection
  const { recommended_workflow_extraction: workflow, recommended_skill_gap_analysis: gap } = reflection
  return [
    ...(policy ? [`policy change: ${escapeControls(policy.title)}`] : []),
    ...(memory ? [`memory: ${escapeControls(memory.content)}`] : []),
    ...(workflow ? [`workflow: ${escapeControls(workflow.rationale)}`] : []),
    ...(gap ? [`${words(gap.gap_kind)}: ${escapeControls(gap.rationale)}`] : []),
  ]
}

export function patternLines(pattern: FailurePattern): string[] {
  const { id, summary, template, occurrences, runs, tokens, milliseconds, last_seen_at, examples, helped, aged } = pattern
  return [
    `${escapeControls(summary)}${aged ? ' (not seen lately)' : ''}`,
    `  ${counted(tokens, 'token')} and ${durationText(milliseconds)} after it, ${counted(occurrences, 'time')} in ${counted(runs, 'run')}, last seen ${utcMinute(last_seen_at)}`,
    ...(template === '' ? [] : [`  error: ${escapeControls(template)}`]),
    ...helped.map((one) => `  helped ${counted(one.times, 'time')}: ${escapeControls(one.summary)}`),
    ...examples
      .slice(0, 2)
      .map(({ run_id, call_id }) => `  example: run ${run_id}${call_id === null ? '' : `, call ${escapeControls(call_id)}`}`),
    `  id ${id}`,
  ]
}

export function candidateLines(candidate: PolicyCandidate): string[] {
  const { id, title, rationale, changes, widens, rollback_reason, evidence } = candidate
  const shownValue = (field: PolicyCandidate['changes'][number]['field'], json: string) =>
    escapeControls(policyValueText(field, json, ruleText))
  return [
    escapeControls(title),
    `  ${stateOf(candidate)}, ${widens ? 'ALLOWS MORE than the current policy' : 'only restricts the current policy'}, id ${id}`,
    ...(rollback_reason === null ? [] : [`  rolled back: ${escapeControls(rollback_reason)}`]),
    `  ${escapeControls(rationale)} ${counted(evidence.length, 'recorded call')} led to it.`,
    ...changes.map(
      ({ tool, field, from, to }) => `  ${escapeControls(tool)} ${words(field)}: ${shownValue(field, from)} -> ${shownValue(field, to)}`,
    ),
  ]
}

export function validationLines(validation: PolicyCandidateValidation): string[] {
  const { stage, outcome, from_state, to_state, trigger, summary, created_at, divergences, divergence_count, cause_run_id } = validation
  const state = from_state === to_state ? `stays ${words(from_state)}` : `${words(from_state)} -> ${words(to_state)}`
  return [
    `${utcMinute(created_at)}  ${stage} ${outcome}, ${words(trigger)}: ${state}`,
    `  ${escapeControls(summary)}`,
    ...(cause_run_id === null ? [] : [`  because of run ${cause_run_id}`]),
    ...divergences.slice(0, 10).map((one) => {
      const { run_id, call_id, tool, decided, would_decide } = one
      return `  ${escapeControls(tool)}: ${escapeControls(decided)}; would have been ${escapeControls(would_decide)} (run ${run_id}, call ${escapeControls(call_id)})`
    }),
    ...(divergence_count > 10 ? [`  and ${counted(divergence_count - 10, 'more call')}; --json shows all of them`] : []),
  ]
}
