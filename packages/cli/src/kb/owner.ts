// Whose agents can find a source.
import { resolve } from 'node:path'
import type { KnowledgeOwner } from '@tandem/contract/knowledge'
import { type AgentNames, findAgent, ownerOf } from '../command/agents.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

interface SaidOwner {
  readonly agent?: string | undefined
  readonly workspace?: string | undefined
}

/** Everyone, unless an agent or a workspace is named. */
export async function resolveOwner(client: RuntimeClient, { agent, workspace }: SaidOwner): Promise<CommandAnswer<KnowledgeOwner>> {
  if (workspace !== undefined) return { ok: true, value: { kind: 'workspace', path: resolve(workspace) } }
  if (agent === undefined) return { ok: true, value: { kind: 'everyone' } }
  const found = await findAgent(client, agent)
  return found.ok ? { ok: true, value: { kind: 'agent', agent_id: found.value.agent_id } } : found
}

export function ownerText(owner: KnowledgeOwner, names: AgentNames): string {
  switch (owner.kind) {
    case 'agent':
      return ownerOf(owner.agent_id, names)
    case 'workspace':
      return `agents in ${escapeControls(owner.path)}`
    case 'everyone':
      return ownerOf(null, names)
  }
}
