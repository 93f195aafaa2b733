// The rows of recommendations. A state changes only according to its table, in one transaction with its validation and its event.
import type { FailureContract } from '@tandem/contract/failure'
import type { AdvanceTrigger } from '@tandem/contract/policy-candidate'
import type { SkillProblem } from '@tandem/contract/skill'
import {
  type CompatibilityReport,
  type RecommendationKind,
  type RecommendationStage,
  type SkillRecommendation,
  type SkillRecommendationState,
  type SkillRecommendationTrigger,
  type SkillRecommendationValidation,
  type SkillVersion,
  skillRecommendationTransitions,
} from '@tandem/contract/skill-recommendation'
import { type TransitionRefusal, transition } from '@tandem/contract/transition'
import { timestamp } from '../../../clock/clock.ts'
import type { Events } from '../../../event/events.ts'
import type { RunRecord } from '../../../journal/run-record.ts'
import { noRequirements } from '../../../skill/requirements.ts'
import type { Store } from '../../../store/store.ts'
import type { Concern } from '../rule/next-step.ts'

export type NewRecommendation = Pick<
  SkillRecommendation,
  'gap_analysis_id' | 'kind' | 'skill_name' | 'title' | 'rationale' | 'confidence'
> & { readonly run: RunRecord }

/** What a transition changes besides the state. */
export interface RecommendationChange {
  readonly kind?: RecommendationKind
  readonly skill_name?: string | null
  readonly workflow_id?: string | null
  readonly skill_path?: string | null
  readonly skill_version_id?: string
  readonly requires?: SkillRecommendation['requires']
  readonly approved?: true
  readonly concerns?: readonly Concern[]
}

export interface Attempt {
  readonly trigger: AdvanceTrigger
  readonly summary: string
  readonly cause_run_id?: string | null
  readonly compatibility?: CompatibilityReport | null
  readonly runs_checked?: number
  readonly failure_contract?: FailureContract
  /** Of a validation. */
  readonly problems?: readonly SkillProblem[]
  /** What was checked: the same is not checked again. */
  readonly checked?: string
}

export interface Advanced {
  readonly recommendation: SkillRecommendation
  readonly validation: SkillRecommendationValidation
}

export type Moved =
  | ({ readonly ok: true } & Advanced)
  | TransitionRefusal<SkillRecommendationState, SkillRecommendationTrigger>
  /** Possible in this state, but not now. */
  | { readonly ok: false; readonly code: 'not_now'; readonly message: string }

export interface RecommendationFilter {
  readonly run_id?: string
  readonly agent_id?: string
  readonly kinds?: readonly RecommendationKind[]
  readonly states?: readonly SkillRecommendationState[]
}

/** What was begun on disk. */
export type Pending = 'write' | 'remove' | 'restore'

export interface Recommendations {
  get(id: string): SkillRecommendation | undefined
  /** Newest first. */
  list(filter: RecommendationFilter, before: string | null, limit: number): readonly SkillRecommendation[]
  /** Oldest first. */
  validations(id: string): readonly SkillRecommendationValidation[]
  concernsOf(id: string): readonly Concern[]
  /** The latest validation that failed in the current state, with what was checked. */
  lastFailure(id: string): { readonly summary: string; readonly checked: string | null } | null
  names(): readonly string[]
  create(recommendation: NewRecommendation): SkillRecommendation
  move(
    id: string,
    on: SkillRecommendationTrigger,
    attempt: Attempt,
    change?: RecommendationChange & { readonly version?: SkillVersion },
  ): Moved
  /** It stays in its state. */
  note(id: string, stage: RecommendationStage, outcome: SkillRecommendationValidation['outcome'], attempt: Attempt): Advanced
  /** Its text was changed by hand, or stored. */
  setVersion(id: string, skill_version_id: string): void
  setAsks(id: string, asks: string | null): void
  setPending(id: string, pending: Pending | null): void
  pending(): readonly { readonly id: string; readonly pending: Pending }[]
}

type RecommendationRow = Omit<SkillRecommendation, 'requires'> & {
  readonly requires: string
  readonly concerns: string
  readonly pending: Pending | null
}
type ValidationRow = Omit<SkillRecommendationValidation, 'compatibility' | 'failure_contract'> & {
  readonly compatibility: string | null
  readonly failure: string | null
  readonly checked: string | null
}

const stages = {
  generate_draft: 'draft',
  validate: 'validation',
  prepare_shadow: 'shadow',
  apply_shadow: 'shadow',
  prepare_canary: 'shadow',
  apply_canary: 'canary',
  promote_to_live: 'live',
  rollback: 'rollback',
  retire: 'retirement',
} as const satisfies Record<SkillRecommendationTrigger, RecommendationStage>

