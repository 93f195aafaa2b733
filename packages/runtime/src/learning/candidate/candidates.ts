// The rows of policy candidates. A state changes only according to its table, in one transaction with its validation and its event.
import type { FailureContract } from '@tandem/contract/failure'
import {
  type AdvanceTrigger,
  type PolicyCandidate,
  type PolicyCandidateState,
  type PolicyCandidateTrigger,
  type PolicyCandidateValidation,
  type PolicyDivergence,
  type PolicyValidationStage,
  policyCandidateTransitions,
} from '@tandem/contract/policy-candidate'
import type { ApprovalRule } from '@tandem/contract/tool'
import { type TransitionRefusal, transition } from '@tandem/contract/transition'
import { timestamp } from '../../clock/clock.ts'
import type { Events } from '../../event/events.ts'
import type { Store } from '../../store/store.ts'
import { type NumberedDivergence, openDivergences } from './divergences.ts'
import type { EarlierCandidate } from './rule/recommend.ts'
import type { Recommended } from './rule/recommended.ts'

export interface CandidateOrigin {
  readonly reflection_id: string
  /** If a gap led to it, and not the reflection. */
  readonly gap_analysis_id?: string
  readonly run: { readonly run_id: string; readonly agent_id: string; readonly conversation_id: string }
}

/** All calls that would have been decided differently. A validation has the first of them. */
export interface Checked extends Pick<PolicyCandidateValidation, 'runs_checked' | 'calls_checked' | 'calls_unjudged'> {
  readonly divergences: readonly PolicyDivergence[]
}

/** An attempt to change the state: it changes it, or is recorded as failed. */
export interface Attempt {
  readonly trigger: AdvanceTrigger
  readonly summary: string
  readonly checked?: Checked
  readonly cause_run_id?: string | null
  readonly failure_contract?: FailureContract
}

export interface Advanced {
  readonly candidate: PolicyCandidate
  readonly validation: PolicyCandidateValidation
}

export type Moved = ({ readonly ok: true } & Advanced) | TransitionRefusal<PolicyCandidateState, PolicyCandidateTrigger>

export interface KeptRule {
  readonly tool: string
  readonly rule: ApprovalRule
}

export interface CandidateFilter {
  readonly run_id?: string
  readonly agent_id?: string
  readonly states?: readonly PolicyCandidateState[]
}

export interface Candidates {
  get(id: string): PolicyCandidate | undefined
  /** Newest first. */
  list(filter: CandidateFilter, before: string | null, limit: number): readonly PolicyCandidate[]
  /** Oldest first. */
  validations(candidate_id: string): readonly PolicyCandidateValidation[]
  /** Of one validation, in its order, after the one with this number. Undefined if there is no such validation. */
  divergences(validation_id: string, after: number, limit: number): readonly NumberedDivergence[] | undefined
  earlier(agent_id: string): readonly EarlierCandidate[]
  /** Applied as canaries and not kept, oldest first. Read for every turn and call. */
  applied(agent_id: string): readonly PolicyCandidate[]
  /** Proposed because of this gap. */
  ofGap(gap_analysis_id: string): readonly PolicyCandidate[]
  /** The same one if the reflection already has one. */
  create(recommended: Recommended, origin: CandidateOrigin): PolicyCandidate
  move(id: string, on: PolicyCandidateTrigger, attempt: Attempt & { readonly approved?: boolean }): Moved
  /** It stays in its state. */
  note(id: string, stage: PolicyValidationStage, outcome: PolicyCandidateValidation['outcome'], attempt: Attempt): Advanced
  /** Its changes are part of the policy now. `added`: the rules that were not there before. */
  adopt(id: string, added: readonly KeptRule[]): void
  /** The rules that keeping it added; null if that was not recorded. */
  keptRules(id: string): readonly KeptRule[] | null
}

type CandidateRow = Omit<PolicyCandidate, 'changes' | 'evidence' | 'widens'> & {
  readonly changes: string
  readonly evidence: string
  readonly evidence_count: number
  readonly widens: number
  readonly kept_rules: string | null
}

type ValidationRow = Omit<PolicyCandidateValidation, 'divergences' | 'failure_contract'> & {
  readonly failure: string | null
}

const stages = {
  pass_shadow: 'shadow',
  fail_shadow: 'shadow',
  prepare_canary: 'canary',
  apply_canary: 'canary',
  rollback: 'rollback',
} as const satisfies Record<PolicyCandidateTrigger, PolicyValidationStage>

const unchecked: Checked = { runs_checked: 0, calls_checked: 0, calls_unjudged: 0, divergences: [] }
/** Of a validation. The others are read page by page. */
const mostOfValidation = 200

