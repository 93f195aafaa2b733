// Agents, stored as records that are synchronized between devices.
import type { Agent } from '@tandem/contract/agent'
import type { KeptAgent } from '@tandem/contract/command'
import { timestamp } from '../clock/clock.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { Rejection } from '../feature/outcome.ts'
import type { Records, StoredRecord } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import { type AgentFields, agentProblem, defaultAgent, newAgent, withChanges } from './agent.ts'

export type AgentOutcome =
  | { readonly ok: true; readonly value: KeptAgent }
  | { readonly ok: false; readonly code: 'not_found' | 'version_conflict'; readonly message: string }
  | Rejection

export interface Agents {
  get(agent_id: string): KeptAgent | undefined
  /** Sorted by name, then by id. */
  list(): readonly KeptAgent[]
  create(fields: AgentFields & { readonly name: string }): AgentOutcome
  /** If `version` is given, it must be the current version of the agent. */
  update(agent_id: string, fields: AgentFields, version?: number): AgentOutcome
  archive(agent_id: string, archived: boolean): AgentOutcome
  /** The oldest agent that is not archived, which is the same on every device. Created if there is none. */
  default(): KeptAgent
}

export function openAgents(store: Store, records: Records, lifecycle: Pick<Lifecycle, 'record'>): Agents {
  function get(agent_id: string): KeptAgent | undefined {
    const kept = records.get('agents', agent_id)
    return kept && toKept(kept)
  }

  function create(fields: AgentFields & { readonly name: string }): AgentOutcome {
    const agent = newAgent(fields, timestamp(store.clock.now()))
    const fault = agentProblem(agent)
    if (fault) return fault
    const value = store.transaction(() => {
      const kept = records.put('agents', store.newId(), agent)
      const { entity_id: agent_id } = kept
      lifecycle.record({ event: 'agent_created', event_id: agent_id, data: { agent_id, cause: 'created' } })
      return toKept(kept)
    })
    return { ok: true, value }
  }

  function change(agent_id: string, version: number | undefined, next: (agent: Agent) => Agent): AgentOutcome {
    return store.transaction<AgentOutcome>(() => {
      const kept = records.get('agents', agent_id)
      if (!kept) return { ok: false, code: 'not_found', message: `there is no agent ${agent_id}` }
      if (version !== undefined && version !== kept.version) {
        return { ok: false, code: 'version_conflict', message: `agent ${agent_id} is at version ${kept.version}, not ${version}` }
      }
      const agent = next(kept.payload)
      const fault = agentProblem(agent)
      if (fault) return fault
      return { ok: true, value: toKept(records.put('agents', agent_id, agent)) }
    })
  }

  return {
    get,
    create,
    list() {
      return records
        .list('agents')
        .map(toKept)
        .sort((left, right) => compare(left.agent.name, right.agent.name) || compare(left.agent_id, right.agent_id))
    },
    update: (agent_id, fields, version) => change(agent_id, version, (agent) => withChanges(agent, fields)),
    archive: (agent_id, archived) => change(agent_id, undefined, (agent) => ({ ...agent, archived })),
    default() {
      const [oldest] = records
        .list('agents')
        .filter(({ payload }) => !payload.archived)
        .sort((left, right) => compare(left.payload.created_at, right.payload.created_at) || compare(left.entity_id, right.entity_id))
      if (oldest) return toKept(oldest)
      const made = create(defaultAgent)
      if (!made.ok) throw new Error(`the default agent cannot be created: ${made.message}`)
      return made.value
    },
  }
}

function toKept({ entity_id, version, updated_at, payload }: StoredRecord<'agents'>): KeptAgent {
  return { agent_id: entity_id, version, updated_at: timestamp(updated_at), agent: payload }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
