// What is missing: one record for each repeated behavior, however often it is found.
import type { GapKind, GapResult, SkillGapAnalysis } from '@tandem/contract/learning'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'
import { staysDismissed } from '../rule/gap.ts'

export type NewGap = Omit<SkillGapAnalysis, 'id' | 'created_at' | 'recommendation_id' | 'led_to'>

/** What a gap led to, as it is stored. What became of it is read when it is shown. */
export type GapLink =
  | { readonly kind: 'memory' | 'policy'; readonly candidate_id: string }
  | { readonly kind: 'source'; readonly path: string }
  | { readonly kind: 'nothing'; readonly because: string }

export interface Gaps {
  get(id: string): SkillGapAnalysis | undefined
  setRecommendation(id: string, recommendation_id: string): void
  setResult(id: string, link: GapLink): void
  /** What was proposed because of it; null if nothing was, or not yet. */
  linkOf(id: string): GapLink | null
  /** `isNew`: it was not known, or its dismissal no longer holds. Null if it stays dismissed. */
  put(gap: NewGap): { readonly gap: SkillGapAnalysis; readonly isNew: boolean } | null
  /** The user does not want anything about it, unless it is repeated twice as often. */
  dismiss(id: string): void
  /** Newest first, without dismissed ones. */
  page(
    filter: { readonly agent_id?: string; readonly run_id?: string; readonly gap_kinds?: readonly GapKind[] },
    before: string | null,
    limit: number,
  ): readonly SkillGapAnalysis[]
}

type GapRow = Omit<SkillGapAnalysis, 'behavior_trace_ids' | 'already_bound' | 'led_to'> & {
  readonly led_to: string | null
  readonly behavior_trace_ids: string
  readonly already_bound: number
  readonly dismissed_at: number | null
}

/** `resultOf`: what a link leads to now. */
export function openGaps(
  { sql, newId, clock }: Pick<Store, 'sql' | 'newId' | 'clock'>,
  resultOf: (link: GapLink) => GapResult | null = () => null,
): Gaps {
  const linkIn = (led_to: string | null): GapLink | null => (led_to === null ? null : JSON.parse(led_to))

  function toGap({ dismissed_at: _, led_to, ...row }: GapRow): SkillGapAnalysis {
    const link = linkIn(led_to)
    return {
      ...row,
      behavior_trace_ids: JSON.parse(row.behavior_trace_ids),
      already_bound: row.already_bound === 1,
      led_to: link && resultOf(link),
    }
  }

  const ofSignature = (signature: string) => sql.get<GapRow>`SELECT * FROM runtime_skill_gap_analyses WHERE signature = ${signature}`
  return {
    get(id) {
      const row = sql.get<GapRow>`SELECT * FROM runtime_skill_gap_analyses WHERE id = ${id}`
      return row && toGap(row)
    },
    setRecommendation: (id, recommendation_id) =>
      void sql.run`UPDATE runtime_skill_gap_analyses SET recommendation_id = ${recommendation_id} WHERE id = ${id}`,
    setResult: (id, link) => void sql.run`UPDATE runtime_skill_gap_analyses SET led_to = ${JSON.stringify(link)} WHERE id = ${id}`,
    linkOf: (id) => linkIn(sql.get<Pick<GapRow, 'led_to'>>`SELECT led_to FROM runtime_skill_gap_analyses WHERE id = ${id}`?.led_to ?? null),
    put(gap) {
      const known = ofSignature(gap.signature)
      if (known && staysDismissed(known.dismissed_at, gap.repetitions)) return null
      const isNew = known === undefined || known.dismissed_at !== null
      const [ids, bound] = [JSON.stringify(gap.behavior_trace_ids), gap.already_bound ? 1 : 0]
      sql.run`
        INSERT INTO runtime_skill_gap_analyses (id, run_id, agent_id, conversation_id, gap_kind, signature, summary, behavior_trace_ids,
          repetitions, confidence, matching_skill, already_bound, recommendation_id, created_at, dismissed_at)
        VALUES (${newId()}, ${gap.run_id}, ${gap.agent_id}, ${gap.conversation_id}, ${gap.gap_kind}, ${gap.signature}, ${gap.summary}, ${ids},
          ${gap.repetitions}, ${gap.confidence}, ${gap.matching_skill}, ${bound}, NULL, ${timestamp(clock.now())}, NULL)
        ON CONFLICT (signature) DO UPDATE SET gap_kind = excluded.gap_kind, summary = excluded.summary,
          behavior_trace_ids = excluded.behavior_trace_ids, repetitions = excluded.repetitions, confidence = excluded.confidence,
          matching_skill = excluded.matching_skill, already_bound = excluded.already_bound, dismissed_at = NULL,
          recommendation_id = CASE WHEN dismissed_at IS NULL THEN recommendation_id ELSE NULL END,
          led_to = CASE WHEN dismissed_at IS NULL THEN led_to ELSE NULL END`
      const stored = ofSignature(gap.signature)
      return stored ? { gap: toGap(stored), isNew } : null
    },
    dismiss(id) {
      sql.run`UPDATE runtime_skill_gap_analyses SET dismissed_at = repetitions WHERE id = ${id}`
    },
    page: ({ agent_id = null, run_id = null, gap_kinds }, before, limit) => {
      const kinds = gap_kinds === undefined ? null : JSON.stringify(gap_kinds)
      return sql.all<GapRow>`
        SELECT * FROM runtime_skill_gap_analyses
        WHERE dismissed_at IS NULL AND (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${run_id} IS NULL OR run_id = ${run_id})
          AND (${kinds} IS NULL OR gap_kind IN (SELECT value FROM json_each(${kinds}))) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`.map(toGap)
    },
  }
}
