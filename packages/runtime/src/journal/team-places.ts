// The places of runs in their teams. Those of other devices are known from their journals alone, as far as these have arrived.
import type { Store } from '../store/store.ts'

/** `parent_run_id` is null for the first run of a team. */
export interface PlaceInTeam {
  readonly root_run_id: string
  readonly parent_run_id: string | null
}

export interface RunOrigin {
  readonly parent_run_id: string
  readonly role_text: string | null
}

export interface TeamPlaces {
  /** The run that started it, and its role; null if a person, a schedule or a task did. */
  origin(run_id: string): RunOrigin | null
  /** The runs that it started, in this order. */
  childrenOf(run_id: string): readonly string[]
  /** The first run of its team; the run itself if it has none. */
  rootOf(run_id: string): string
  /** By run; runs without a team are left out. */
  placesInTeams(run_ids: readonly string[]): ReadonlyMap<string, PlaceInTeam>
}

export function openTeamPlaces({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>): TeamPlaces {
  function origin(run_id: string): RunOrigin | null {
    const row = sql.get<{ parent_run_id: string | null; role_text: string | null }>`
      SELECT s.body ->> 'parent_run_id' AS parent_run_id, s.body ->> 'role_text' AS role_text
      FROM agent_run_steps s JOIN runs r ON r.no = s.run WHERE r.run_id = ${run_id} AND s.kind = 'run.started' ORDER BY s.seq LIMIT 1`
    return row?.parent_run_id ? { parent_run_id: row.parent_run_id, role_text: row.role_text } : null
  }

  function childrenOf(run_id: string): readonly string[] {
    const rows = sql.all<{ child: string }>`
      SELECT s.body ->> 'child_run_id' AS child FROM agent_run_steps s JOIN runs r ON r.no = s.run
      WHERE r.run_id = ${run_id} AND s.kind = 'child.started' ORDER BY s.seq`
    return [...new Set(rows.map(({ child }) => child))]
  }

  function isKnown(run_id: string): boolean {
    return sql.get`SELECT 1 AS found FROM runs WHERE run_id = ${run_id}` !== undefined
  }

  function rootOf(run_id: string): string {
    // What another device wrote may lead round in a circle.
    const seen = new Set<string>()
    let at = run_id
    for (let next = origin(at); next && !seen.has(at) && isKnown(next.parent_run_id); next = origin(at)) {
      seen.add(at)
      at = next.parent_run_id
    }
    return at
  }

  function placeOf(run_id: string): PlaceInTeam | null {
    const parent = origin(run_id)
    if (parent) return { root_run_id: rootOf(run_id), parent_run_id: parent.parent_run_id }
    return childrenOf(run_id).length > 0 ? { root_run_id: run_id, parent_run_id: null } : null
  }

  return {
    origin,
    childrenOf,
    rootOf,
    placesInTeams(run_ids) {
      const wanted = JSON.stringify(run_ids)
      const here = sql.all<PlaceInTeam & { run_id: string }>`
        SELECT run_id, root_run_id, parent_run_id FROM team_members WHERE run_id IN (SELECT value FROM json_each(${wanted}))
        UNION SELECT root_run_id, root_run_id, NULL FROM team_members WHERE root_run_id IN (SELECT value FROM json_each(${wanted}))`
      const elsewhere = sql.all<{ run_id: string }>`
        SELECT run_id FROM runs WHERE run_id IN (SELECT value FROM json_each(${wanted})) AND device_id <> ${device_id}`
      return new Map([
        ...here.map(({ run_id, ...place }): [string, PlaceInTeam] => [run_id, place]),
        ...elsewhere.flatMap(({ run_id }): [string, PlaceInTeam][] => {
          const place = placeOf(run_id)
          return place ? [[run_id, place]] : []
        }),
      ])
    },
  }
}
