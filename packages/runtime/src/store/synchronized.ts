// The synchronized tables. Each has a trigger that writes the outbox in the transaction of the write, so that no feature can forget it.
import type { EntityType } from '@tandem/contract/sync'

/** The entities that change: last-write-wins, or per item for `todos`. */
export type RecordType = Extract<EntityType, 'agents' | 'agent_tool_policies' | 'agent_skill_bindings' | 'mcp_servers' | 'todos'>

interface Fact {
  readonly id: string
  readonly written: string
  /** Run and number, for entities that are identified by them. */
  readonly place: string
}

/** The entities that are written once: the columns of their id and time of writing. A step is identified by its run and number only. */
const facts = {
  messages: { id: 'NEW.message_id', written: 'NEW.created_at', place: 'NULL, NULL' },
  agent_run_steps: { id: "''", written: 'NEW.ts', place: 'NEW.run, NEW.seq' },
  tool_calls: { id: 'NEW.call_id', written: 'NEW.settled_at', place: 'NEW.run, NEW.call_seq' },
  workflow_run_events: { id: 'NEW.event_id', written: 'NEW.ts', place: 'NULL, NULL' },
} satisfies Partial<Record<EntityType, Fact>>

/** Rows from other devices are not sent back: `tandem_applying()` is 1 while they are written. */
export function synchronizedTriggers(): string {
  return [...Object.entries(facts).map(([table, fact]) => factTrigger(table, fact)), recordTrigger('INSERT'), recordTrigger('UPDATE')].join(
    '\n',
  )
}

function factTrigger(table: string, { id, written, place }: Fact): string {
  return `
    DROP TRIGGER IF EXISTS ${table}_outbox;
    CREATE TRIGGER ${table}_outbox AFTER INSERT ON ${table} WHEN tandem_applying() = 0 BEGIN
      INSERT INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts, run, seq)
      VALUES ('${table}', ${id}, 'upsert', 1, tandem_stamp(), ${written}, ${place});
    END;`
}

/** A record that changes again before it is sent keeps its position in the queue. */
function recordTrigger(verb: 'INSERT' | 'UPDATE'): string {
  return `
    DROP TRIGGER IF EXISTS records_outbox_${verb};
    CREATE TRIGGER records_outbox_${verb} AFTER ${verb} ON records WHEN tandem_applying() = 0 BEGIN
      INSERT INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts)
      VALUES (NEW.entity_type, NEW.entity_id, iif(NEW.deleted, 'delete', 'upsert'), NEW.version, NEW.updated_at, NEW.source_ts)
      ON CONFLICT (entity_type, entity_id) WHERE entity_type NOT IN ('messages', 'tool_calls', 'agent_run_steps', 'workflow_run_events')
      DO UPDATE SET op = excluded.op, version = excluded.version, updated_at = excluded.updated_at, source_ts = excluded.source_ts;
    END;`
}
