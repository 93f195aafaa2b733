// For tests of the ledger and the meter: rows, a database with simulated outages, and a log that keeps its lines.
import pino from 'pino'
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts'
import { newId } from '../../src/http/id.ts'
import type { CallRow } from '../../src/llm/ledger/row.ts'

export const noon = Date.parse('2026-09-21T12:00:00.000Z')

export function callRow(changes: Partial<CallRow> = {}): CallRow {
  return {
    user_id: newId(noon),
    generation_id: newId(noon),
    ts: noon,
    device_id: 'laptop',
    operation: 'chat_completions',
    model: 'demo/scripted',
    status: 200,
    input_tokens: 100,
    cached_input_tokens: 40,
    output_tokens: 20,
    estimated: false,
    aborted: false,
    attempts: 1,
    first_byte_ms: 12,
    duration_ms: 345,
    ended: true,
    ...changes,
  }
}

export interface UnreliableDatabase extends Pick<Database, 'asUser'> {
  /** What happens to new work. `away`: unreachable. `deaf`: work is done, but not confirmed. */
  state: 'well' | 'away' | 'deaf'
}

/** `asUser` of a real database, with simulated outages. */
export function unreliableDatabase(database: Database): Database & UnreliableDatabase {
  const lost = () => new DatabaseUnavailable('connection', 'the database is not reachable (test)')
  const faulty: Database & UnreliableDatabase = {
    ...database,
    state: 'well',
    async asUser(userId, work) {
      const { state } = faulty
      if (state === 'away') throw lost()
      const result = await database.asUser(userId, work)
      if (state === 'deaf') throw lost()
      return result
    },
  }
  return faulty
}

export function recordingLog(): { log: pino.Logger; lines: { level: number; msg: string; call?: CallRow }[] } {
  const lines: { level: number; msg: string; call?: CallRow }[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}

/** The rows of a user in PostgreSQL, in order. */
export async function storedRows(database: Pick<Database, 'asUser'>, userId: string): Promise<CallRow[]> {
  return database.asUser(userId, async (sql) => [
    ...(await sql<CallRow[]>`
      select user_id, generation_id, extract(epoch from ts)::float8 * 1000 as ts, device_id, operation, model, status,
        input_tokens::float8 as input_tokens, cached_input_tokens::float8 as cached_input_tokens, output_tokens::float8 as output_tokens,
        estimated, aborted, attempts, first_byte_ms, duration_ms, ended
      from tandem.model_calls where user_id = ${userId} order by generation_id`),
  ])
}
