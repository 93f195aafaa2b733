// What the actions share.
import type { CommandError } from '@tandem/contract/command'
import { resolveAgent } from '../command/policy.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { json, text } from '../terminal/options.ts'

const listCandidates = 'List the policy candidates and their ids with tandem learning candidates.'
const listMemories = 'List the memory candidates and their ids with tandem learning memories.'

export const listOptions = { agent: text, limit: { type: 'string', default: '50' }, json } as const

/** Of all agents if none is named. */
export async function agentFilter(client: RuntimeClient, agent: string | undefined): Promise<CommandAnswer<{ agent_id?: string }>> {
  if (agent === undefined) return { ok: true, value: {} }
  const found = await resolveAgent(client, agent)
  return found.ok ? { ok: true, value: { agent_id: found.value } } : found
}

/** The next step for an item that was not found. */
export function stepFor({ message }: CommandError): string | undefined {
  if (message.includes('policy candidate')) return listCandidates
  return message.includes('memory candidate') ? listMemories : undefined
}
