export type { Agent, AgentToolPolicy } from './schema.ts'

/** How many turns of the model one run may take, unless the agent sets its own limit. */
export const defaultMaxTurns = 100
