// The commands of policy candidates. All of them come from a person.
import type { PolicyCandidate, PolicyCandidateState, PolicyValidationStage } from '@tandem/contract/policy-candidate'
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import { visibleText } from '@tandem/contract/text'
import type { CommandTable } from '../../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../../feature/cursor.ts'
import { agentNotFound } from '../../feature/not-found.ts'
import type { Outcome, Rejection } from '../../feature/outcome.ts'
import type { Advanced, Candidates } from './candidates.ts'
import type { CandidateLifecycle, LifecycleOutcome } from './lifecycle.ts'

export interface CandidateCommandPorts {
  readonly candidates: Candidates
  readonly lifecycle: CandidateLifecycle
  readonly agents: { get(agent_id: string): unknown }
  /** The same round for the recommendations of skills. */
  advanceSkills(agent_id: string | null): Promise<readonly SkillRecommendation[]>
}

export function candidateHandlers({ candidates, lifecycle, agents, advanceSkills }: CandidateCommandPorts): CommandTable {
  function advanced(id: string, action: CandidateAction, outcome: LifecycleOutcome): Outcome<Advanced> {
    if (outcome.ok) return { ok: true, value: { candidate: outcome.candidate, validation: outcome.validation } }
    const candidate = candidates.get(id)
    if (!candidate) return candidateNotFound(id)
    // One that was overtaken was rolled back: that is recorded.
    if (outcome.code !== 'overtaken') {
      const { stage, notDone } = refusals[action]
      const summary = `${notDone}: it is ${wordsOf(candidate.state)}. ${remedyFor(candidate, outcome)}`
      candidates.note(id, stage, 'failed', { trigger: 'command', summary })
    }
    return refused(candidate, outcome)
  }

  function withCandidate<Value>(id: string, act: (candidate: PolicyCandidate) => Value): Value | Rejection {
    const candidate = candidates.get(id)
    return candidate ? act(candidate) : candidateNotFound(id)
  }

  return {
    agent_run_list_policy_candidates({ run_id, agent_id, states, ...paging }) {
      const list = 'agent_run_list_policy_candidates'
      const from = positionOf(list, paging, ['string'])
      if (!from.ok) return from
      const filter = {
        ...(run_id === undefined ? {} : { run_id }),
        ...(agent_id === undefined ? {} : { agent_id }),
        ...(states === undefined ? {} : { states }),
      }
      const [before = null] = from.value ?? []
      const found = candidates.list(filter, before === null ? null : String(before), limitOf(paging) + 1)
      return { ok: true, value: pageOf(list, found, ({ id }) => [id], paging) }
    },
    agent_run_get_policy_candidate: ({ candidate_id }) =>
      withCandidate(candidate_id, (candidate) => ({
        ok: true as const,
        value: { candidate, validations: [...candidates.validations(candidate_id)] },
      })),
    agent_run_validate_policy_candidate_shadow: ({ candidate_id }) =>
      withCandidate(candidate_id, async () => advanced(candidate_id, 'validate', await lifecycle.validate(candidate_id, 'command'))),
    agent_run_prepare_policy_candidate_canary: ({ candidate_id }) =>
      withCandidate(candidate_id, () => advanced(candidate_id, 'prepare', lifecycle.prepare(candidate_id, 'command'))),
    agent_run_apply_policy_candidate_canary: ({ candidate_id }) =>
      withCandidate(candidate_id, () => advanced(candidate_id, 'apply', lifecycle.apply(candidate_id, 'command', { by_person: true }))),
    agent_run_rollback_policy_candidate: ({ candidate_id, reason }) =>
      withCandidate(candidate_id, () => {
        const summary = reason.trim() === '' ? 'You rolled it back.' : reason
        return advanced(candidate_id, 'rollback', lifecycle.rollback(candidate_id, { trigger: 'command', summary }))
      }),
    learning_keep_policy_candidate: ({ candidate_id }) =>
      withCandidate(candidate_id, () => {
        const kept = advanced(candidate_id, 'keep', lifecycle.keep(candidate_id))
        return kept.ok ? { ok: true as const, value: { candidate: kept.value.candidate } } : kept
      }),
    learning_list_policy_divergences({ validation_id, ...paging }) {
      const list = 'learning_list_policy_divergences'
      const from = positionOf(list, paging, ['number'])
      if (!from.ok) return from
      const found = candidates.divergences(validation_id, Number(from.value?.[0] ?? 0), limitOf(paging) + 1)
      if (!found) return validationNotFound(validation_id)
      const { items, next_cursor } = pageOf(list, found, ({ no }) => [no], paging)
      return { ok: true, value: { items: items.map(({ no: _no, ...divergence }) => divergence), next_cursor } }
    },
    async learning_advance_candidates({ agent_id }) {
      if (agent_id !== undefined && !agents.get(agent_id)) return agentNotFound(agent_id)
      const changed = await lifecycle.advance(agent_id ?? null, 'command')
      const skills = await advanceSkills(agent_id ?? null)
      return { ok: true, value: { policy_candidates: [...changed], skill_recommendations: [...skills] } }
    },
  }
}

