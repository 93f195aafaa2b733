// The fields of an agent, independent of storage.
import { type Agent, defaultMaxTurns } from '@tandem/contract/agent'
import { defaultSandboxMode } from '@tandem/contract/tool'
import { invalidField, type Rejection } from '../feature/outcome.ts'

/** The fields of an agent that a user can set. */
export type AgentFields = Partial<Omit<Agent, 'archived' | 'created_at'>>

export function newAgent(fields: AgentFields & { readonly name: string }, created_at: string): Agent {
  return {
    name: fields.name.trim(),
    description: fields.description ?? '',
    identity: fields.identity ?? { role: 'Assistant', tone: null },
    instructions: fields.instructions ?? '',
    model: fields.model ?? null,
    temperature: fields.temperature ?? null,
    max_turns: fields.max_turns ?? defaultMaxTurns,
    sandbox_mode: fields.sandbox_mode ?? defaultSandboxMode,
    avatar: fields.avatar ?? null,
    archived: false,
    created_at,
  }
}

export function withChanges(agent: Agent, fields: AgentFields): Agent {
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const changed: Agent = { ...agent, ...named }
  return { ...changed, name: changed.name.trim() }
}

/** Why this agent cannot be saved, or null if it can. The contract checks each field; this checks the agent as a whole. */
export function agentProblem(agent: Agent): Rejection | null {
  if (agent.name === '') return invalidField('name', 'must not be empty')
  return null
}

/** The agent that exists when the user has not created one. */
export const defaultAgent = {
  name: 'Tandem',
  description: 'The default agent.',
  identity: { role: 'An assistant that works on this computer', tone: 'calm and brief' },
} as const satisfies AgentFields
