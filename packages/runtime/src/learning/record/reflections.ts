// What was learned from runs: one reflection for each evaluation by rules.
import { type Reflection, reflectionRecommendations } from '@tandem/contract/learning'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export type NewReflection = Omit<Reflection, 'created_at'>

export interface Reflections {
  add(reflection: NewReflection): Reflection
  /** What became known later: the user corrected the run. */
  revise(id: string, revised: Pick<Reflection, 'root_cause' | 'recommended_skill_gap_analysis'>): void
  /** A model's wording that passed the checks. */
  reword(id: string, root_cause: string): void
  get(id: string): Reflection | undefined
  ofEvaluation(evaluation_id: string): Reflection | undefined
  /** Newest first. */
  page(
    filter: { readonly agent_id?: string; readonly run_id?: string; readonly since?: string },
    before: string | null,
    limit: number,
  ): readonly Reflection[]
}

type Recommendations = Pick<Reflection, (typeof reflectionRecommendations)[number]>
type ReflectionRow = Omit<Reflection, keyof Recommendations> & { readonly [Field in keyof Recommendations]: string | null }

export function openReflections({ sql, clock }: Pick<Store, 'sql' | 'clock'>): Reflections {
  return {
    add(reflection) {
      const stored: Reflection = { created_at: timestamp(clock.now()), ...reflection }
      const [memory, policy, workflow, gap] = reflectionRecommendations.map((field) => {
        return stored[field] === null ? null : JSON.stringify(stored[field])
      })
      sql.run`
        INSERT INTO runtime_reflections (id, run_id, agent_id, conversation_id, evaluation_id, root_cause, affected_subsystem,
          recommended_memory_writeback, recommended_policy_update, recommended_workflow_extraction, recommended_skill_gap_analysis, created_at)
        VALUES (${stored.id}, ${stored.run_id}, ${stored.agent_id}, ${stored.conversation_id}, ${stored.evaluation_id}, ${stored.root_cause},
          ${stored.affected_subsystem}, ${memory ?? null}, ${policy ?? null}, ${workflow ?? null}, ${gap ?? null}, ${stored.created_at})`
      return stored
    },
    revise(id, { root_cause, recommended_skill_gap_analysis: gap }) {
      sql.run`
        UPDATE runtime_reflections SET root_cause = ${root_cause}, recommended_skill_gap_analysis = ${gap === null ? null : JSON.stringify(gap)}
        WHERE id = ${id}`
    },
    reword(id, root_cause) {
      sql.run`UPDATE runtime_reflections SET root_cause = ${root_cause} WHERE id = ${id}`
    },
    get(id) {
      const row = sql.get<ReflectionRow>`SELECT * FROM runtime_reflections WHERE id = ${id}`
      return row && toReflection(row)
    },
    ofEvaluation(evaluation_id) {
      const row = sql.get<ReflectionRow>`SELECT * FROM runtime_reflections WHERE evaluation_id = ${evaluation_id}`
      return row && toReflection(row)
    },
    page: ({ agent_id = null, run_id = null, since = null }, before, limit) =>
      sql.all<ReflectionRow>`
        SELECT * FROM runtime_reflections
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${run_id} IS NULL OR run_id = ${run_id})
          AND (${since} IS NULL OR created_at >= ${since}) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`.map(toReflection),
  }
}

function toReflection(row: ReflectionRow): Reflection {
  const parsed = reflectionRecommendations.map((field) => [field, row[field] === null ? null : JSON.parse(row[field])])
  return { ...row, ...Object.fromEntries(parsed) }
}
