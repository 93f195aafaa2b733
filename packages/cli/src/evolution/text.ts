// Recommendations in a terminal. Titles, texts and requests are untrusted.
import type { CommandResult } from '@tandem/contract/command'
import type { BehaviorTrace, SkillGapAnalysis } from '@tandem/contract/learning'
import type { CanaryGroup, SkillRecommendation, SkillRecommendationValidation } from '@tandem/contract/skill-recommendation'
import { words } from '../learning/text.ts'
import { counted, percent } from '../terminal/quantity.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'

type Shown = CommandResult<'skill_get_recommendation'>

/** What was found in a run. */
export function foundText({ tool_sequences, repeated_constraints, manual_remediations }: BehaviorTrace): string {
  const found = [
    ...tool_sequences.map(({ tools, repetitions }) => `${tools.join(', ')} (${counted(repetitions, 'time')})`),
    ...repeated_constraints.map(({ constraint, repetitions }) => `"${constraint}" (${counted(repetitions, 'time')})`),
    ...manual_remediations.map(({ kind, summary }) => `${words(kind)}: ${summary}`),
  ]
  return found.length === 0 ? 'nothing that repeats' : singleLine(found.join('; '), 200)
}

/** What came of a gap, with the id by which it is decided about. */
export function resultText({ recommendation_id, led_to }: Pick<SkillGapAnalysis, 'recommendation_id' | 'led_to'>): string {
  if (recommendation_id !== null) return `recommendation ${recommendation_id}`
  switch (led_to?.kind) {
    case undefined:
      return '-'
    case 'memory':
    case 'policy':
      return `${led_to.kind} candidate ${led_to.candidate_id} (${words(led_to.state)})`
    case 'source':
      return `source ${singleLine(led_to.path, 200)} (${led_to.source_id === null ? 'proposed' : 'added'})`
    case 'nothing':
      return 'nothing'
  }
}

/** `skill release`, or `workflow`. */
export function subjectOf({ kind, skill_name }: Pick<SkillRecommendation, 'kind' | 'skill_name'>): string {
  return kind === 'workflow' ? 'workflow' : `${kind === 'bind_existing_skill' ? 'existing skill' : 'skill'} ${skill_name ?? ''}`.trim()
}

export function recommendationLines(recommendation: SkillRecommendation): string[] {
  const { id, title, state, rationale, confidence, asks, rollback_reason, skill_path, workflow_id } = recommendation
  return [
    escapeControls(title),
    `  ${words(state)}, ${subjectOf(recommendation)}, confidence ${percent(confidence)}, id ${id}`,
    ...(asks === null ? [] : [`  NEEDS YOU: ${escapeControls(asks)}`]),
    ...(rollback_reason === null ? [] : [`  rolled back: ${escapeControls(rollback_reason)}`]),
    `  ${escapeControls(rationale)}`,
    ...(skill_path === null ? [] : [`  file: ${escapeControls(skill_path)}`]),
    ...(workflow_id === null ? [] : [`  workflow: ${workflow_id}`]),
  ]
}

export function shownLines({ recommendation, skill_version, evidence, matched_runs, groups, actions, validations }: Shown): string[] {
  const report = validations.findLast(({ compatibility }) => compatibility !== null)?.compatibility
  const possible = actions.filter((one) => one.possible)
  return [
    ...recommendationLines(recommendation),
    ...section(
      'evidence',
      evidence.map(({ run_id, day, request }) => `${day}  run ${run_id}  ${singleLine(request ?? '', 120)}`.trimEnd()),
    ),
    ...section('text', skill_version ? escapeControls(skill_version.content).trimEnd().split('\n') : []),
    ...section(
      'runs on this device',
      report
        ? [
            report.compatible ? 'yes' : 'no',
            ...report.checks.flatMap((check) => (check.result === 'not_required' ? [] : [checkText(check)])),
          ]
        : [],
    ),
    ...section('canary', [groupText('with it', groups.with), groupText('without it', groups.without)]),
    ...section('matched runs', matched_runs.map(matchedText)),
    ...section('actions', [
      `possible now: ${possible.length === 0 ? 'none' : possible.map(({ action }) => verbOf[action]).join(', ')}`,
      ...actions.flatMap(({ action, because, possible: is }) => (is ? [] : [`${verbOf[action]}: ${escapeControls(because ?? '')}`])),
    ]),
    ...section('history', validations.flatMap(validationLines)),
  ]
}

/** The action of `tandem evolution` that does it. */
const verbOf = {
  generate_draft: 'draft',
  validate: 'validate',
  prepare_shadow: 'prepare-shadow',
  apply_shadow: 'shadow',
  prepare_canary: 'prepare-canary',
  apply_canary: 'canary',
  promote_to_live: 'promote',
  rollback: 'rollback',
  retire: 'retire',
} as const satisfies Record<Shown['actions'][number]['action'], string>

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)]
}

function checkText(
  check: Extract<NonNullable<SkillRecommendationValidation['compatibility']>['checks'][number], { result: 'passed' | 'failed' }>,
) {
  const why = check.result === 'passed' ? check.because : check.problems.map(({ title, hint }) => `${title}. ${hint}`).join(' ')
  return `${words(check.check)} ${check.result}: ${escapeControls(why)}`
}

function groupText(name: string, { runs, open_runs, score, safety, turns }: CanaryGroup): string {
  const facts = [
    ...(open_runs === 0 ? [] : [`${open_runs} open`]),
    ...(score === null ? [] : [`mean outcome ${percent(score)}`]),
    ...(safety === null ? [] : [`safety ${percent(safety)}`]),
    ...(turns === null ? [] : [`${turns.toFixed(1)} turns per run`]),
  ]
  return [`${name}: ${counted(runs, 'ended run')}`, ...facts].join(', ')
}

function matchedText({ run_id, stage, group, score, closeness, outcome }: Shown['matched_runs'][number]): string {
  const facts = [
    `${stage}${group === null ? '' : ` ${group} it`}`,
    `fits ${percent(score)}`,
    ...(closeness === null ? [] : [`${percent(closeness)} of its steps`]),
    outcome === null ? 'not ended' : `outcome ${percent(outcome.score)} in ${counted(outcome.turns, 'turn')}`,
  ]
  return `run ${run_id}  ${facts.join(', ')}`
}

function validationLines(validation: SkillRecommendationValidation): string[] {
  const { stage, outcome, from_state, to_state, trigger, summary, created_at, cause_run_id } = validation
  const state = from_state === to_state ? `stays ${words(from_state)}` : `${words(from_state)} -> ${words(to_state)}`
  return [
    `${utcMinute(created_at)}  ${stage} ${outcome}, ${words(trigger)}: ${state}`,
    `  ${escapeControls(summary)}`,
    ...(cause_run_id === null ? [] : [`  because of run ${cause_run_id}`]),
  ]
}