function candidateNotFound(id: string): Rejection {
  const remedy = 'Choose one from the list of candidates.'
  return { ok: false, code: 'not_found', message: `there is no policy candidate ${id}`, remedy }
}

function validationNotFound(id: string): Rejection {
  const remedy = 'Choose one from the history of a candidate.'
  return { ok: false, code: 'not_found', message: `there is no validation ${id} of a policy candidate`, remedy }
}

type CandidateAction = 'validate' | 'prepare' | 'apply' | 'keep' | 'rollback'

/** How an attempt that the state does not allow is recorded. */
const refusals: Readonly<Record<CandidateAction, { readonly stage: PolicyValidationStage; readonly notDone: string }>> = {
  validate: { stage: 'shadow', notDone: 'It was not tested' },
  prepare: { stage: 'canary', notDone: 'Its trial was not prepared' },
  apply: { stage: 'canary', notDone: 'It was not applied' },
  keep: { stage: 'canary', notDone: 'It was not kept' },
  rollback: { stage: 'rollback', notDone: 'It was not rolled back' },
}

function wordsOf(state: PolicyCandidateState): string {
  return state.replaceAll('_', ' ')
}

/** What can be done in each state. */
const remedies: Readonly<Record<PolicyCandidateState, string>> = {
  shadow_pending: 'Test it on recorded calls first.',
  shadow_passed: 'Prepare its canary, or roll it back.',
  shadow_failed: 'It cannot be used any more. A new candidate is proposed if there is twice as much evidence.',
  canary_ready: 'Apply it, or roll it back.',
  canary_applied: 'Keep it, or roll it back.',
  rolled_back: 'It cannot be used any more. A new candidate is proposed if there is twice as much evidence.',
}

function remedyFor({ state }: PolicyCandidate, { code }: Extract<LifecycleOutcome, { ok: false }>): string {
  // Applied by a version that did not notice that it allows more.
  if (code === 'needs_approval' && state === 'canary_applied') return 'Roll it back. To allow more, change the policy of the tool.'
  return remedies[state]
}

function refused(candidate: PolicyCandidate, outcome: Extract<LifecycleOutcome, { ok: false }>): Rejection {
  const { id, state, title } = candidate
  const subject = `policy candidate ${id} (${visibleText(title)}) is ${wordsOf(state)}`
  switch (outcome.code) {
    case 'transition_refused':
      return { ok: false, code: 'transition_refused', message: `${subject}: ${outcome.message}`, remedy: remedies[state] }
    case 'not_applied':
      return {
        ok: false,
        code: 'transition_refused',
        message: `${subject}: only an applied candidate can be kept`,
        remedy: remedies[state],
      }
    case 'needs_approval':
      return {
        ok: false,
        code: 'transition_refused',
        message: `${subject}: it allows more and needs your approval`,
        remedy: remedyFor(candidate, outcome),
      }
    case 'overtaken':
      return { ok: false, code: 'version_conflict', message: `${subject}: ${outcome.message}`, remedy: remedies[state] }
  }
}