export function openRecommendations(store: Store, events: Pick<Events, 'emit'>): Recommendations {
  const { sql, clock, newId } = store

  function get(id: string): SkillRecommendation | undefined {
    const row = sql.get<RecommendationRow>`SELECT * FROM runtime_skill_recommendations WHERE id = ${id}`
    return row && toRecommendation(row)
  }

  function known(id: string): SkillRecommendation {
    const found = get(id)
    if (!found) throw new Error(`there is no recommendation ${id}`)
    return found
  }

  function write(
    recommendation_id: string,
    place: Pick<SkillRecommendationValidation, 'stage' | 'outcome' | 'from_state' | 'to_state'>,
    attempt: Attempt,
  ): SkillRecommendationValidation {
    const { trigger, summary, cause_run_id = null, compatibility = null, runs_checked = 0, failure_contract, checked = null } = attempt
    const about = { trigger, cause_run_id, compatibility, runs_checked, summary, ...(failure_contract ? { failure_contract } : {}) }
    const written = { id: newId(), recommendation_id, ...place, ...about, created_at: timestamp(clock.now()) }
    sql.run`
      INSERT INTO runtime_skill_recommendation_validations (id, recommendation_id, stage, outcome, from_state, to_state, trigger, cause_run_id,
        compatibility, runs_checked, summary, failure, created_at, checked)
      VALUES (${written.id}, ${recommendation_id}, ${place.stage}, ${place.outcome}, ${place.from_state}, ${place.to_state}, ${trigger},
        ${cause_run_id}, ${compatibility && JSON.stringify(compatibility)}, ${runs_checked}, ${summary},
        ${failure_contract ? JSON.stringify(failure_contract) : null}, ${written.created_at}, ${checked})`
    return written
  }

  function change(id: string, { requires, concerns, ...changed }: RecommendationChange, now: string): void {
    const before = known(id)
    const { kind, skill_name, workflow_id, skill_path, skill_version_id } = { ...before, ...changed }
    sql.run`
      UPDATE runtime_skill_recommendations SET kind = ${kind}, skill_name = ${skill_name}, workflow_id = ${workflow_id},
        skill_path = ${skill_path}, skill_version_id = ${skill_version_id}, requires = ${JSON.stringify(requires ?? before.requires)},
        approved_at = ${before.approved_at ?? (changed.approved ? now : null)}, updated_at = ${now}
      WHERE id = ${id}`
    if (concerns) sql.run`UPDATE runtime_skill_recommendations SET concerns = ${JSON.stringify(concerns)} WHERE id = ${id}`
  }

  return {
    get,
    list({ run_id = null, agent_id = null, kinds, states }, before, limit) {
      const [ofKind, ofState] = [kinds, states].map((wanted) => (wanted === undefined ? null : JSON.stringify(wanted)))
      return sql.all<RecommendationRow>`
        SELECT * FROM runtime_skill_recommendations
        WHERE (${run_id} IS NULL OR run_id = ${run_id}) AND (${agent_id} IS NULL OR agent_id = ${agent_id})
          AND (${ofKind ?? null} IS NULL OR kind IN (SELECT value FROM json_each(${ofKind ?? null})))
          AND (${ofState ?? null} IS NULL OR state IN (SELECT value FROM json_each(${ofState ?? null})))
          AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`.map(toRecommendation)
    },
    validations: (id) =>
      sql.all<ValidationRow>`
        SELECT * FROM runtime_skill_recommendation_validations WHERE recommendation_id = ${id} ORDER BY id`.map(toValidation),
    concernsOf(id) {
      const row = sql.get<{ concerns: string }>`SELECT concerns FROM runtime_skill_recommendations WHERE id = ${id}`
      return JSON.parse(row?.concerns ?? '[]')
    },
    lastFailure(id) {
      const row = sql.get<Pick<ValidationRow, 'outcome' | 'summary' | 'checked' | 'to_state'>>`
        SELECT outcome, summary, checked, to_state FROM runtime_skill_recommendation_validations
        WHERE recommendation_id = ${id} ORDER BY id DESC LIMIT 1`
      return row?.outcome === 'failed' && row.to_state === known(id).state ? { summary: row.summary, checked: row.checked } : null
    },
    names: () =>
      sql.all<{ skill_name: string }>`
        SELECT DISTINCT skill_name FROM runtime_skill_recommendations WHERE skill_name IS NOT NULL`.map(({ skill_name }) => skill_name),
    create({ run, gap_analysis_id, kind, skill_name, title, rationale, confidence }) {
      const { run_id, agent_id, conversation_id } = run
      return store.transaction(() => {
        const [id, now] = [newId(), timestamp(clock.now())]
        const state = skillRecommendationTransitions.initial
        sql.run`
          INSERT INTO runtime_skill_recommendations (id, run_id, agent_id, conversation_id, gap_analysis_id, kind, skill_name, title, rationale,
            state, binding_policy, requires, confidence, created_at, updated_at, version, concerns)
          VALUES (${id}, ${run_id}, ${agent_id}, ${conversation_id}, ${gap_analysis_id}, ${kind}, ${skill_name}, ${title}, ${rationale},
            ${state}, 'on_demand', ${JSON.stringify(noRequirements)}, ${confidence}, ${now}, ${now}, 1, '[]')`
        const data = { recommendation_id: id, gap_analysis_id, kind, skill_name, workflow_id: null, state }
        events.emit('skill_recommendation_generated', { run }, data)
        return known(id)
      })
    },
    move(id, on, attempt, { version, ...changed } = {}) {
      return store.transaction<Moved>(() => {
        const before = known(id)
        const next = transition(skillRecommendationTransitions, before.state, on)
        if (!next.ok) return next
        const now = timestamp(clock.now())
        const reason = on === 'rollback' ? attempt.summary : before.rollback_reason
        sql.run`
          UPDATE runtime_skill_recommendations SET state = ${next.state}, version = version + 1, asks = NULL, rollback_reason = ${reason}
          WHERE id = ${id}`
        change(id, changed, now)
        const validation = write(id, { stage: stages[on], outcome: 'passed', from_state: before.state, to_state: next.state }, attempt)
        const recommendation = known(id)
        emit(recommendation, validation, on, attempt, version)
        return { ok: true, recommendation, validation }
      })
    },
    note(id, stage, outcome, attempt) {
      return store.transaction(() => {
        const recommendation = known(id)
        const { state } = recommendation
        const validation = write(id, { stage, outcome, from_state: state, to_state: state }, attempt)
        if (stage === 'validation' || stage === 'canary') emit(recommendation, validation, 'validate', attempt)
        if (stage === 'shadow') emit(recommendation, validation, 'prepare_canary', attempt)
        return { recommendation, validation }
      })
    },
    setVersion: (id, skill_version_id) => change(id, { skill_version_id }, timestamp(clock.now())),
    setAsks: (id, asks) =>
      void sql.run`UPDATE runtime_skill_recommendations SET asks = ${asks}, version = version + 1 WHERE id = ${id} AND asks IS NOT ${asks}`,
    setPending: (id, pending) => void sql.run`UPDATE runtime_skill_recommendations SET pending = ${pending} WHERE id = ${id}`,
    pending: () =>
      sql.all<{
        id: string
        pending: Pending
      }>`SELECT id, pending FROM runtime_skill_recommendations WHERE pending IS NOT NULL ORDER BY id`,
  }

  function emit(
    { id: recommendation_id, agent_id, conversation_id, skill_name, workflow_id, state, skill_version_id }: SkillRecommendation,
    {
      id: validation_id,
      trigger,
      outcome,
      from_state,
      summary,
      cause_run_id,
      runs_checked,
      failure_contract,
    }: SkillRecommendationValidation,
    on: SkillRecommendationTrigger,
    { problems = [] }: Attempt,
    version?: SkillVersion,
  ): void {
    const about = { agent_id, conversation_id }
    const ids = { recommendation_id, validation_id, skill_name, workflow_id, trigger }
    if (on === 'generate_draft' && version) {
      const { id, skill_path, content_sha256 } = version
      events.emit('skill_draft_generated', about, { ...ids, skill_version_id: id, skill_path, content_sha256 })
    }
    // The specification has no events for a shadow that begins; each of these steps is recorded as a validation.
    if (on === 'validate' || on === 'prepare_shadow' || on === 'apply_shadow')
      events.emit('skill_validation_completed', about, { ...ids, outcome, state, problems: [...problems] }, failure_contract)
    if (on === 'prepare_canary') events.emit('skill_shadow_run_completed', about, { ...ids, outcome, state, runs_checked })
    if (on === 'apply_canary') events.emit('skill_canary_applied', about, { ...ids, skill_version_id })
    if (on === 'promote_to_live') events.emit('skill_promoted_to_live', about, { ...ids, skill_version_id })
    if (on === 'rollback') events.emit('skill_rollback_completed', about, { ...ids, from_state, reason: summary, cause_run_id })
    if (on === 'retire') events.emit('skill_retired', about, { ...ids, from_state, reason: summary })
  }
}

function toRecommendation({ concerns: _concerns, pending: _pending, ...row }: RecommendationRow): SkillRecommendation {
  return { ...row, requires: JSON.parse(row.requires) }
}

function toValidation({ compatibility, failure, checked: _checked, ...row }: ValidationRow): SkillRecommendationValidation {
  return {
    ...row,
    compatibility: compatibility === null ? null : JSON.parse(compatibility),
    ...(failure === null ? {} : { failure_contract: JSON.parse(failure) }),
  }
}
