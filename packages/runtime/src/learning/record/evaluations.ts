// How runs went: one evaluation by rules for each end and each restore, and possibly a second opinion.
import type { CommandResult } from '@tandem/contract/command'
import type { OutcomeEvaluation, OutcomeVerdict } from '@tandem/contract/learning'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'
import { type Outcome, tokensOf } from '../rule/outcome.ts'
import type { RunFacts } from '../rule/run-facts.ts'

export type DroppedOpinion = NonNullable<CommandResult<'learning_of_run'>['dropped_opinion']>

export interface EvaluationFilter {
  readonly agent_id?: string
  readonly run_id?: string
  readonly verdict?: OutcomeVerdict
  readonly since?: string
}

export interface Evaluations {
  /** By rules; null if this step has been evaluated. */
  add(facts: RunFacts, outcome: Outcome): OutcomeEvaluation | null
  /** A second opinion; null if there is one. */
  addOpinion(facts: RunFacts, outcome: Outcome, model: string): OutcomeEvaluation | null
  /** What a model answered about the evaluated step was not used. */
  dropOpinion(id: string, dropped: DroppedOpinion): void
  droppedOpinion(id: string): DroppedOpinion | null
  /** What became known later: the user corrected the run. */
  revise(id: string, outcome: Outcome): void
  get(id: string): OutcomeEvaluation | undefined
  ofStep(step_id: string, evaluator: OutcomeEvaluation['evaluator']): OutcomeEvaluation | undefined
  /** The latest of a run by rules. */
  ofRun(run_id: string): OutcomeEvaluation | undefined
  /** The latest by rules of the run before this one in its conversation. */
  before(run: { readonly conversation: number; readonly no: number }): OutcomeEvaluation | undefined
  /** Newest first. */
  page(filter: EvaluationFilter, before: string | null, limit: number): readonly OutcomeEvaluation[]
  /** The medians of the agent's latest runs, without this step; null if there are too few. */
  usual(agent_id: string, step_id: string): RunFacts['usual']
}

interface EvaluationRow extends Omit<OutcomeEvaluation, 'scores' | 'failure_contract'> {
  readonly scores: string
  readonly failure: string | null
  readonly tokens: number
  readonly duration_ms: number
  readonly turns: number
  readonly dropped_opinion: string | null
}

/** Fewer say nothing about what is usual; older ones no longer do. */
const [fewestRuns, mostRuns] = [5, 50]

export function openEvaluations({ sql, newId }: Pick<Store, 'sql' | 'newId'>): Evaluations {
  const ofStep: Evaluations['ofStep'] = (step_id, evaluator) => {
    const row = sql.get<EvaluationRow>`
      SELECT * FROM runtime_outcome_evaluations WHERE step_id = ${step_id} AND evaluator = ${evaluator}`
    return row && toEvaluation(row)
  }

  function insert(facts: RunFacts, outcome: Outcome, model: string | null): OutcomeEvaluation | null {
    const evaluator = model === null ? 'rules' : 'model'
    if (ofStep(facts.step_id, evaluator)) return null
    const { run_id, agent_id, conversation_id, step_id, trigger, failure_contract } = facts
    const { verdict, score, scores } = outcome
    sql.run`
      INSERT INTO runtime_outcome_evaluations (id, run_id, agent_id, conversation_id, step_id, trigger, verdict, score, scores, evaluator, model,
        failure, created_at, tokens, duration_ms, turns)
      VALUES (${newId()}, ${run_id}, ${agent_id}, ${conversation_id}, ${step_id}, ${trigger}, ${verdict}, ${score}, ${JSON.stringify(scores)},
        ${evaluator}, ${model}, ${failure_contract ? JSON.stringify(failure_contract) : null}, ${timestamp(facts.ended_at)},
        ${tokensOf(facts.usage)}, ${facts.duration_ms}, ${facts.turns})`
    return ofStep(step_id, evaluator) ?? null
  }

  const ofRun: Evaluations['ofRun'] = (run_id) => {
    const row = sql.get<EvaluationRow>`
      SELECT * FROM runtime_outcome_evaluations WHERE run_id = ${run_id} AND evaluator = 'rules' ORDER BY id DESC LIMIT 1`
    return row && toEvaluation(row)
  }

  return {
    get(id) {
      const row = sql.get<EvaluationRow>`SELECT * FROM runtime_outcome_evaluations WHERE id = ${id}`
      return row && toEvaluation(row)
    },
    ofStep,
    ofRun,
    add: (facts, outcome) => insert(facts, outcome, null),
    addOpinion: (facts, outcome, model) => insert(facts, outcome, model),
    dropOpinion(id, { model, reason }) {
      const dropped = JSON.stringify({ model, reason })
      sql.run`UPDATE runtime_outcome_evaluations SET dropped_opinion = ${dropped} WHERE id = ${id}`
    },
    droppedOpinion(id) {
      const row = sql.get<Pick<EvaluationRow, 'dropped_opinion'>>`
        SELECT dropped_opinion FROM runtime_outcome_evaluations WHERE id = ${id}`
      return row?.dropped_opinion ? JSON.parse(row.dropped_opinion) : null
    },
    revise(id, { verdict, score, scores }) {
      sql.run`
        UPDATE runtime_outcome_evaluations SET verdict = ${verdict}, score = ${score}, scores = ${JSON.stringify(scores)} WHERE id = ${id}`
    },
    before({ conversation, no }) {
      const run = sql.get<{ run_id: string }>`
        SELECT run_id FROM runs WHERE conversation = ${conversation} AND no < ${no} ORDER BY no DESC LIMIT 1`
      return run && ofRun(run.run_id)
    },
    page({ agent_id = null, run_id = null, verdict = null, since = null }, before, limit) {
      return sql.all<EvaluationRow>`
        SELECT * FROM runtime_outcome_evaluations
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${run_id} IS NULL OR run_id = ${run_id})
          AND (${verdict} IS NULL OR verdict = ${verdict}) AND (${since} IS NULL OR created_at >= ${since})
          AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`.map(toEvaluation)
    },
    usual(agent_id, step_id) {
      const rows = sql.all<Pick<EvaluationRow, 'tokens' | 'duration_ms' | 'turns'>>`
        SELECT tokens, duration_ms, turns FROM runtime_outcome_evaluations
        WHERE agent_id = ${agent_id} AND evaluator = 'rules' AND trigger = 'completed' AND step_id <> ${step_id}
        ORDER BY created_at DESC LIMIT ${mostRuns}`
      if (rows.length < fewestRuns) return null
      const median = (field: 'tokens' | 'duration_ms' | 'turns') =>
        rows.map((row) => row[field]).toSorted((left, right) => left - right)[Math.floor(rows.length / 2)] ?? 0
      return { tokens: median('tokens'), duration_ms: median('duration_ms'), turns: median('turns') }
    },
  }
}

function toEvaluation(row: EvaluationRow): OutcomeEvaluation {
  const { scores, failure, tokens: _tokens, duration_ms: _duration, turns: _turns, dropped_opinion: _dropped, ...rest } = row
  return { ...rest, scores: JSON.parse(scores), ...(failure === null ? {} : { failure_contract: JSON.parse(failure) }) }
}
