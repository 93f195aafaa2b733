// The fields of an agent, independent of storage.
import { type Agent, defaultMaxTurns } from '@tandem/contract/agent'
import { defaultSandboxMode } from '@tandem/contract/tool'

/** The fields of an agent that a user can set. */
export type SaidOfAgent = Partial<Omit<Agent, 'archived' | 'created_at'>>

export function newAgent(said: SaidOfAgent & { readonly name: string }, created_at: string): Agent {
  return {
    name: said.name.trim(),
    description: said.description ?? '',
    identity: said.identity ?? { role: 'Assistant', tone: null },
    instructions: said.instructions ?? '',
    model: said.model ?? null,
    temperature: said.temperature ?? null,
    max_turns: said.max_turns ?? defaultMaxTurns,
    sandbox_mode: said.sandbox_mode ?? defaultSandboxMode,
    avatar: said.avatar ?? null,
    archived: false,
    created_at,
  }
}

export function changedAgent(agent: Agent, said: SaidOfAgent): Agent {
  const named = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const changed: Agent = { ...agent, ...named }
  return { ...changed, name: changed.name.trim() }
}

/** Why this agent cannot be saved, or null if it can. The contract checks each field; this checks the agent as a whole. */
export function faultOf(agent: Agent): string | null {
  if (agent.name === '') return 'the name of an agent must not be empty'
  return null
}

/** The agent that exists when the user has not created one. */
export const firstAgent = {
  name: 'Tandem',
  description: 'The default agent.',
  identity: { role: 'An assistant that works on this computer', tone: 'calm and brief' },
} as const satisfies SaidOfAgent
