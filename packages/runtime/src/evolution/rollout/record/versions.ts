// Every version of the text of skills and workflows that were recommended. Nothing is overwritten or deleted.
import { createHash } from 'node:crypto'
import type { SkillRecommendationState, SkillVersion } from '@tandem/contract/skill-recommendation'
import { timestamp } from '../../../clock/clock.ts'
import type { Store } from '../../../store/store.ts'

export type NewVersion = Pick<
  SkillVersion,
  'skill_name' | 'workflow_id' | 'recommendation_id' | 'parent_version_id' | 'state' | 'skill_path' | 'content' | 'summary'
>

export interface Versions {
  get(id: string): SkillVersion | undefined
  add(version: NewVersion): SkillVersion
  /** Newest first. */
  page(
    filter: { readonly skill_name?: string; readonly recommendation_id?: string },
    before: string | null,
    limit: number,
  ): readonly SkillVersion[]
  /** How far it got. */
  mark(id: string, state: SkillRecommendationState): void
}

export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

export function openVersions({ sql, clock, newId }: Pick<Store, 'sql' | 'clock' | 'newId'>): Versions {
  const get = (id: string) => sql.get<SkillVersion>`SELECT * FROM runtime_skill_versions WHERE id = ${id}`
  return {
    get,
    add({ skill_name, workflow_id, recommendation_id, parent_version_id, state, skill_path, content, summary }) {
      const [id, now] = [newId(), timestamp(clock.now())]
      const last =
        sql.get<{ last: number }>`
          SELECT coalesce(max(skill_version), 0) AS last FROM runtime_skill_versions
          WHERE (skill_name IS NOT NULL AND skill_name = ${skill_name}) OR (workflow_id IS NOT NULL AND workflow_id = ${workflow_id})`
          ?.last ?? 0
      sql.run`
        INSERT INTO runtime_skill_versions (id, skill_name, workflow_id, recommendation_id, skill_version, parent_version_id, state, skill_path,
          content, content_sha256, summary, created_at, live_at, ended_at)
        VALUES (${id}, ${skill_name}, ${workflow_id}, ${recommendation_id}, ${last + 1}, ${parent_version_id}, ${state}, ${skill_path},
          ${content}, ${contentHash(content)}, ${summary}, ${now}, ${state === 'live' ? now : null}, NULL)`
      const added = get(id)
      if (!added) throw new Error(`version ${id} was not stored`)
      return added
    },
    page({ skill_name = null, recommendation_id = null }, before, limit) {
      return sql.all<SkillVersion>`
        SELECT * FROM runtime_skill_versions
        WHERE (${skill_name} IS NULL OR skill_name = ${skill_name})
          AND (${recommendation_id} IS NULL OR recommendation_id = ${recommendation_id}) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`
    },
    mark(id, state) {
      const now = timestamp(clock.now())
      const [live, ended] = [state === 'live' ? now : null, state === 'rolled_back' || state === 'retired' ? now : null]
      sql.run`
        UPDATE runtime_skill_versions SET state = ${state}, live_at = coalesce(live_at, ${live}), ended_at = coalesce(ended_at, ${ended})
        WHERE id = ${id}`
    },
  }
}
