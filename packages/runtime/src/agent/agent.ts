// What an agent is made of, before it is kept anywhere.
import { type Agent, defaultMaxTurns } from '@tandem/contract/agent'
import { defaultSandboxMode } from '@tandem/contract/tool'
import { invalidField, type Rejection } from '../feature/outcome.ts'

/** What a person says of an agent. */
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

/** Why an agent can't be kept so; null when it can. What one field allows is said by the contract. */
export function faultOf(agent: Agent): Rejection | null {
  if (agent.name === '') return invalidField('name', 'must not be empty')
  return null
}

/** The agent a person meets who has made none. */
export const firstAgent = {
  name: 'Tandem',
  description: 'The agent every Tandem begins with.',
  identity: { role: 'An assistant that works on this computer', tone: 'calm and brief' },
} as const satisfies SaidOfAgent