export function openCandidateRecords(store: Store, events: Pick<Events, 'emit'>): Candidates {
  const { sql, clock, newId } = store
  const divergences = openDivergences(store)
  const appliedOf = store.kept<readonly PolicyCandidate[]>('runtime_policy_candidates')

  function get(id: string): PolicyCandidate | undefined {
    const row = sql.get<CandidateRow>`SELECT * FROM runtime_policy_candidates WHERE id = ${id}`
    return row && candidateOf(row)
  }

  function known(id: string): PolicyCandidate {
    const candidate = get(id)
    if (!candidate) throw new Error(`there is no policy candidate ${id}`)
    return candidate
  }

  function write({
    divergences: found,
    ...validation
  }: Omit<PolicyCandidateValidation, 'id' | 'created_at' | 'divergences' | 'divergence_count'> & Checked): PolicyCandidateValidation {
    const counted = { divergences: found.slice(0, mostOfValidation), divergence_count: found.length }
    const written = { id: newId(), ...validation, ...counted, created_at: timestamp(clock.now()) }
    const { candidate_id, stage, outcome, from_state, to_state, trigger, cause_run_id, failure_contract } = written
    sql.run`
      INSERT INTO runtime_policy_candidate_validations (id, candidate_id, stage, outcome, from_state, to_state, trigger, cause_run_id,
        runs_checked, calls_checked, calls_unjudged, divergence_count, summary, failure, created_at)
      VALUES (${written.id}, ${candidate_id}, ${stage}, ${outcome}, ${from_state}, ${to_state}, ${trigger}, ${cause_run_id},
        ${written.runs_checked}, ${written.calls_checked}, ${written.calls_unjudged}, ${written.divergence_count},
        ${written.summary}, ${failure_contract ? JSON.stringify(failure_contract) : null}, ${written.created_at})`
    divergences.record(written.id, found)
    return written
  }

  function validationOf({ failure, ...row }: ValidationRow): PolicyCandidateValidation {
    const first = row.divergence_count === 0 ? [] : divergences.list(row.id, 0, mostOfValidation).map(({ no: _no, ...one }) => one)
    return { ...row, divergences: first, ...(failure === null ? {} : { failure_contract: JSON.parse(failure) }) }
  }

  return {
    get,
    list({ run_id = null, agent_id = null, states }, before, limit) {
      const wanted = states === undefined ? null : JSON.stringify(states)
      const rows = sql.all<CandidateRow>`
        SELECT * FROM runtime_policy_candidates
        WHERE (${run_id} IS NULL OR run_id = ${run_id}) AND (${agent_id} IS NULL OR agent_id = ${agent_id})
          AND (${wanted} IS NULL OR state IN (SELECT value FROM json_each(${wanted}))) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`
      return rows.map(candidateOf)
    },
    validations(candidate_id) {
      const rows = sql.all<ValidationRow>`
        SELECT * FROM runtime_policy_candidate_validations WHERE candidate_id = ${candidate_id} ORDER BY id`
      return rows.map(validationOf)
    },
    divergences(validation_id, after, limit) {
      if (!sql.get`SELECT 1 FROM runtime_policy_candidate_validations WHERE id = ${validation_id}`) return undefined
      return divergences.list(validation_id, after, limit)
    },
    earlier(agent_id) {
      const rows = sql.all<Pick<CandidateRow, 'id' | 'state' | 'changes' | 'adopted_at' | 'evidence_count'>>`
        SELECT id, state, changes, adopted_at, evidence_count FROM runtime_policy_candidates WHERE agent_id = ${agent_id}`
      return rows.map((row) => ({ ...row, changes: JSON.parse(row.changes) }))
    },
    applied: (agent_id) =>
      appliedOf.get(agent_id, () => {
        const rows = sql.all<CandidateRow>`
          SELECT * FROM runtime_policy_candidates WHERE agent_id = ${agent_id} AND state = 'canary_applied' AND adopted_at IS NULL ORDER BY id`
        return rows.map(candidateOf)
      }),
    ofGap: (gap_analysis_id) =>
      sql.all<CandidateRow>`SELECT * FROM runtime_policy_candidates WHERE gap_analysis_id = ${gap_analysis_id} ORDER BY id`.map(
        candidateOf,
      ),
    create({ rule, title, rationale, changes, widens, evidence, evidence_count }, { reflection_id, gap_analysis_id = null, run }) {
      return store.transaction(() => {
        const existing = sql.get<CandidateRow>`
          SELECT * FROM runtime_policy_candidates WHERE reflection_id = ${reflection_id} AND gap_analysis_id IS NULL`
        if (existing && gap_analysis_id === null) return candidateOf(existing)
        const [id, now] = [newId(), timestamp(clock.now())]
        const { run_id, agent_id, conversation_id } = run
        const state = policyCandidateTransitions.initial
        sql.run`
          INSERT INTO runtime_policy_candidates (id, agent_id, conversation_id, run_id, reflection_id, title, rationale, changes, rule,
            evidence, evidence_count, widens, state, created_at, updated_at, version, gap_analysis_id)
          VALUES (${id}, ${agent_id}, ${conversation_id}, ${run_id}, ${reflection_id}, ${title}, ${rationale}, ${JSON.stringify(changes)},
            ${rule}, ${JSON.stringify(evidence)}, ${evidence_count}, ${widens ? 1 : 0}, ${state}, ${now}, ${now}, 1, ${gap_analysis_id})`
        const data = { candidate_id: id, reflection_id, title, state, changes: [...changes] }
        events.emit('policy_candidate_generated', { agent_id, conversation_id }, data)
        return known(id)
      })
    },
    move(id, on, { trigger, summary, checked = unchecked, cause_run_id = null, failure_contract, approved = false }) {
      return store.transaction<Moved>(() => {
        const before = known(id)
        const next = transition(policyCandidateTransitions, before.state, on)
        if (!next.ok) return next
        const now = timestamp(clock.now())
        const applies = on === 'apply_canary'
        const rolledBack = on === 'rollback'
        sql.run`
          UPDATE runtime_policy_candidates SET state = ${next.state}, updated_at = ${now}, version = version + 1,
            approved_at = coalesce(approved_at, ${approved ? now : null}),
            canary_applied_at = coalesce(canary_applied_at, ${applies ? now : null}),
            rolled_back_at = ${rolledBack ? now : null}, rollback_reason = ${rolledBack ? summary : null}
          WHERE id = ${id}`
        const validation = write({
          ...{ candidate_id: id, stage: stages[on], outcome: on === 'fail_shadow' ? 'failed' : 'passed', trigger, cause_run_id, summary },
          ...{ from_state: before.state, to_state: next.state, ...checked, ...(failure_contract ? { failure_contract } : {}) },
        })
        const candidate = known(id)
        emit(candidate, validation, on)
        return { ok: true, candidate, validation }
      })
    },
    note(id, stage, outcome, { trigger, summary, checked = unchecked, cause_run_id = null, failure_contract }) {
      return store.transaction(() => {
        const candidate = known(id)
        const { state } = candidate
        const validation = write({
          ...{ candidate_id: id, stage, outcome, from_state: state, to_state: state, trigger, cause_run_id, summary, ...checked },
          ...(failure_contract ? { failure_contract } : {}),
        })
        emit(candidate, validation, null)
        return { candidate, validation }
      })
    },
    keptRules(id) {
      const row = sql.get<Pick<CandidateRow, 'kept_rules'>>`SELECT kept_rules FROM runtime_policy_candidates WHERE id = ${id}`
      return row?.kept_rules ? JSON.parse(row.kept_rules) : null
    },
    adopt(id, added) {
      const now = timestamp(clock.now())
      sql.run`
        UPDATE runtime_policy_candidates
        SET adopted_at = ${now}, updated_at = ${now}, version = version + 1, kept_rules = ${JSON.stringify(added)}
        WHERE id = ${id} AND adopted_at IS NULL`
    },
  }

  /** `on`: null if it stays in its state. */
  function emit(candidate: PolicyCandidate, validation: PolicyCandidateValidation, on: PolicyCandidateTrigger | null): void {
    const { id: candidate_id, agent_id, conversation_id, state, changes } = candidate
    const { id: validation_id, trigger, outcome, from_state, summary, cause_run_id, failure_contract } = validation
    const about = { agent_id, ...(conversation_id === null ? {} : { conversation_id }) }
    const ids = { candidate_id, validation_id, trigger }
    // Each validation has one event. The specification has none for a canary that is prepared or kept, nor for an attempt that was refused.
    if (on === 'apply_canary') events.emit('policy_canary_applied', about, { ...ids, changes })
    else if (on === 'rollback') events.emit('policy_rollback_completed', about, { ...ids, from_state, reason: summary, cause_run_id })
    else events.emit('policy_shadow_validated', about, { ...ids, outcome, state }, failure_contract)
  }
}

function candidateOf({ evidence_count: _count, kept_rules: _rules, ...row }: CandidateRow): PolicyCandidate {
  return { ...row, changes: JSON.parse(row.changes), evidence: JSON.parse(row.evidence), widens: row.widens === 1 }
}
