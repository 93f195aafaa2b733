// The fields of an agent, independent of storage.
import { type Agent, defaultMaxTurns } from '@tandem/contract/agent'
import { defaultSandboxMode } from '@tandem/contract/tool'
import { invalidField, type Rejection } from '../feature/outcome.ts'

/** The fields of an agent that a user can set. */
export type SaidOfAgent = Partial<Omit<Agent, 'archived' | 'created_at'>>

export function newAgent(fields: SaidOfAgent & { readonly name: string }, created_at: string): Agent {
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

export function changedAgent(agent: Agent, fields: SaidOfAgent): Agent {
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const changed: Agent = { ...agent, ...named }
  return { ...changed, name: changed.name.trim() }
}

/** Why this agent cannot be saved, or null if it can. The contract checks each field; this checks the agent as a whole. */
export function faultOf(agent: Agent): Rejection | null {
  if (agent.name === '') return invalidField('name', 'must not be empty')
  return null
}

/** The agent that exists when the user has not created one. */
export const firstAgent = {
  name: 'Tandem',
  description: 'The default agent.',
  identity: { role: 'An assistant that works on this computer', tone: 'calm and brief' },
} as const satisfies SaidOfAgent
