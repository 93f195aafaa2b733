// The calls that an agent has made, from the journal.
import type { Store } from '../store/store.ts'
import type { EarlierCalls } from './rate.ts'

/** Only those of this device: a limit applies to the machine on which calls run. */
export function startedCalls({ sql, device_id }: Pick<Store, 'sql' | 'device_id'>): EarlierCalls {
  return (agent_id, tool, since) =>
    sql.all`
      SELECT s.ts AS ts FROM runs r JOIN agent_run_steps s ON s.run = r.no
      WHERE r.agent_id = ${agent_id} AND r.device_id = ${device_id} AND r.updated_at > ${since}
        AND s.kind = 'tool.started' AND s.ts > ${since} AND s.here ->> '$.tool' = ${tool}
      ORDER BY s.ts`.map(({ ts }) => Number(ts))
}
