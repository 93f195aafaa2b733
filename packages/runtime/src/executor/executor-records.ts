// The executors of this device and the cache of their negotiations. The token is read only to be sent.
import type { ListedExecutor, NegotiationResult } from '@tandem/contract/executor'
import { NegotiationResult as ResultSchema } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'

export interface ExecutorRecord extends Omit<ListedExecutor, 'state' | 'negotiation' | 'agents'> {
  readonly token: string
}

export interface ExecutorRecords {
  /** In order of addition. */
  list(): readonly ExecutorRecord[]
  get(executor_id: string): ExecutorRecord | undefined
  /** In any case. */
  named(name: string): ExecutorRecord | undefined
  add(executor: Omit<ExecutorRecord, 'executor_id' | 'added_at'>): ExecutorRecord
  /** False if there was none. */
  remove(executor_id: string): boolean
  /** The ids of the agents that may use it. */
  agents(executor_id: string): string[]
  isGranted(executor_id: string, agent_id: string): boolean
  grant(executor_id: string, agent_id: string): void
  revoke(executor_id: string, agent_id: string): void
  negotiation(executor_id: string): NegotiationResult | null
  putNegotiation(result: NegotiationResult): void
}

export function openExecutorRecords({ sql, clock, newId }: Pick<Store, 'sql' | 'clock' | 'newId'>): ExecutorRecords {
  const get = (executor_id: string) => sql.get<ExecutorRecord>`SELECT * FROM executors WHERE executor_id = ${executor_id}`
  return {
    list: () => sql.all<ExecutorRecord>`SELECT * FROM executors ORDER BY added_at, executor_id`,
    get,
    named: (name) => sql.get<ExecutorRecord>`SELECT * FROM executors WHERE name = ${name}`,
    add({ name, executor_url, certificate_sha256, token }) {
      const executor_id = newId()
      const added_at = timestamp(clock.now())
      sql.run`
        INSERT INTO executors (executor_id, name, executor_url, certificate_sha256, token, added_at)
        VALUES (${executor_id}, ${name}, ${executor_url}, ${certificate_sha256}, ${token}, ${added_at})`
      return { executor_id, name, executor_url, certificate_sha256, token, added_at }
    },
    remove(executor_id) {
      sql.run`DELETE FROM executor_negotiations WHERE executor_id = ${executor_id}`
      sql.run`DELETE FROM executor_grants WHERE executor_id = ${executor_id}`
      return sql.run`DELETE FROM executors WHERE executor_id = ${executor_id}`.changes > 0
    },
    agents: (executor_id) =>
      sql.all`SELECT agent_id FROM executor_grants WHERE executor_id = ${executor_id} ORDER BY granted_at, agent_id`.map((row) =>
        String(row.agent_id),
      ),
    isGranted: (executor_id, agent_id) =>
      sql.get`SELECT 1 FROM executor_grants WHERE executor_id = ${executor_id} AND agent_id = ${agent_id}` !== undefined,
    grant(executor_id, agent_id) {
      sql.run`
        INSERT OR IGNORE INTO executor_grants (executor_id, agent_id, granted_at)
        VALUES (${executor_id}, ${agent_id}, ${timestamp(clock.now())})`
    },
    revoke(executor_id, agent_id) {
      sql.run`DELETE FROM executor_grants WHERE executor_id = ${executor_id} AND agent_id = ${agent_id}`
    },
    negotiation(executor_id) {
      const row = sql.get`SELECT result FROM executor_negotiations WHERE executor_id = ${executor_id}`
      const result: unknown = row === undefined ? null : JSON.parse(String(row.result))
      // Another version may have written it: then it is negotiated again.
      return Check(ResultSchema, result) ? result : null
    },
    putNegotiation(result) {
      sql.run`
        INSERT OR REPLACE INTO executor_negotiations (executor_id, result) VALUES (${result.executor_id}, ${JSON.stringify(result)})`
    },
  }
}
