// The calls an agent has made, as the journal kept them.
import type { Store } from '../store/store.ts'
import type { EarlierCalls } from './rate.ts'

/** Of this device alone: a limit is one of the machine the calls are made on. */
export function startedCalls({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>): EarlierCalls {
  return (agent_id, tool, since) =>
    sql.all`
      SELECT s.ts AS ts FROM runs r JOIN agent_run_steps s ON s.run = r.no
      WHERE r.agent_id = ${agent_id} AND r.device_id = ${device_id} AND r.updated_at > ${since}
        AND s.kind = 'tool.started' AND s.ts > ${since} AND s.here ->> '$.tool' = ${tool}
      ORDER BY s.ts`.map(({ ts }) => Number(ts))
}
